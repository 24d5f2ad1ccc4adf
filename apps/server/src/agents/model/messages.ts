/** A turn in the words of the AI SDK. */
import type { FilePart, ModelMessage, TextPart } from "ai";
import type { Turn, TurnAttachment, TurnMessage } from "../turn/agent-runtime.ts";
import { asText, isText, notSentNote } from "../turn/attachments.ts";
import { promptWithContext } from "../turn/prompt-with-context.ts";
import type { ModelSettings } from "./model-settings.ts";

const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/i;
const PDF = /^application\/pdf$/i;

export function messagesOf(turn: Turn, provider: ModelSettings["provider"]): ModelMessage[] {
  const { history, attachments } = turn;
  const prompt = promptWithContext(turn);
  const unread = unreadable(attachments, provider);
  const parts: (TextPart | FilePart)[] = attachments
    .filter((attachment) => !unread.includes(attachment))
    .map(partOf);
  parts.push(...notSentNote(unread).map(textPart));
  if (prompt !== "" || parts.length === 0) parts.push(textPart(prompt === "" ? "…" : prompt));
  return [...pastOf(history), { role: "user", content: parts }];
}

/** Some providers want a person to speak first; what the agent said before that is told as a note. */
function pastOf(history: readonly TurnMessage[]): ModelMessage[] {
  const answers = history.findIndex(({ role }) => role !== "assistant");
  const opening = answers === -1 ? history.length : answers;
  return history.flatMap((message, at) =>
    at < opening && message.text.trim() !== ""
      ? [{ role: "user" as const, content: `(Before this, you said: ${message.text})` }]
      : messageOf(message),
  );
}

export function unreadable(
  attachments: readonly TurnAttachment[],
  provider: ModelSettings["provider"],
): readonly TurnAttachment[] {
  return attachments.filter(
    (attachment) =>
      !isText(attachment) &&
      !IMAGE.test(attachment.mediaType) &&
      !(provider === "anthropic" && PDF.test(attachment.mediaType)),
  );
}

function messageOf({ role, text }: TurnMessage): ModelMessage[] {
  // Providers refuse empty messages, and some refuse instructions in mid-conversation.
  if (text.trim() === "") return [];
  switch (role) {
    case "user":
    case "assistant":
      return [{ role, content: text }];
    case "system":
      return [{ role: "user", content: `(Note from the system: ${text})` }];
  }
}

function partOf(attachment: TurnAttachment): TextPart | FilePart {
  const { name, mediaType, data } = attachment;
  if (isText(attachment)) return textPart(asText(attachment));
  return { type: "file", filename: name, mediaType, data };
}

function textPart(text: string): TextPart {
  return { type: "text", text };
}
