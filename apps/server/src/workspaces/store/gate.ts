/** Many may be at work in a store, until one has to be alone in it; who comes then waits. */
export class Gate {
  #users = 0;
  #alone: Promise<void> | undefined;
  #left: () => void = () => undefined;

  async among<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#alone !== undefined) await this.#alone;
    this.#users += 1;
    try {
      return await work();
    } finally {
      this.#users -= 1;
      if (this.#users === 0) this.#left();
    }
  }

  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#alone !== undefined) await this.#alone;
    const over = Promise.withResolvers<void>();
    this.#alone = over.promise;
    try {
      const left = Promise.withResolvers<void>();
      this.#left = left.resolve;
      if (this.#users > 0) await left.promise;
      return await work();
    } finally {
      this.#alone = undefined;
      over.resolve();
    }
  }
}
