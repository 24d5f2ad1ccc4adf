/** One thing after the other for each key, whatever became of the one before; keys do not wait for each other. */
export class KeyedQueue {
  readonly #queues = new Map<string, { tail: Promise<unknown>; length: number }>();

  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(key) ?? { tail: Promise.resolve(), length: 0 };
    this.#queues.set(key, queue);
    queue.length += 1;
    const result = this.#after(key, queue.tail, work);
    queue.tail = result.catch(() => undefined);
    return result;
  }

  async #after<Result>(
    key: string,
    before: Promise<unknown>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await before;
    try {
      return await work();
    } finally {
      const queue = this.#queues.get(key);
      if (queue !== undefined && --queue.length === 0) this.#queues.delete(key);
    }
  }

  isBusy(key: string): boolean {
    return this.#queues.has(key);
  }

  /** When everything that was asked for is done. */
  async idle(): Promise<void> {
    while (this.#queues.size > 0) {
      await Promise.all(Array.from(this.#queues.values(), ({ tail }) => tail));
    }
  }
}
