/** A message in the words of the messages API, which is what Claude Code takes on its input. */
import type { TurnAttachment } from "../../turn/agent-runtime.ts";
import { asText, isText } from "../../turn/attachments.ts";
import type { ClaudePrompt } from "./claude-process.ts";

const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/i;
const PDF = /^application\/pdf$/i;

export function contentOf({ text, attachments }: ClaudePrompt): object[] {
  return [...attachments.map(blockOf), { type: "text", text }];
}

/** Whether Claude can be given it; in a terminal only text can be typed. */
export function isReadable(attachment: TurnAttachment, isTyped: boolean): boolean {
  if (isText(attachment)) return true;
  return !isTyped && (IMAGE.test(attachment.mediaType) || PDF.test(attachment.mediaType));
}

function blockOf(attachment: TurnAttachment): object {
  if (isText(attachment)) return { type: "text", text: asText(attachment) };
  const { mediaType: media_type, data } = attachment;
  const source = { type: "base64", media_type: media_type.toLowerCase(), data };
  return { type: PDF.test(media_type) ? "document" : "image", source };
}
