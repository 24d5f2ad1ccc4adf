/**
 * What every adapter is given, and how it makes a signal. Adapters depend only on their input, the time and the ids
 * they are given, and they only return signals. What a program names at length or nests deeply is clipped here, because
 * the server would reject the signal for it.
 */
import { cutDepths, isDeeperThan } from "@atrium/wire";
import type { SignalEnvelope, SignalPayloadMap, WellKnownSignalType } from "@atrium/wire/signal";
import { MAX_SIGNAL_LEVELS, MAX_SIGNAL_NAME_CHARS } from "@atrium/wire/signal-limits";

export interface Producer {
  /** "adapter:openai". */
  readonly source: string;
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface SignalDraft {
  readonly correlationId?: string | undefined;
  readonly timestamp?: number | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** A signal of a well-known type, with what is known around it. */
export type EmitSignal = <Name extends WellKnownSignalType>(
  type: Name,
  payload: SignalPayloadMap[Name],
  meta?: SignalDraft,
) => SignalEnvelope;

/** What comes from a stream, one piece at a time. */
export type SignalAdapter = (piece: unknown) => readonly SignalEnvelope[];

export function createEmitter({ source, newId, now }: Producer): EmitSignal {
  return (type, payload, { correlationId, timestamp, metadata } = {}) => ({
    id: newId(),
    type,
    timestamp: timestamp ?? now(),
    source,
    ...clippedName(correlationId),
    ...(metadata !== undefined && Object.keys(metadata).length > 0 && { metadata }),
    payload: shallow({ ...payload }),
  });
}

/** A signal of a type of its own, whose payload is any object. */
export function emitOther(
  { source, newId, now }: Producer,
  type: string,
  payload: Readonly<Record<string, unknown>>,
  { correlationId }: Pick<SignalDraft, "correlationId">,
): SignalEnvelope {
  const about = { id: newId(), type, timestamp: now(), source };
  return { ...about, ...clippedName(correlationId), payload: shallow(payload) };
}

function clippedName(correlationId: string | undefined): { correlationId?: string } {
  if (correlationId === undefined) return {};
  return { correlationId: correlationId.slice(0, MAX_SIGNAL_NAME_CHARS) };
}

/** One level is the signal's own. */
function shallow<Payload extends object>(payload: Payload): Payload {
  const levels = MAX_SIGNAL_LEVELS - 1;
  if (!isDeeperThan(levels, payload)) return payload;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the members that payloads name are not that deep
  return cutDepths(payload, levels) as Payload;
}
