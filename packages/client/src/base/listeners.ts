/**
 * Those who asked to be told. One that throws is reported and does not keep the others from hearing.
 * While news is given out, one that is removed hears no more and one that is added not yet.
 */
export type Unsubscribe = () => void;

export class Listeners<News extends readonly unknown[]> {
  readonly #entries = new Set<{ readonly hear: (...news: News) => void }>();
  readonly #onThrow: (cause: unknown) => void;

  constructor(onThrow: (cause: unknown) => void) {
    this.#onThrow = onThrow;
  }

  add(hear: (...news: News) => void): Unsubscribe {
    // An entry of its own, so that the same function may be added twice and removed once.
    const entry = { hear };
    this.#entries.add(entry);
    return () => {
      this.#entries.delete(entry);
    };
  }

  tell(...news: News): void {
    const current = [...this.#entries];
    for (const entry of current) {
      if (!this.#entries.has(entry)) continue;
      try {
        entry.hear(...news);
      } catch (cause) {
        this.#onThrow(cause);
      }
    }
  }
}
