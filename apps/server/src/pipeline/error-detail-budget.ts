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
  readonly #now: () => number;
  /** Most peers never make a mistake and need none. */
  #bucket: TokenBucket | undefined;
  #unexplained = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** So many errors went unexplained that the connection is closed. */
  get isExhausted(): boolean {
    return this.#unexplained > MAX_UNEXPLAINED;
  }

  /** Whether one more detailed error is in order. */
  allowsDetail(): boolean {
    const bucket = (this.#bucket ??= new TokenBucket(RULES, this.#now));
    // A full store means that the peer has been sensible for a while.
    if (bucket.isFull) this.#unexplained = 0;
    if (bucket.take() === 0) return true;
    this.#unexplained++;
    return false;
  }
}
