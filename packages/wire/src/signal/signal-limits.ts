/** How long the names of a signal may be and how deep it may go: what the server checks and adapters keep to. */
import { isDeeperThan, MAX_JSON_DEPTH, TOO_DEEP } from "../json.ts";
import type { SignalEnvelope } from "./envelope.ts";
import type { SignalProblem } from "./signal-reader.ts";

export const MAX_SIGNAL_NAME_CHARS = 256;

/** In a list in a frame, where the fewest are left to a signal. */
export const MAX_SIGNAL_LEVELS = MAX_JSON_DEPTH - 2;

/** How many levels are left to a signal depends on what it comes in. */
export function findDepthProblem(signal: unknown, levels: number): SignalProblem | undefined {
  if (!isDeeperThan(levels, signal)) return undefined;
  return { path: "", reason: `is ${TOO_DEEP}, counted from the outermost bracket` };
}

export function findNameProblem(signal: SignalEnvelope): SignalProblem | undefined {
  for (const name of ["id", "type", "source", "correlationId"] as const) {
    if ((signal[name]?.length ?? 0) <= MAX_SIGNAL_NAME_CHARS) continue;
    return { path: `/${name}`, reason: `is longer than ${MAX_SIGNAL_NAME_CHARS} characters` };
  }
  return undefined;
}
