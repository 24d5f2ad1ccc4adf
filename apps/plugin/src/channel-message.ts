/**
 * A message as Claude Code takes it from a channel.
 *
 * Claude Code rejects the whole message when one value of `meta` is no string, and drops keys that are
 * no identifiers; so everything is made legal here, and nothing gets lost on the way.
 */
import type { InboundMessage } from "@atrium/wire/bridge";

export interface ChannelMessage {
  readonly content: string;
  readonly meta: Readonly<Record<string, string>>;
}

export function toChannelMessage({ content, meta }: InboundMessage): ChannelMessage {
  const { attachments, ...rest } = meta;
  const legal = new Map<string, string>();
  // Names that are legal as they are come first: a rewritten one does not take their place.
  const entries = Object.entries(rest).toSorted(
    ([a], [b]) => Number(!isLegal(a)) - Number(!isLegal(b)),
  );
  for (const [name, value] of entries) {
    const text = toText(value);
    const key = toKey(name);
    if (text !== undefined && !legal.has(key)) legal.set(key, text);
  }
  if (attachments !== undefined && attachments.length > 0) {
    legal.set("attachment_count", String(attachments.length));
    legal.set("attachments", JSON.stringify(attachments));
  }
  return { content, meta: Object.fromEntries(legal) };
}

function isLegal(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name);
}

function toKey(name: string): string {
  const key = name.replaceAll(/[^a-zA-Z0-9_]/g, "_");
  return isLegal(key) ? key : `_${key}`;
}

function toText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
