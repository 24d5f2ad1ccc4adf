/**
 * Conversation: what the gateway calls a session; an agent, its people, and what was said.
 *
 * Pure: no clock, no ids, no I/O. `decide` says yes or no; `evolve` cannot fail, because what it is
 * given has already happened. Messages stay in the log: the state holds only what decisions need.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { ConversationCommand, Open, Send } from "./commands.ts";
import { CONVERSATION_EVENTS } from "./conversation-shapes.ts";
import type { ConversationEvent, ConversationSettings } from "./events.ts";
import type { ConversationKey } from "./key.ts";
import {
  answerCalls,
  decideRun,
  endAll,
  evolveRuns,
  isWaitingForCalls,
  noRuns,
  type Runs,
} from "./run.ts";

/** More than this waiting in one conversation is a sender that does not listen. */
const MAX_QUEUE = 200;

export interface OpenConversation {
  readonly state: "open";
  readonly sessionId: string;
  readonly isMain: boolean;
  readonly runs: Runs;
}

export type Conversation = { readonly state: "absent" } | OpenConversation;

export const defaultSettings: ConversationSettings = {
  label: null,
  model: null,
  thinking: null,
  isArchived: false,
  isPinned: false,
  isUnread: false,
  notes: {},
};

function decide(
  conversation: Conversation,
  command: ConversationCommand,
): Outcome<readonly ConversationEvent[]> {
  switch (command.type) {
    case "open":
      return open(conversation, command);
    case "inject": {
      if (conversation.state === "absent" && !command.key.isMain) {
        return refuse("conversation.missing", command.key.text);
      }
      const { messageId, text, label } = command;
      return accept([
        ...opening(conversation, command),
        { type: "message.injected", messageId, text, label },
      ]);
    }
    case "send":
      return send(conversation, command);
    case "start":
    case "merge":
    case "call-tool":
    case "return-tool":
    case "deliver":
    case "note-compaction":
    case "note-session":
    case "request-calls":
    case "stop":
    case "settle":
      return decideRun(conversation.state === "open" ? conversation.runs : noRuns, command);
    case "patch":
      if (conversation.state === "absent") return refuse("conversation.missing");
      return accept([{ type: "conversation.patched", changes: command.changes }]);
    case "reset": {
      if (conversation.state === "absent") return refuse("conversation.missing");
      const { sessionId, reason, by, expectedSessionId: expected } = command;
      if (isAnother(conversation, expected)) {
        return refuse("conversation.changed", conversation.sessionId);
      }
      return accept([
        ...endAll(conversation.runs, "the conversation was reset", sessionId, by),
        {
          type: "conversation.reset",
          sessionId,
          reason,
          ...(command.isErased === true && { erase: "wanted" as const }),
        },
      ]);
    }
    case "delete":
      return remove(conversation, command);
  }
}

function open(conversation: Conversation, command: Open): Outcome<readonly ConversationEvent[]> {
  if (conversation.state === "open") return refuse("conversation.exists", command.key.text);
  const isPlain = Object.keys(command.settings).length === 0;
  return accept([
    ...opening(conversation, command),
    ...(isPlain ? [] : [{ type: "conversation.patched", changes: command.settings } as const]),
  ]);
}

function send(conversation: Conversation, command: Send): Outcome<readonly ConversationEvent[]> {
  const runs = conversation.state === "open" ? conversation.runs : noRuns;
  const { expectedSessionId: expected } = command;
  if (isAnother(conversation, expected)) return refuse("conversation.changed", expected ?? "");
  if (runs.queue.length >= MAX_QUEUE) return refuse("conversation.full", `${MAX_QUEUE} waiting`);
  const answered = answerCalls(runs, command);
  if (answered !== undefined) return accept([answered]);
  const { type: _, key: _key, sessionId: _id, expectedSessionId: _expected, ...content } = command;
  const { label, answers, ...request } = content;
  // Who makes the calls has gone on to something else, and nobody else will make them.
  const isGivenUp = answers !== undefined && isWaitingForCalls(runs.active);
  const active = command.mode === "interrupt" || isGivenUp ? runs.active : null;
  const reason = isGivenUp ? "the client went on without making the calls" : "interrupted";
  return accept([
    ...opening(conversation, command),
    ...(conversation.state === "absent" && label !== undefined
      ? [{ type: "conversation.patched", changes: { label } } as const]
      : []),
    { type: "run.requested", ...request },
    ...(active?.stage === "running"
      ? [{ type: "run.stopping", runId: active.runId, reason } as const]
      : []),
  ]);
}

function opening(
  conversation: Conversation,
  { key, sessionId }: { readonly key: ConversationKey; readonly sessionId: string },
): readonly ConversationEvent[] {
  if (conversation.state === "open") return [];
  const { text, agentId, handle, isMain } = key;
  return [{ type: "conversation.opened", key: text, agentId, handle, isMain, sessionId }];
}

/** Whether it is not the one that was meant: reset since, or not there. */
function isAnother(conversation: Conversation, expected: string | null): boolean {
  if (expected === null) return false;
  return conversation.state === "absent" || conversation.sessionId !== expected;
}

function remove(
  conversation: Conversation,
  { expectedSessionId: expected, isErased }: Extract<ConversationCommand, { type: "delete" }>,
): Outcome<readonly ConversationEvent[]> {
  // Deleting what is not there leaves what was asked for.
  if (conversation.state === "absent") return accept([]);
  const { isMain, sessionId, runs } = conversation;
  if (isMain) return refuse("conversation.main");
  if (isAnother(conversation, expected)) return refuse("conversation.changed", sessionId);
  return accept([
    ...endAll(runs, "the conversation was deleted", sessionId),
    { type: "conversation.deleted", erase: isErased === true ? "wanted" : "kept" },
  ]);
}

function evolve(conversation: Conversation, event: ConversationEvent): Conversation {
  switch (event.type) {
    case "conversation.opened": {
      const { sessionId, isMain } = event;
      return { state: "open", sessionId, isMain, runs: noRuns };
    }
    case "conversation.deleted":
      return { state: "absent" };
    case "message.injected":
    case "conversation.patched":
      return conversation;
    case "conversation.reset":
      if (conversation.state === "absent") return conversation;
      return { ...conversation, sessionId: event.sessionId };
    case "run.requested":
    case "run.started":
    case "run.tool.called":
    case "run.tool.returned":
    case "run.delivered":
    case "run.compacted":
    case "run.session.named":
    case "run.calls.requested":
    case "run.calls.answered":
    case "run.stopping":
    case "run.completed":
    case "run.failed":
    case "run.aborted":
    case "run.merged":
      if (conversation.state === "absent") return conversation;
      return { ...conversation, runs: evolveRuns(conversation.runs, event) };
  }
}

export const conversation: Aggregate<Conversation, ConversationCommand, ConversationEvent> = {
  name: "conversation",
  initial: { state: "absent" },
  decide,
  evolve,
  ...createCodec<ConversationEvent>(CONVERSATION_EVENTS),
};
