/**
 * The gateway's frames, told apart by single letters at fixed places. The bare server speaks the same.
 */
import type { FrameTest } from "../load/raw-socket.ts";

const KIND_AT = '{"type":"'.length;
const E = "e".charCodeAt(0);
const OK_AT = '{"type":"res","id":"1000","ok":'.length;
const T = "t".charCodeAt(0);
const EVENT_AT = '{"type":"event","event":"'.length;
const C = "c".charCodeAt(0);
const H = "h".charCodeAt(0);

/** A `chat` event; the others (`tick`, `health`) come when they like and are nobody's publication. */
export const isChatFrame: FrameTest = (bytes, at) =>
  bytes[at + KIND_AT] === E && bytes[at + EVENT_AT] === C && bytes[at + EVENT_AT + 1] === H;

/** For ids of four characters. What was refused does not count: a refusal is quickly made. */
export const isAcceptedFrame: FrameTest = (bytes, at) =>
  bytes[at + KIND_AT] !== E && bytes[at + OK_AT] === T;

export function requestText(id: string, method: string, params?: unknown): string {
  return JSON.stringify({ type: "req", id, method, ...(params !== undefined && { params }) });
}
