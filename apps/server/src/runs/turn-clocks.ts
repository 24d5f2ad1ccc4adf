/**
 * How long turns have been working.
 *
 * A turn has so much time for its work. Waiting for a person is not work: while one is asked, the clock of
 * the turn stands still, so that whoever comes back from lunch still finds it waiting.
 */
import type { Timers } from "../platform/timers.ts";

export interface TurnClocks {
  /** Calls once the turn has worked for so long, unless what is returned is called before. */
  begin(runId: string, ms: number, isOver: () => void): () => void;
  /** Time that passes until this settles is not counted. A run that has no clock simply waits. */
  hold<Result>(runId: string, waiting: Promise<Result>): Promise<Result>;
}

export interface ClockDeps extends Timers {
  readonly now: () => number;
}

export function createTurnClocks(deps: ClockDeps): TurnClocks {
  const clocks = new Map<string, TurnClock>();
  return {
    begin(runId, ms, isOver) {
      const clock = new TurnClock(deps, ms, isOver);
      clocks.set(runId, clock);
      clock.release();
      return () => {
        clocks.delete(runId);
        clock.hold();
      };
    },
    async hold(runId, waiting) {
      const clock = clocks.get(runId);
      clock?.hold();
      try {
        return await waiting;
      } finally {
        clock?.release();
      }
    },
  };
}

class TurnClock {
  readonly #deps: ClockDeps;
  readonly #isOver: () => void;
  #leftMs: number;
  /** Held until it is begun; then by everyone the turn waits for. */
  #holds = 1;
  #since = 0;
  #stop: () => void = () => undefined;

  constructor(deps: ClockDeps, ms: number, isOver: () => void) {
    this.#deps = deps;
    this.#leftMs = ms;
    this.#isOver = isOver;
  }

  hold(): void {
    if (this.#holds++ > 0) return;
    this.#stop();
    this.#leftMs -= this.#deps.now() - this.#since;
  }

  release(): void {
    if (--this.#holds > 0) return;
    this.#since = this.#deps.now();
    this.#stop = this.#deps.after(Math.max(0, this.#leftMs), this.#isOver);
  }
}
