/** A signal on its way out. Its text is made when the first one wants it, and is the same for everybody. */
import type { SignalEnvelope } from "@atrium/wire/signal";

export class ToldSignal {
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
    return (this.#json ??= JSON.stringify(this.signal));
  }

  get frame(): string {
    const where = this.position === undefined ? "" : `"position":"${this.position}",`;
    return (this.#frame ??= `{"type":"signal",${where}"signal":${this.json}}`);
  }
}

function markKept(signal: SignalEnvelope): SignalEnvelope {
  return { ...signal, metadata: { ...signal.metadata, kept: true } };
}
