/**
 * How patient we are with a peer that sends nonsense.
 *
 * Saying exactly what is wrong costs far more than the frame that was wrong, so a peer has a store of
 * explanations that refills; without one it gets a short answer, and after many of those it is let go.
 */
import { TokenBucket } from "@atrium/core";

const RULES = { capacity: 20, refillTokens: 5, refillMs: 1_000 };
const MAX_UNEXPLAINED = 1_000;

export class ErrorDetailBudget {
  readonly #bucket: TokenBucket;
  #unexplained = 0;

  constructor(now: () => number) {
    this.#bucket = new TokenBucket(RULES, now);
  }

  get isExhausted(): boolean {
    return this.#unexplained > MAX_UNEXPLAINED;
  }

  allowsDetail(): boolean {
    // A full store means that the peer has been sensible for a while.
    if (this.#bucket.isFull) this.#unexplained = 0;
    if (this.#bucket.take() === 0) return true;
    this.#unexplained++;
    return false;
  }
}
