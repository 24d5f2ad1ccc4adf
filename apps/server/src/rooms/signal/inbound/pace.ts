/**
 * How fast each source may send. A source has a second's worth in hand; what goes beyond it is owed, and
 * waited for before more is taken. Nothing that was taken is ever dropped.
 */
import type { Clock } from "@atrium/core";

interface Purse {
  left: number;
  at: number;
}

const MAX_SOURCES = 10_000;
const MS_PER_SECOND = 1_000;

export class Pace {
  readonly #perSecond: number;
  readonly #clock: Clock;
  readonly #purses = new Map<string, Purse>();

  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond;
    this.#clock = clock;
  }

  /** Zero when the source may send now. */
  waitMs(source: string): number {
    const { left } = this.#purse(source);
    return left > 0 ? 0 : Math.max(1, Math.ceil((-left * MS_PER_SECOND) / this.#perSecond));
  }

  spend(source: string, count: number): void {
    this.#purse(source).left -= count;
  }

  #purse(source: string): Purse {
    const now = this.#clock.now();
    const purse = this.#purses.get(source) ?? { left: this.#perSecond, at: now };
    const earned = (Math.max(0, now - purse.at) / MS_PER_SECOND) * this.#perSecond;
    purse.left = Math.min(this.#perSecond, purse.left + earned);
    purse.at = now;
    // Used last, forgotten last.
    this.#purses.delete(source);
    this.#purses.set(source, purse);
    if (this.#purses.size > MAX_SOURCES) {
      const [oldest] = this.#purses.keys();
      if (oldest !== undefined) this.#purses.delete(oldest);
    }
    return purse;
  }
}
