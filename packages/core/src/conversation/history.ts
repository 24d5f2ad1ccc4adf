/**
 * What a turn is told of what was said before: messages in the order they were answered in, without
 * those that still wait. Bounded by how much a model can take in; the newest is kept.
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

export function createHistory(log: Pick<Log, "read">): ReadHistory {
  return async (key, before, maxChars) => {
    const newestFirst: ConversationEvent[] = [];
    let chars = 0;
    const stream = streamOf(conversation, key);
    for await (const entry of log.read({ stream, before, backwards: true })) {
      const event = conversation.read(entry);
      if (isBeginning(event)) break;
      chars += messageOf(event, entry.at)?.text.length ?? 0;
      for (const { text } of earlierIn(event)) chars += text.length;
      if (chars > maxChars) break;
      newestFirst.push(event);
    }
    return inOrderOfAnswers(newestFirst.toReversed());
  };
}

function inOrderOfAnswers(events: readonly ConversationEvent[]): readonly PastMessage[] {
  const requests = new Map<string, RunRequested>();
  const past: PastMessage[] = [];
  const ask = (runId: string): void => {
    const request = requests.get(runId);
    if (request === undefined) return;
    past.push(...earlierIn(request), { role: "user", text: request.text });
  };
  for (const event of events) {
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
        if (event.text !== "") past.push({ role: "assistant", text: event.text });
        break;
      case "run.stopping":
      case "run.tool.called":
      case "run.tool.returned":
      case "run.delivered":
      case "run.compacted":
      case "conversation.opened":
      case "conversation.patched":
      case "conversation.reset":
      case "conversation.deleted":
        break;
    }
  }
  return past;
}

function earlierIn(event: ConversationEvent): readonly PastMessage[] {
  return event.type === "run.requested" ? (event.earlier ?? []) : [];
}
