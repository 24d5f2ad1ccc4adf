/** A message as a turn is given it: who sent it, through which door, and when. */
import type { Author, RunRequested } from "@atrium/core";
import type { TurnAttachment, TurnInbound } from "../agents/turn/agent-runtime.ts";

/** Doors whose clients do not say through what they speak. */
const DOORS = new Map([
  ["openai", "openai"],
  ["world", "office"],
  ["sessions_send", "agent"],
  ["atrium", "atrium"],
  ["atrium-director", "atrium"],
  ["wake", "atrium"],
]);

export function inboundMessageOf(
  { messageId, text, from }: RunRequested,
  at: number,
  attachments: readonly TurnAttachment[],
): TurnInbound {
  const sender = { id: from.userId ?? from.clientId, name: from.name ?? from.clientId };
  return { messageId, text, sender, channel: channelOf(from), at, attachments };
}

function channelOf({ clientId, clientMode }: Author): string {
  return DOORS.get(clientId) ?? clientMode;
}
