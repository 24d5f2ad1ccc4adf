/**
 * Limits how often an address may present a wrong secret.
 *
 * The secret is always compared first: the right one is admitted, however many wrong ones came from the same
 * address. Only failures count, and they are reported. Addresses of one IPv6 network count as one, since
 * whoever has one of them has all of them.
 */
import { isIPv6 } from "node:net";
import { BoundedMap, TokenBucket, type BucketRules, type Clock } from "@atrium/core";

/** Looked up with every try. */
export interface AuthAttemptRules {
  readonly tries: number;
  /** How long until one try is regained. */
  readonly refillMs: number;
}

/** Wrong secrets from one address since the last report. */
export interface Guesses {
  readonly address: string;
  readonly door: string;
  readonly count: number;
}

interface Guesser {
  readonly tries: TokenBucket;
  unreported: number;
  reportedAt: number;
  emptyReportedAt: number;
}

const MAX_ADDRESSES = 10_000;
/** One line a minute is enough for each address. */
const REPORT_EVERY_MS = 60_000;

export class AuthAttempts {
  readonly #rules: BucketRules;
  readonly #clock: Clock;
  readonly #onGuesses: (guesses: Guesses) => void;
  readonly #guessers = new BoundedMap<string, Guesser>(MAX_ADDRESSES);

  constructor(
    rules: AuthAttemptRules,
    clock: Clock,
    onGuesses: (guesses: Guesses) => void = ignore,
  ) {
    this.#rules = {
      get capacity() {
        return rules.tries;
      },
      refillTokens: 1,
      get refillMs() {
        return rules.refillMs;
      },
    };
    this.#clock = clock;
    this.#onGuesses = onGuesses;
  }

  /** Zero when the address has tries left, else how long until it regains one. */
  waitMs(address: string): number {
    return this.#find(networkOf(address))?.tries.waitMs() ?? 0;
  }

  /** Counts one more failure; returns how long to wait, zero while there are tries left. */
  failed(address: string, door: string): number {
    const network = networkOf(address);
    const now = this.#clock.now();
    const guesser = this.#guessers.setNewest(network, this.#find(network) ?? this.#create());
    const waitMs = guesser.tries.take();
    guesser.unreported += 1;
    const isNews = guesser.tries.waitMs() > 0 && now - guesser.emptyReportedAt >= REPORT_EVERY_MS;
    if (isNews) guesser.emptyReportedAt = now;
    if (isNews || now - guesser.reportedAt >= REPORT_EVERY_MS) {
      this.#onGuesses({ address, door, count: guesser.unreported });
      guesser.unreported = 0;
      guesser.reportedAt = now;
    }
    return waitMs;
  }

  #create(): Guesser {
    const tries = new TokenBucket(this.#rules, () => this.#clock.now());
    return { tries, unreported: 0, reportedAt: -Infinity, emptyReportedAt: -Infinity };
  }

  /** An address with all tries and nothing to report is forgotten. */
  #find(network: string): Guesser | undefined {
    const guesser = this.#guessers.get(network);
    if (guesser === undefined || !guesser.tries.isFull || guesser.unreported > 0) return guesser;
    this.#guessers.delete(network);
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
