/** Messages sent to agents over the gateway, and the events of the runs that they start. */
import type { Frame, RawPeer } from "./raw-peer.ts";

export const MAIN = "agent:main:main";
export const ENDS: ReadonlySet<string> = new Set(["final", "aborted", "error"]);

function isEnd({ event, payload }: Frame, runId: string): boolean {
  return event === "chat" && payload.runId === runId && ENDS.has(payload.state);
}

export function ended(peer: RawPeer, runId: string): Promise<Frame> {
  return peer.first((frame) => isEnd(frame, runId));
}

export function eventsOf(peer: RawPeer, event: string, runId: string): Frame["payload"][] {
  return peer.frames
    .filter((frame) => frame.event === event && frame.payload.runId === runId)
    .map(({ payload }) => payload);
}

export async function send(
  peer: RawPeer,
  runId: string,
  message: string,
  more: object = {},
): Promise<Frame["payload"]> {
  return peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: runId, ...more });
}

/** Sends it and waits until it has begun. */
export async function begin(
  peer: RawPeer,
  runId: string,
  message: string,
  more: object = {},
): Promise<void> {
  await send(peer, runId, message, more);
  await peer.first(({ event, payload }) => event === "chat" && payload.runId === runId);
}
