/**
 * Conversation: what the gateway calls a session; an agent, its people, and what was said.
 *
 * Pure: no clock, no ids, no I/O. `decide` says yes or no; `evolve` cannot fail, because what it is
 * given has already happened. Messages stay in the log: the state holds only what decisions need.
 */
import { readAs } from "../codec.ts";
import type { Aggregate } from "../dispatch.ts";
import { accept, refuse, type Outcome } from "../refusal.ts";
import type { ConversationKey } from "./key.ts";

export interface Inject {
  readonly type: "inject";
  readonly key: ConversationKey;
  readonly messageId: string;
  /** Used when this is the first thing that happens in the conversation. */
  readonly sessionId: string;
  readonly text: string;
  readonly label: string | null;
}

export type ConversationCommand = Inject;

export type ConversationEvent =
  | {
      readonly type: "conversation.opened";
      readonly key: string;
      readonly agentId: string;
      readonly handle: string;
      readonly isMain: boolean;
      readonly sessionId: string;
    }
  | {
      readonly type: "message.injected";
      readonly messageId: string;
      readonly text: string;
      readonly label: string | null;
    };

export type Conversation =
  | { readonly state: "absent" }
  | { readonly state: "open"; readonly sessionId: string };

function decide(
  conversation: Conversation,
  command: ConversationCommand,
): Outcome<readonly ConversationEvent[]> {
  const { key } = command;
  const injected: ConversationEvent = {
    type: "message.injected",
    messageId: command.messageId,
    text: command.text,
    label: command.label,
  };
  if (conversation.state === "open") return accept([injected]);
  if (!key.isMain) return refuse("conversation.missing", key.text);
  const { agentId, handle, isMain } = key;
  const { sessionId } = command;
  return accept([
    { type: "conversation.opened", key: key.text, agentId, handle, isMain, sessionId },
    injected,
  ]);
}

function evolve(conversation: Conversation, event: ConversationEvent): Conversation {
  switch (event.type) {
    case "conversation.opened":
      return { state: "open", sessionId: event.sessionId };
    case "message.injected":
      return conversation;
  }
}

export const conversation: Aggregate<Conversation, ConversationCommand, ConversationEvent> = {
  name: "conversation",
  initial: { state: "absent" },
  decide,
  evolve,
  read: readAs<ConversationEvent>,
};
