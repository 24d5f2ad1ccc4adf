/**
 * What passed, as it is kept: words of one agent in one episode as one, a pointer where it came to rest.
 *
 * Words are joined only with the words right before them: thinking in between, or anything else that
 * happened, begins a new piece. No word is lost and none changes its place.
 */
import { isEphemeral, type Signal } from "./signal.ts";

interface Piece {
  readonly first: Signal;
  last: Signal;
  readonly contents: string[];
}

export function coalesce(signals: readonly Signal[]): readonly Signal[] {
  const kept: (Signal | Piece)[] = [];
  // By whom and in which episode; forgotten when something else happens.
  const open = new Map<string, Piece>();
  for (const signal of signals) {
    if (!isEphemeral(signal)) {
      open.clear();
      kept.push(signal);
      continue;
    }
    const name = JSON.stringify([signal.payload["agentId"], signal.correlationId]);
    const before = open.get(name);
    if (before !== undefined && isSameKind(before.first, signal)) {
      before.last = signal;
      before.contents.push(contentOf(signal));
      continue;
    }
    const piece = { first: signal, last: signal, contents: [contentOf(signal)] };
    kept.push(piece);
    open.set(name, piece);
  }
  return kept.map((each) => ("contents" in each ? joined(each) : each));
}

function isSameKind(one: Signal, other: Signal): boolean {
  return one.type === other.type && one.payload["contentType"] === other.payload["contentType"];
}

function contentOf({ payload: { content } }: Signal): string {
  return typeof content === "string" ? content : "";
}

/** Under the id and time of its first; how many it stands for is in the metadata. */
function joined({ first, last, contents }: Piece): Signal {
  if (contents.length === 1) return first;
  const metadata = { ...first.metadata, coalesced: contents.length };
  if (first.type === "user.point") return { ...last, metadata };
  return { ...first, metadata, payload: { ...first.payload, content: contents.join("") } };
}
