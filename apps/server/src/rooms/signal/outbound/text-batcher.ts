/**
 * Words on their way, gathered for a moment: for readers who draw what they hear and have no use for every
 * letter by itself. None is lost, and none changes its place among what else is told: whoever sends that
 * flushes first.
 */
import { coalesce, type Signal } from "@atrium/core";
import type { Timers } from "../../../platform/timers.ts";

const GATHER_MS = 100;
/** So many need not wait. */
const MAX_GATHERED = 256;

export class TextBatch implements Disposable {
  readonly #send: (signal: Signal) => void;
  readonly #timers: Timers;
  #waiting: Signal[] = [];
  #stopWaiting: (() => void) | undefined;

  constructor(timers: Timers, send: (signal: Signal) => void) {
    this.#timers = timers;
    this.#send = send;
  }

  add(signal: Signal): void {
    this.#waiting.push(signal);
    if (this.#waiting.length >= MAX_GATHERED) this.flush();
    else this.#stopWaiting ??= this.#timers.after(GATHER_MS, () => this.flush());
  }

  flush(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const signal of coalesce(waiting)) this.#send(signal);
  }

  [Symbol.dispose](): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    this.#waiting = [];
  }
}
