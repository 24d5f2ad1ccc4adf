/**
 * What a turn is told of what was said before: messages in the order they were answered in, without
 * those that still wait. Bounded by how much a model can take in; the newest is kept.
 *
 * What the agent has said to the same people in other streams is at its place between them.
 */
import type { Log } from "@atrium/log";
import { streamOf } from "../engine/dispatch.ts";
import { conversation } from "./conversation.ts";
import type { ConversationEvent, PastMessage, RunRequested } from "./events.ts";
import { isBeginning, messageOf } from "./transcript.ts";

export type ReadHistory = (
  key: string,
  before: number,
  maxChars: number,
) => Promise<readonly PastMessage[]>;

/** Said by the agent to the people of a conversation, and kept in another stream. */
export interface Aside {
  readonly seq: number;
  readonly text: string;
}

interface Past {
  readonly seq: number;
  readonly event: ConversationEvent;
}

export function createHistory(
  log: Pick<Log, "read">,
  asidesOf: (key: string) => readonly Aside[] = () => [],
): ReadHistory {
  return async (key, before, maxChars) => {
    const newestFirst: Past[] = [];
    let chars = 0;
    let after = 0;
    let isOpening = false;
    const stream = streamOf(conversation, key);
    for await (const entry of log.read({ stream, before, backwards: true })) {
      const { seq } = entry;
      const event = conversation.read(entry);
      if (isBeginning(event) || isOpening) {
        // Before it was first opened there was nothing to end: what was said then belongs to it.
        isOpening = event.type === "conversation.opened";
        if (isOpening) continue;
        after = seq;
        break;
      }
      chars += messageOf(event, entry.at)?.text.length ?? 0;
      for (const { text } of earlierIn(event)) chars += text.length;
      if (chars > maxChars) {
        after = seq;
        break;
      }
      newestFirst.push({ seq, event });
    }
    const asides = within(asidesOf(key), { after, before, maxChars: maxChars - chars });
    return inOrderOfAnswers(newestFirst.toReversed(), asides);
  };
}

/** The newest that there is room for. */
function within(
  asides: readonly Aside[],
  { after, before, maxChars }: Readonly<Record<"after" | "before" | "maxChars", number>>,
): readonly Aside[] {
  const theirs = asides.filter(({ seq }) => seq > after && seq < before);
  let chars = 0;
  const tooMany = theirs.findLastIndex(({ text }) => (chars += text.length) > maxChars);
  return theirs.slice(tooMany + 1);
}

function inOrderOfAnswers(
  events: readonly Past[],
  asides: readonly Aside[],
): readonly PastMessage[] {
  const requests = new Map<string, RunRequested>();
  const past: PastMessage[] = [];
  const say = (text: string): void => {
    if (text !== "") past.push({ role: "assistant", text });
  };
  const ask = (runId: string): void => {
    const request = requests.get(runId);
    if (request === undefined) return;
    past.push(...earlierIn(request), { role: "user", text: request.text });
  };
  let next = 0;
  const sayAsides = (upTo: number): void => {
    for (let aside = asides[next]; aside !== undefined && aside.seq < upTo; aside = asides[next]) {
      say(aside.text);
      next += 1;
    }
  };
  for (const { seq, event } of events) {
    sayAsides(seq);
    switch (event.type) {
      case "run.requested":
        requests.set(event.runId, event);
        break;
      case "run.started":
      case "run.merged":
        ask(event.runId);
        break;
      case "message.injected":
      case "run.completed":
      case "run.failed":
      case "run.aborted":
        say(event.text);
        break;
      case "run.stopping":
      case "run.tool.called":
      case "run.tool.returned":
      case "run.delivered":
      case "run.compacted":
      case "run.session.named":
      case "run.calls.requested":
      case "run.calls.answered":
      case "conversation.opened":
      case "conversation.patched":
      case "conversation.reset":
      case "conversation.deleted":
        break;
    }
  }
  sayAsides(Number.POSITIVE_INFINITY);
  return past;
}

function earlierIn(event: ConversationEvent): readonly PastMessage[] {
  return event.type === "run.requested" ? (event.earlier ?? []) : [];
}
