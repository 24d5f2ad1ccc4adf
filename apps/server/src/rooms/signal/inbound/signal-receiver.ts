/**
 * What a producer hands in, at either door: each signal is checked by itself, the good ones are paced and taken in,
 * and the answer says which were not good and why.
 */
import type { KeyedBuckets, Outcome, Signal } from "@atrium/core";
import {
  findDepthProblem,
  findNameProblem,
  type SignalEnvelope,
  type SignalProblem,
  type SignalReader,
} from "@atrium/wire/signal";
import { OWN_SOURCE } from "../translate/translate.ts";
import type { SignalIntake } from "./signal-intake.ts";

export interface RejectedSignal extends SignalProblem {
  readonly index: number;
}

export interface CheckedSignals {
  readonly signals: readonly Signal[];
  readonly rejected: readonly RejectedSignal[];
}

/** Not JSON, and what is wrong with it. */
export class UnreadableSignals {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

/** More in one request is a producer that should send sooner. */
export const MAX_SIGNALS = 2_000;
/** Saying exactly what is wrong costs far more than the signal that was wrong. */
const MAX_EXPLAINED = 100;

export interface SignalReceiverDeps {
  readonly read: SignalReader;
  readonly intake: Pick<SignalIntake, "take">;
  readonly pace: KeyedBuckets;
}

export class SignalReceiver {
  readonly #deps: SignalReceiverDeps;

  constructor(deps: SignalReceiverDeps) {
    this.#deps = deps;
  }

  /** Each may go so many levels deep; how many are left to it depends on what it came in. */
  check(values: readonly unknown[], levels: number): CheckedSignals {
    const signals: Signal[] = [];
    const rejected: RejectedSignal[] = [];
    for (const [index, value] of values.entries()) {
      const found =
        findDepthProblem(value, levels) ?? this.#read(value, rejected.length < MAX_EXPLAINED);
      if ("reason" in found) rejected.push({ index, ...found });
      else signals.push(found);
    }
    return { signals, rejected };
  }

  #read(value: unknown, mayExplain: boolean): SignalEnvelope | SignalProblem {
    if (value instanceof UnreadableSignals) return { path: "", reason: `is ${value.why}` };
    if (!mayExplain) {
      return { path: "", reason: `not looked at: ${MAX_EXPLAINED} before it were bad` };
    }
    const found = this.#deps.read(value);
    return "reason" in found ? found : (objectionTo(found) ?? found);
  }

  /** How long the slowest of their sources has to wait. */
  waitMs(signals: readonly Signal[]): number {
    const sources = new Set(signals.map(({ source }) => source));
    return Math.max(0, ...[...sources].map((source) => this.#deps.pace.of(source).waitMs()));
  }

  /** Counts them; returns how long to wait before they are taken. */
  reserve(signals: readonly Signal[]): number {
    const waitMs = this.waitMs(signals);
    for (const { source } of signals) this.#deps.pace.of(source).spend(1);
    return waitMs;
  }

  take(signals: readonly Signal[], size: number, key?: string): Promise<Outcome<unknown>> {
    return this.#deps.intake.take(signals, size, key);
  }
}

/** What the schema allows and the house does not. */
function objectionTo(signal: SignalEnvelope): SignalProblem | undefined {
  if (signal.source === OWN_SOURCE) {
    return { path: "/source", reason: `is the server's own name: ${OWN_SOURCE}` };
  }
  return findNameProblem(signal);
}
