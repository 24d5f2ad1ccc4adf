/**
 * How patient we are with a peer that sends nonsense.
 *
 * Saying exactly what is wrong costs far more than the frame that was wrong, so a peer has a store of
 * explanations that refills; without one it gets a short answer, and after many of those it is let go.
 */
const BURST = 20;
const PER_SECOND = 5;
const PATIENCE = 1_000;

export class ErrorDetailBudget {
  readonly #now: () => number;
  #left = BURST;
  #at: number;
  #unexplained = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.#at = now();
  }

  get isExhausted(): boolean {
    return this.#unexplained > PATIENCE;
  }

  allowsDetail(): boolean {
    const time = this.#now();
    this.#left = Math.min(BURST, this.#left + ((time - this.#at) / 1000) * PER_SECOND);
    this.#at = time;
    // A full store means that the peer has been sensible for a while.
    if (this.#left === BURST) this.#unexplained = 0;
    if (this.#left < 1) {
      this.#unexplained++;
      return false;
    }
    this.#left--;
    return true;
  }
}
