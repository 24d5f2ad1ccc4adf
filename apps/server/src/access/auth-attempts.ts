/**
 * How often an address may present a wrong secret before it is told to wait.
 *
 * Secrets are compared first, always: whoever has the right one comes in, however many wrong ones came
 * from the same address. Only failures count, and they are told of. Addresses of one IPv6 network count
 * as one, since whoever has one of them has all of them.
 */
import { isIPv6 } from "node:net";
import type { Clock } from "@atrium/core";

export interface AuthAttemptRules {
  readonly tries: number;
  /** After this long one try comes back. */
  readonly refillMs: number;
}

/** Wrong secrets from one address, since they were last told of. */
export interface Guesses {
  readonly address: string;
  readonly door: string;
  readonly count: number;
}

interface Bucket {
  left: number;
  at: number;
  /** Not told of yet. */
  untold: number;
  toldAt: number;
  /** When it was last told that no try is left. */
  emptyToldAt: number;
}

const MAX_ADDRESSES = 10_000;
/** One line a minute for each address says enough. */
const TELL_MS = 60_000;

export class AuthAttempts {
  readonly #rules: AuthAttemptRules;
  readonly #clock: Clock;
  readonly #onGuesses: (guesses: Guesses) => void;
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    rules: AuthAttemptRules,
    clock: Clock,
    onGuesses: (guesses: Guesses) => void = ignore,
  ) {
    this.#rules = rules;
    this.#clock = clock;
    this.#onGuesses = onGuesses;
  }

  /** Zero when the address has tries left, else how long until one comes back. */
  waitMs(address: string): number {
    const bucket = this.#refilled(networkOf(address));
    if (bucket === undefined || bucket.left > 0) return 0;
    return Math.max(1, bucket.at + this.#rules.refillMs - this.#clock.now());
  }

  /** Counts one more failure; how long the next one should wait, zero while there are tries left. */
  failed(address: string, door: string): number {
    const waitMs = this.waitMs(address);
    const network = networkOf(address);
    const now = this.#clock.now();
    const bucket = this.#refilled(network) ?? {
      left: this.#rules.tries,
      at: now,
      untold: 0,
      toldAt: -Infinity,
      emptyToldAt: -Infinity,
    };
    bucket.left = Math.max(0, bucket.left - 1);
    bucket.untold += 1;
    const isNews = bucket.left === 0 && now - bucket.emptyToldAt >= TELL_MS;
    if (isNews) bucket.emptyToldAt = now;
    this.#buckets.delete(network);
    this.#buckets.set(network, bucket);
    if (isNews || now - bucket.toldAt >= TELL_MS) {
      this.#onGuesses({ address, door, count: bucket.untold });
      bucket.untold = 0;
      bucket.toldAt = now;
    }
    if (this.#buckets.size > MAX_ADDRESSES) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    return waitMs;
  }

  #refilled(network: string): Bucket | undefined {
    const bucket = this.#buckets.get(network);
    if (bucket === undefined) return undefined;
    const back = Math.floor((this.#clock.now() - bucket.at) / this.#rules.refillMs);
    if (back > 0) {
      bucket.left += back;
      bucket.at += back * this.#rules.refillMs;
    }
    if (bucket.left < this.#rules.tries || bucket.untold > 0) {
      bucket.left = Math.min(bucket.left, this.#rules.tries);
      return bucket;
    }
    this.#buckets.delete(network);
    return undefined;
  }
}

function ignore(): void {}

/** The first 64 bits of an IPv6 address; any other address as it is. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.toLowerCase().split("::", 2);
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = tail === undefined ? left : [...left, ...zeros, ...right];
  const first = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ""));
  return `${first.join(":")}::/64`;
}
