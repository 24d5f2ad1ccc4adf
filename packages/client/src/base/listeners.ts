/**
 * Listeners to one kind of event. One that throws is reported, and the others are still called. During a call, a removed
 * listener is no longer called and an added one is not called yet.
 */
export type Unsubscribe = () => void;

export class Listeners<News extends readonly unknown[]> {
  readonly #entries = new Set<{ readonly call: (...news: News) => void }>();
  readonly #onThrow: (cause: unknown) => void;

  constructor(onThrow: (cause: unknown) => void) {
    this.#onThrow = onThrow;
  }

  add(call: (...news: News) => void): Unsubscribe {
    // An entry of its own, so that the same function may be added twice and removed once.
    const entry = { call };
    this.#entries.add(entry);
    return () => {
      this.#entries.delete(entry);
    };
  }

  notify(...news: News): void {
    const current = [...this.#entries];
    for (const entry of current) {
      if (!this.#entries.has(entry)) continue;
      try {
        entry.call(...news);
      } catch (cause) {
        this.#onThrow(cause);
      }
    }
  }
}
