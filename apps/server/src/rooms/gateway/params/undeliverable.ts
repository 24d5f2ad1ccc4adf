/**
 * Parameters that no channel here supports. They are refused by name, because a message that arrives without
 * its picture is worse than one that does not arrive.
 */
import { refuse, type Refusal } from "@atrium/core";

const BEYOND_TEXT = [
  "mediaUrl",
  "mediaUrls",
  "media",
  "media_urls",
  "buffer",
  "filename",
  "contentType",
  "path",
  "filePath",
  "attachments",
  "image",
  "presentation",
  "interactive",
  "card",
  "components",
  "blocks",
  "asVoice",
  "gifPlayback",
  "forceDocument",
  "parseMode",
  "threadId",
  "replyToId",
  "replyTo",
  "pin",
  "delivery",
] as const;

/** Every channel here has this one account. */
export const DEFAULT_ACCOUNT = "default";

export function findUndeliverable(
  channel: string,
  params: Readonly<Record<string, unknown>>,
): Refusal | undefined {
  const unsupported = BEYOND_TEXT.find((name) => isPresent(params[name]));
  if (unsupported !== undefined) {
    return refuse("channel.incapable", `${channel} supports text only, not ${unsupported}`);
  }
  const { accountId } = params;
  if (isPresent(accountId) && accountId !== DEFAULT_ACCOUNT) {
    return refuse("channel.incapable", `${channel} has no account ${String(accountId)}`);
  }
  return undefined;
}

/** Clients send empty text, empty lists and false for what they leave unset. */
function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (typeof value === "string") return value.trim() !== "";
  return !Array.isArray(value) || value.some(isPresent);
}
