/**
 * Token buckets: so much at once, and then as much as comes back with time.
 *
 * A bucket is full at first. A clock that was set back gives nothing and takes nothing.
 */
import { BoundedMap } from "./bounded-map.ts";

export interface BucketRules {
  readonly capacity: number;
  /** So many tokens come back in `refillMs`. */
  readonly refillTokens: number;
  readonly refillMs: number;
}

export class TokenBucket {
  readonly #rules: BucketRules;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor(rules: BucketRules, now: () => number) {
    this.#rules = rules;
    this.#now = now;
    this.#left = rules.capacity;
    this.#at = now();
  }

  get isFull(): boolean {
    return this.#refill() === this.#rules.capacity;
  }

  /** Zero when there is a token, else how long until there is one. */
  waitMs(): number {
    const missing = 1 - this.#refill();
    if (missing <= 0) return 0;
    return Math.ceil((missing * this.#rules.refillMs) / this.#rules.refillTokens);
  }

  /** Zero: one was taken. Else how long until there is one; nothing was taken. */
  take(): number {
    const waitMs = this.waitMs();
    if (waitMs === 0) this.#left -= 1;
    return waitMs;
  }

  /** Takes them whether they are there or not; a debt is paid back before there is a token again. */
  spend(count: number): void {
    this.#left = this.#refill() - count;
  }

  #refill(): number {
    const { capacity, refillTokens, refillMs } = this.#rules;
    const time = this.#now();
    const gained = (Math.max(0, time - this.#at) * refillTokens) / refillMs;
    this.#left = Math.min(capacity, this.#left + gained);
    this.#at = time;
    return this.#left;
  }
}

/** A bucket for each key; of too many keys the ones used last are kept. */
export class KeyedBuckets {
  readonly #rules: BucketRules;
  readonly #now: () => number;
  readonly #buckets: BoundedMap<string, TokenBucket>;

  constructor(rules: BucketRules, now: () => number, maxKeys: number) {
    this.#rules = rules;
    this.#now = now;
    this.#buckets = new BoundedMap(maxKeys);
  }

  of(key: string): TokenBucket {
    const known = this.#buckets.touch(key);
    return known ?? this.#buckets.setNewest(key, new TokenBucket(this.#rules, this.#now));
  }
}
