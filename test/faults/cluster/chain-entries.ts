/** The entries of a chain as its servers keep them, with the node that handed each in. */
import { decodeMessage } from "@atrium/log/chain";
import type { ServerCopy } from "../../kit/nats/server-copies.ts";

export interface ChainEntry {
  readonly seq: number;
  readonly stream: string;
  readonly type: string;
  readonly data: unknown;
  readonly author: { readonly node: string; readonly life: string };
}

export function entriesIn(copy: ServerCopy): readonly ChainEntry[] {
  return [...copy.values()].flatMap((bytes) => {
    const { body, first } = decodeMessage(bytes).message;
    if (body.kind !== "ticks") return [];
    const written = body.ticks.flatMap(({ author, appends }) =>
      appends.flatMap(({ stream, entries }) =>
        entries.map(({ type, text }) => ({
          stream,
          type,
          author,
          data: JSON.parse(text) as unknown,
        })),
      ),
    );
    return written.map((entry, index) => ({ ...entry, seq: first + index }));
  });
}
