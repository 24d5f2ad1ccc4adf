/** A signal on its way out. Its text is made when the first one wants it, and is the same for everybody. */
import { cutDepths, MAX_JSON_DEPTH, isDeeperThan } from "@atrium/wire";
import type { SignalEnvelope } from "@atrium/wire/signal";

export class OutgoingSignal {
  readonly signal: SignalEnvelope;
  /** `seq.index`; none for what only passes. */
  readonly position: string | undefined;
  /** Stands for what has passed: of no use to whoever heard that. */
  readonly isKept: boolean;
  #json: string | undefined;
  #frame: string | undefined;

  constructor(signal: SignalEnvelope, position?: string, isKept = false) {
    this.signal = isKept ? markKept(signal) : signal;
    this.position = position;
    this.isKept = isKept;
  }

  get json(): string {
    return (this.#json ??= textOf(this.signal));
  }

  get frame(): string {
    const where = this.position === undefined ? "" : `"position":"${this.position}",`;
    return (this.#frame ??= `{"type":"signal",${where}"signal":${this.json}}`);
  }
}

/** A log may hold what was let in when there was no limit to depth; that must not keep anyone from reading the rest. */
function textOf(signal: SignalEnvelope): string {
  const isDeep = [signal.payload, signal.metadata].some((part) =>
    isDeeperThan(MAX_JSON_DEPTH, part),
  );
  return JSON.stringify(isDeep ? cutDepths(signal) : signal);
}

function markKept(signal: SignalEnvelope): SignalEnvelope {
  return { ...signal, metadata: { ...signal.metadata, kept: true } };
}
