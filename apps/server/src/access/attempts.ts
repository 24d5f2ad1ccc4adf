/**
 * How often an address may present a wrong secret.
 *
 * Each address has a few tries that come back with time; one that has none left is refused before its
 * secret is even compared, wherever it comes from. Loopback is no exception: other users and pages of
 * this machine come from there too.
 */
import type { Clock } from "@atrium/core";

export interface AttemptRules {
  readonly tries: number;
  /** After this long one try comes back. */
  readonly refillMs: number;
}

interface Record {
  left: number;
  at: number;
}

const MAX_ADDRESSES = 10_000;

export class Attempts {
  readonly #rules: AttemptRules;
  readonly #clock: Clock;
  readonly #records = new Map<string, Record>();

  constructor(rules: AttemptRules, clock: Clock) {
    this.#rules = rules;
    this.#clock = clock;
  }

  /** Zero when the address may try now, else how long it has to wait. */
  waitMs(address: string): number {
    const record = this.#refilled(address);
    if (record === undefined || record.left > 0) return 0;
    return Math.max(1, record.at + this.#rules.refillMs - this.#clock.now());
  }

  failed(address: string): void {
    const record = this.#refilled(address) ?? { left: this.#rules.tries, at: this.#clock.now() };
    record.left = Math.max(0, record.left - 1);
    this.#records.delete(address);
    this.#records.set(address, record);
    if (this.#records.size > MAX_ADDRESSES) {
      const [oldest] = this.#records.keys();
      if (oldest !== undefined) this.#records.delete(oldest);
    }
  }

  #refilled(address: string): Record | undefined {
    const record = this.#records.get(address);
    if (record === undefined) return undefined;
    const back = Math.floor((this.#clock.now() - record.at) / this.#rules.refillMs);
    record.left += back;
    record.at += back * this.#rules.refillMs;
    if (record.left < this.#rules.tries) return record;
    this.#records.delete(address);
    return undefined;
  }
}
