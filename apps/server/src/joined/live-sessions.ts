/** What joined sessions do right now. Not in the log: it changes with every tool they use. */
import type { Clock } from "@atrium/core";

export interface LiveSession {
  /** When it was last heard of. */
  readonly heardAt: number;
  /** The tool it uses, in a line. */
  readonly doing: string | null;
  /** Its program can be told something at any time, and asks here by itself. */
  readonly isReachable: boolean;
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
    const before = this.#sessions.get(id);
    const now = doing === undefined ? (before?.doing ?? null) : doing;
    const isReachable = before?.isReachable ?? false;
    this.#set(id, { heardAt: this.#clock.now(), doing: now, isReachable });
  }

  isReachable(id: string): boolean {
    return this.#sessions.get(id)?.isReachable ?? false;
  }

  reach(id: string): void {
    const doing = this.#sessions.get(id)?.doing ?? null;
    this.#set(id, { heardAt: this.#clock.now(), doing, isReachable: true });
  }

  /** It may still be there; only its hooks tell. */
  lose(id: string): void {
    const before = this.#sessions.get(id);
    if (before !== undefined) this.#set(id, { ...before, isReachable: false });
  }

  #set(id: string, session: LiveSession): void {
    this.#sessions.set(id, session);
    for (const listener of this.#listeners) listener();
  }

  forget(id: string): void {
    this.#sessions.delete(id);
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }
}
