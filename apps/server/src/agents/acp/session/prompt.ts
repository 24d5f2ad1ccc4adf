/** A turn as an ACP prompt. A session that has just begun is also told who it is and what was said. */
import type { ContentBlock, PromptCapabilities } from "@agentclientprotocol/sdk";
import type { Turn, TurnAttachment, TurnMessage } from "../../turn/agent-runtime.ts";
import { asText, isText, notSentNote, textOf } from "../../turn/attachments.ts";
import { promptWithContext } from "../../turn/prompt-with-context.ts";

const IMAGE = /^image\//i;

export function promptOf(
  turn: Turn,
  session: { readonly isFresh: boolean; readonly takes: PromptCapabilities },
): ContentBlock[] {
  const { takes, isFresh } = session;
  const unread = unreadable(turn.attachments, takes);
  const read = turn.attachments.filter((attachment) => !unread.includes(attachment));
  return [
    ...(isFresh ? [textBlock(introduction(turn))] : []),
    ...read.map((attachment) => blockOf(attachment, takes)),
    ...notSentNote(unread).map(textBlock),
    textBlock(promptWithContext(turn)),
  ];
}

export function unreadable(
  attachments: readonly TurnAttachment[],
  takes: PromptCapabilities,
): readonly TurnAttachment[] {
  return attachments.filter(
    (attachment) =>
      !isText(attachment) && !(takes.image === true && IMAGE.test(attachment.mediaType)),
  );
}

function introduction({ instructions, history }: Turn): string {
  const lines = history.filter(({ text }) => text.trim() !== "").map(lineOf);
  if (lines.length === 0) return instructions;
  return `${instructions}\n\nWhat was said before, oldest first:\n\n${lines.join("\n\n")}\n\nNow answer what follows.`;
}

const SPEAKERS = { user: "User", assistant: "You", system: "System" } as const;

function lineOf({ role, text }: TurnMessage): string {
  return `${SPEAKERS[role]}: ${text}`;
}

function blockOf(attachment: TurnAttachment, takes: PromptCapabilities): ContentBlock {
  const { name, mediaType: mimeType, data } = attachment;
  if (!isText(attachment)) return { type: "image", data, mimeType };
  if (takes.embeddedContext !== true) return textBlock(asText(attachment));
  const uri = `attachment:///${encodeURIComponent(name)}`;
  return { type: "resource", resource: { uri, mimeType, text: textOf(attachment) } };
}

function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}
