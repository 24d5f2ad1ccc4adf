/** What joined sessions do right now. Not in the log: it changes with every tool they use. */
import type { Clock } from "@atrium/core";

export interface LiveSession {
  /** When it was last heard of. */
  readonly heardAt: number;
  /** The tool it uses, in a line. */
  readonly doing: string | null;
}

export class LiveSessions {
  readonly #clock: Clock;
  readonly #sessions = new Map<string, LiveSession>();
  readonly #listeners = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(id: string): LiveSession | undefined {
    return this.#sessions.get(id);
  }

  /** `doing` left out: what it did before, it still does. */
  hear(id: string, doing?: string | null): void {
    const before = this.#sessions.get(id)?.doing ?? null;
    const now = doing === undefined ? before : doing;
    this.#sessions.set(id, { heardAt: this.#clock.now(), doing: now });
    for (const listener of this.#listeners) listener();
  }

  forget(id: string): void {
    this.#sessions.delete(id);
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }
}
