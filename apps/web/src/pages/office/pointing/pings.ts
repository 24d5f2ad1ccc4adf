/** Who points where, as other pages and programs tell it. What is not understood is not shown. Pure. */
import type { SignalEnvelope } from "@atrium/wire/signal";
import { plainName } from "../../../app/person.ts";
import { WEB_SOURCE } from "../../../app/server/send-signal.ts";
import { MAX_PINGS, type Spot } from "../../../office/marks/floor-marks.ts";

export interface ReceivedPing {
  readonly id: string;
  readonly spot: Spot;
  /** What they are called, as they say; undefined for someone in a browser who has not said. */
  readonly by: string | undefined;
  /** The agent or point of interest that is meant, if any. */
  readonly about: string | undefined;
}

export function readPing(signal: SignalEnvelope): ReceivedPing | undefined {
  const { id, type, source, payload, metadata } = signal;
  if (type !== "user.point") return undefined;
  const fields: Readonly<Record<string, unknown>> = payload;
  const spot = readSpot(fields["position"]);
  if (spot === undefined) return undefined;
  const by = nameIn(metadata?.["by"]) ?? (source === WEB_SOURCE ? undefined : nameIn(source));
  return { id, spot, by, about: textIn(metadata?.["target"]) ?? textIn(fields["zone"]) };
}

/** The newest of someone is where they point; only so many point at once. */
export function withPing(
  pings: readonly ReceivedPing[],
  ping: ReceivedPing,
): readonly ReceivedPing[] {
  const others = pings.filter(
    ({ id, by }) => id !== ping.id && (by === undefined || by !== ping.by),
  );
  return [...others, ping].slice(-MAX_PINGS);
}

function readSpot(position: unknown): Spot | undefined {
  if (typeof position !== "object" || position === null) return undefined;
  const { x, y } = { x: undefined, y: undefined, ...position };
  return isFinite(x) && isFinite(y) ? { x, z: y } : undefined;
}

function isFinite(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function nameIn(value: unknown): string | undefined {
  return textIn(plainName(textIn(value) ?? ""));
}
