/** A file as the world protocol carries it. */
import type { WorldCommandData } from "@atrium/wire/world";

export type Attachment = NonNullable<WorldCommandData<"submit_request">["attachments"]>[number];

/** Base64 makes a third more of it, and a message has an end. */
export const MOST_BYTES = 5_000_000;
const CHUNK = 0x8000;

export async function readAttachment(file: File): Promise<Attachment> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  // In pieces, because a call takes only so many arguments.
  for (let from = 0; from < bytes.length; from += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(from, from + CHUNK));
  }
  const isNamed = /^[a-z]+\/[a-zA-Z0-9.+-]+$/.test(file.type);
  return {
    name: file.name.slice(0, 200),
    media_type: isNamed ? file.type : "application/octet-stream",
    data: btoa(binary),
  };
}
