/** How turns end, as their last event. */
import type { TurnEvent, TurnFailureKind } from "./agent-runtime.ts";

export const ABORTED: TurnEvent = { type: "completed", stopReason: "aborted" };

export function failed(kind: TurnFailureKind, reason: string): TurnEvent {
  return { type: "failed", kind, reason };
}

export function saidTooMuch(program: string, maxBytes: number): TurnEvent {
  return failed(
    "unknown",
    `"${program}" wrote more than ${maxBytes} bytes and was stopped. Raise maxOutputBytes of its runtime to allow more.`,
  );
}
