/**
 * The id of the Claude session that belongs to a conversation. It is computed, not kept: after a crash or a
 * restart the same conversation finds the same session, and a conversation that was reset finds a new one.
 */
import { createHash } from "node:crypto";

export function claudeSessionId(conversation: {
  readonly key: string;
  readonly sessionId: string;
}): string {
  const text = JSON.stringify(["atrium", conversation.key, conversation.sessionId]);
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  // Version 8 of RFC 9562: a UUID made in a way of one's own.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => hex.slice(from, to))
    .join("-");
}
