/** So many at once, and then as many as come back with time. */
export interface AllowanceRules {
  readonly burst: number;
  /** How long an empty store takes to be full again. */
  readonly refillMs: number;
}

export class Allowance {
  readonly #rules: AllowanceRules;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor(rules: AllowanceRules, now: () => number) {
    this.#rules = rules;
    this.#now = now;
    this.#left = rules.burst;
    this.#at = now();
  }

  /** Zero: one was taken. Else how long until there is one. */
  take(): number {
    const { burst, refillMs } = this.#rules;
    const time = this.#now();
    // A clock that was set back gives nothing and takes nothing.
    this.#left = Math.min(burst, this.#left + (Math.max(0, time - this.#at) * burst) / refillMs);
    this.#at = time;
    if (this.#left < 1) return Math.ceil(((1 - this.#left) * refillMs) / burst);
    this.#left -= 1;
    return 0;
  }
}
