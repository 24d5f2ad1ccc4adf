/**
 * What every adapter is given, and how it makes a signal. Adapters depend only on their input, the time and the ids
 * they are given, and they only return signals.
 */
import type { SignalEnvelope, SignalPayloadMap, WellKnownSignalType } from "@atrium/wire/signal";

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
    ...(correlationId !== undefined && { correlationId }),
    ...(metadata !== undefined && Object.keys(metadata).length > 0 && { metadata }),
    payload: { ...payload },
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
  return { ...about, ...(correlationId !== undefined && { correlationId }), payload };
}
