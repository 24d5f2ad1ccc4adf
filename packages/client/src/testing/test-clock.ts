/** A clock that stands still until it is told to move. Not core's: the wall around the client holds in its tests too. */
import type { SetTimer } from "../base/deps.ts";

interface Timer {
  readonly dueAt: number;
  readonly run: () => void;
}

export class TestClock {
  readonly #timers = new Set<Timer>();
  #now = 1_700_000_000_000;

  readonly now = (): number => this.#now;

  readonly setTimer: SetTimer = (run, delayMs) => {
    const timer = { dueAt: this.#now + delayMs, run };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  };

  /** How many timers are set. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Moves on and runs what falls due, in order, those set on the way included. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#timers.delete(next);
      this.#now = next.dueAt;
      next.run();
    }
    this.#now = until;
  }

  #next(until: number): Timer | undefined {
    const due = [...this.#timers].filter((timer) => timer.dueAt <= until);
    return due.toSorted((a, b) => a.dueAt - b.dueAt)[0];
  }
}
