/** How turns end, as their last events. */
import type { TurnEvent, TurnFailureKind, TurnHost } from "./agent-runtime.ts";
import type { ReportedTools } from "./reported-tools.ts";

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

interface Closing {
  readonly host: TurnHost;
  readonly meter: { missed(): void; reading(): TurnEvent };
  readonly tools: ReportedTools;
}

/** Answers for the tools that have not returned, tells what was used, and ends. */
export function* closeTurn({ host, meter, tools }: Closing, end: TurnEvent): Generator<TurnEvent> {
  yield* tools.settle("The turn ended");
  if (host.signal.aborted || end.type === "failed") meter.missed();
  yield meter.reading();
  yield host.signal.aborted ? ABORTED : end;
}
