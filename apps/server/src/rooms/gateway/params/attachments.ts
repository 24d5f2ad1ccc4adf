/** Files inside a message: base64, with or without the head of a data URL. */
import { accept, refuse, type Outcome } from "@atrium/core";
import type { ChatAttachment } from "@atrium/wire/gateway";
import type { IncomingFile } from "../../../runs/message-intake.ts";

const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?,/;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

export function readFiles(
  attachments: readonly ChatAttachment[],
): Outcome<readonly IncomingFile[]> {
  const files: IncomingFile[] = [];
  for (const [index, attachment] of attachments.entries()) {
    const { fileName = `file-${index + 1}`, mimeType, content } = attachment;
    if (typeof content !== "string" || content === "") {
      return refuse("attachment.refused", `${fileName}: content must be base64 text`);
    }
    const named = DATA_URL.exec(content);
    const text = named === null ? content : content.slice(named[0].length);
    if (!BASE64.test(text)) return refuse("attachment.refused", `${fileName}: not base64`);
    const mediaType = mimeType ?? named?.[1] ?? "application/octet-stream";
    files.push({ name: fileName, mediaType, bytes: Buffer.from(text, "base64") });
  }
  return accept(files);
}
