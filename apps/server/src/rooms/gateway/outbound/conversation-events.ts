/** Publishes each message to the followers of its conversation, and each change of the list to those who follow all. */
import {
  conversation,
  handleOf,
  messageOf,
  idIn,
  type BatchListener,
  type ConversationEvent,
  type Conversations,
  type Message,
} from "@atrium/core";
import { sessionMessage, sessionsChanged } from "@atrium/wire/gateway";
import { chatMessage, sessionRow, type ModelOf, OWN_CHANNEL } from "../rows/conversation-rows.ts";
import type { RunEvents } from "./run-events.ts";
import type { Subscriptions } from "./subscriptions.ts";

export interface ConversationEventDeps {
  readonly runs: Pick<RunEvents, "publish">;
  readonly subscriptions: Pick<Subscriptions, "publish" | "publishToAll">;
  readonly conversations: Pick<Conversations, "get">;
  readonly modelOf: ModelOf;
  readonly now: () => number;
}

export function createConversationEvents(deps: ConversationEventDeps): BatchListener {
  const { subscriptions, conversations, modelOf, now } = deps;

  function publishMessage(key: string, message: Message, behind: number): void {
    const row = conversations.get(key);
    // The conversation was deleted in the same batch.
    if (row === undefined) return;
    const messageSeq = Math.max(1, row.messages - behind);
    subscriptions.publish(key, sessionMessage, {
      sessionKey: key,
      agentId: row.handle,
      messageId: message.id,
      messageSeq,
      message: chatMessage(message, modelOf(row.handle), messageSeq),
      lastChannel: OWN_CHANNEL,
      lastTo: key,
      session: sessionRow(row, modelOf, { withPreview: true }),
    });
  }

  function publishChange(key: string, event: ConversationEvent): void {
    const reason = REASONS[event.type];
    if (reason === undefined) return;
    const row = conversations.get(key);
    subscriptions.publishToAll(sessionsChanged, {
      sessionKey: key,
      agentId: handleOf(key),
      ts: now(),
      reason: reason.why,
      ...("runId" in event && { runId: event.runId }),
      ...(reason.phase !== undefined && { phase: reason.phase }),
      ...(row !== undefined && { session: sessionRow(row, modelOf, { withPreview: true }) }),
    });
  }

  return (entries) => {
    for (const { key, at, event, message, behind } of readBatch(entries)) {
      if ("runId" in event || event.type === "message.injected") deps.runs.publish(key, event, at);
      if (message !== undefined) publishMessage(key, message, behind);
      publishChange(key, event);
    }
  };
}

interface BatchItem {
  readonly key: string;
  readonly at: number;
  readonly event: ConversationEvent;
  readonly message: Message | undefined;
  /** How many messages of the same conversation follow in the batch: its row has counted them already. */
  readonly behind: number;
}

function readBatch(entries: Parameters<BatchListener>[0]): readonly BatchItem[] {
  const counts = new Map<string, number>();
  const newestFirst: BatchItem[] = [];
  for (const entry of entries.toReversed()) {
    const key = idIn(conversation, entry.stream);
    if (key === undefined) continue;
    const event = conversation.read(entry);
    const message = messageOf(event, entry.at);
    const behind = counts.get(key) ?? 0;
    if (message !== undefined) counts.set(key, behind + 1);
    newestFirst.push({ key, at: entry.at, event, message, behind });
  }
  return newestFirst.toReversed();
}

interface Change {
  readonly why: string;
  readonly phase?: "start" | "end" | "error";
}

/** The events that change the list of conversations. */
const REASONS: { readonly [Type in ConversationEvent["type"]]?: Change } = {
  "conversation.opened": { why: "create" },
  "conversation.patched": { why: "patch" },
  "conversation.reset": { why: "reset" },
  "conversation.deleted": { why: "delete" },
  "message.injected": { why: "inject" },
  "run.requested": { why: "send" },
  "run.started": { why: "agent.run.started", phase: "start" },
  "run.completed": { why: "agent.run.ended", phase: "end" },
  "run.aborted": { why: "agent.run.ended", phase: "end" },
  "run.failed": { why: "agent.run.ended", phase: "error" },
  "run.merged": { why: "agent.input.settled" },
};
