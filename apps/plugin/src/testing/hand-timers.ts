/** Timers that are due when a test says so. Not core's: the wall around the plugin holds in its tests too. */
import type { Timers } from "../system.ts";

export interface HandTimers extends Timers {
  /** How long those that wait were asked to wait, in order. */
  readonly delays: readonly number[];
  /** Runs the one that was asked for that many milliseconds. */
  pass(ms: number): void;
}

export function createHandTimers(): HandTimers {
  const waiting: { readonly ms: number; readonly run: () => void }[] = [];
  const remove = (timer: (typeof waiting)[number]): boolean => {
    const at = waiting.indexOf(timer);
    if (at !== -1) waiting.splice(at, 1);
    return at !== -1;
  };
  return {
    get delays() {
      return waiting.map(({ ms }) => ms);
    },
    after(ms, run) {
      const timer = { ms, run };
      waiting.push(timer);
      return () => void remove(timer);
    },
    pass(ms) {
      const timer = waiting.find((candidate) => candidate.ms === ms);
      if (timer === undefined) throw new Error(`nothing waits ${ms} ms`);
      remove(timer);
      timer.run();
    },
  };
}
