/** The tool by which a program on the bridge answers: the only words of it that people see. */
import type { ToolDeclaration } from "../../turn/agent-runtime.ts";
import { fieldsOf } from "../../turn/json-fields.ts";

export const REPLY = "reply";

const MAX_REPLY_CHARACTERS = 100_000;

const REPLY_TOOL: ToolDeclaration = {
  name: REPLY,
  description:
    "Answers the people in this conversation. They see only what you send with this tool. The first reply to a message is its answer; set `more` on anything you send before that.",
  input: {
    type: "object",
    properties: {
      text: { type: "string", minLength: 1, maxLength: MAX_REPLY_CHARACTERS },
      more: { type: "boolean", description: "True: this is not the answer yet." },
      reply_to: { type: "string", description: "The message_id of the message you answer." },
      chat_id: { type: "string", description: "The conversation; there is only this one." },
    },
    required: ["text"],
  },
};

/** Whoever is reached by the bridge alone can answer in no other way, so it always has this one. */
export function withReply(tools: readonly ToolDeclaration[]): readonly ToolDeclaration[] {
  return [REPLY_TOOL, ...tools.filter(({ name }) => name !== REPLY)];
}

export interface BridgeReply {
  readonly text: string;
  readonly isMore: boolean;
  readonly replyTo: string | undefined;
  readonly chatId: string | undefined;
}

/** What is wrong with it, in words for whoever called; or the reply. Fields that are not known are ignored. */
export function readReply(input: unknown): BridgeReply | string {
  const { text, more = false, reply_to: replyTo, chat_id: chatId } = fieldsOf(input);
  if (typeof text !== "string" || text.trim() === "") return "reply needs a text.";
  if (text.length > MAX_REPLY_CHARACTERS) {
    return `The text is too long: ${text.length} characters of at most ${MAX_REPLY_CHARACTERS}.`;
  }
  if (typeof more !== "boolean") return "more must be true or false.";
  if (!isName(replyTo)) return "reply_to must be the message_id of a message.";
  if (!isName(chatId)) return "chat_id must be the chat_id of a message.";
  return { text, isMore: more, replyTo, chatId };
}

function isName(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}
