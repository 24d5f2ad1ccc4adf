/** What came with a message, as far as a runtime that only reads text can tell. */
import type { TurnAttachment } from "./agent-runtime.ts";

const TEXT_TYPE = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|toml)\b)/i;

export function isText({ mediaType }: TurnAttachment): boolean {
  return TEXT_TYPE.test(mediaType);
}

export function textOf({ data }: TurnAttachment): string {
  return Buffer.from(data, "base64").toString("utf8");
}

export function asText(attachment: TurnAttachment): string {
  return `Attached file ${attachment.name}:\n\n${textOf(attachment)}`;
}

/** For the agent, so that it does not answer as if it had read them. */
export function notSentNote(unread: readonly TurnAttachment[]): readonly string[] {
  if (unread.length === 0) return [];
  const names = unread.map(({ name, mediaType }) => `${name} (${mediaType})`).join(", ");
  return [
    `(The person also attached ${names}. You cannot read this type of file, so it was not sent to you. Say so if it matters.)`,
  ];
}

/** For the person who sent them: an attachment is read or said to be unread, never passed over. */
export function unreadNote(unread: readonly TurnAttachment[]): string {
  const names = unread.map(({ name, mediaType }) => `${name} (${mediaType})`);
  return `I cannot read ${names.join(", ")}, so this answer does without.`;
}
