/**
 * A turn as the input of Codex. A thread that has just begun is also told what was said before. Codex takes instructions
 * only when a thread begins, so that later ones are said with the message.
 */
import type { Turn, TurnAttachment, TurnMessage } from "../../turn/agent-runtime.ts";
import { asText, isText, notSentNote } from "../../turn/attachments.ts";
import { promptWithContext } from "../../turn/prompt-with-context.ts";
import { textInput, type CodexInput } from "../app-server/codex-input.ts";

const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/i;

export function turnInput(
  turn: Turn,
  thread: { readonly isFresh: boolean; readonly instructions: string | undefined },
): readonly CodexInput[] {
  const { attachments, history, instructions } = turn;
  const unread = unreadable(attachments);
  const read = attachments.filter((attachment) => !unread.includes(attachment));
  return [
    ...(instructions === thread.instructions ? [] : [textInput(`${NOW}\n\n${instructions}`)]),
    ...(thread.isFresh ? historyOf(history) : []).map(textInput),
    ...read.map(inputOf),
    ...notSentNote(unread).map(textInput),
    textInput(promptWithContext(turn)),
  ];
}

export function unreadable(attachments: readonly TurnAttachment[]): readonly TurnAttachment[] {
  return attachments.filter(
    (attachment) => !isText(attachment) && !IMAGE.test(attachment.mediaType),
  );
}

function inputOf(attachment: TurnAttachment): CodexInput {
  if (isText(attachment)) return textInput(asText(attachment));
  return { type: "image", url: `data:${attachment.mediaType};base64,${attachment.data}` };
}

const NOW = "Your instructions are now, in place of earlier ones:";
const SPEAKERS = { user: "User", assistant: "You", system: "System" } as const;

function historyOf(history: readonly TurnMessage[]): readonly string[] {
  const lines = history
    .filter(({ text }) => text.trim() !== "")
    .map(({ role, text }) => `${SPEAKERS[role]}: ${text}`);
  if (lines.length === 0) return [];
  return [
    `What was said before, oldest first:\n\n${lines.join("\n\n")}\n\nNow answer what follows.`,
  ];
}
