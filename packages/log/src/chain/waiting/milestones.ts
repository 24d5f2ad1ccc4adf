/** Waiting for a number that only grows. */
export class Milestones {
  #reached = 0;
  #fault: Error | undefined;
  readonly #waiting = new Set<{
    readonly n: number;
    readonly arrival: PromiseWithResolvers<void>;
  }>();

  wait(n: number): Promise<void> {
    if (n <= this.#reached) return Promise.resolve();
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    const arrival = Promise.withResolvers<void>();
    this.#waiting.add({ n, arrival });
    return arrival.promise;
  }

  reach(n: number): void {
    this.#reached = n;
    for (const waiting of this.#waiting) {
      if (waiting.n > n) continue;
      this.#waiting.delete(waiting);
      waiting.arrival.resolve();
    }
  }

  /** Nothing more will be reached. */
  fail(fault: Error): void {
    this.#fault = fault;
    for (const { arrival } of this.#waiting) arrival.reject(fault);
    this.#waiting.clear();
  }
}
