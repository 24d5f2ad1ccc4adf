/** What peers do not call: an open row gets its deadline; a settled one loses it, and those who wait are told. */
export interface Notice<Row> {
  readonly notice: (row: Row) => void;
}

/** Those who wait for something to be settled; any number may wait for the same thing. */
export class Waiters<Row> {
  readonly #waiting = new Map<string, Set<(row: Row) => void>>();

  /** Settles once with the row, or with undefined when the signal is aborted first. */
  wait(id: string, signal?: AbortSignal): Promise<Row | undefined> {
    if (signal?.aborted === true) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<Row | undefined>();
    const those = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, those);
    const leave = (): void => {
      signal?.removeEventListener("abort", giveUp);
      those.delete(settle);
      if (those.size === 0) this.#waiting.delete(id);
    };
    const settle = (row: Row): void => {
      leave();
      resolve(row);
    };
    const giveUp = (): void => {
      leave();
      resolve(undefined);
    };
    those.add(settle);
    signal?.addEventListener("abort", giveUp, { once: true });
    return promise;
  }

  settle(id: string, row: Row): void {
    for (const settle of this.#waiting.get(id) ?? []) settle(row);
  }
}
