/** What joined sessions do right now. Not in the log: it changes with every tool they use. */
import type { Clock } from "@atrium/core";

export interface LiveSession {
  /** When it was last heard of. */
  readonly heardAt: number;
  /** The tool it uses, in a line. */
  readonly doing: string | null;
  /** Its program can be told something at any time, and asks here by itself. */
  readonly isReachable: boolean;
  /** A message reaches it at once, also while it is idle. */
  readonly canWake: boolean;
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
    this.#set(id, { ...before, doing: now });
  }

  isReachable(id: string): boolean {
    return this.#sessions.get(id)?.isReachable ?? false;
  }

  reach(id: string): void {
    this.#set(id, { ...this.#sessions.get(id), isReachable: true });
  }

  /** It may still be there; only its hooks tell. */
  lose(id: string): void {
    const before = this.#sessions.get(id);
    if (before === undefined) return;
    this.#sessions.set(id, { ...before, isReachable: false });
    this.#tell();
  }

  /** Of one that does not report: it was heard of when its files were written. */
  see(id: string, { heardAt, doing }: Pick<LiveSession, "heardAt" | "doing">): void {
    const before = this.#sessions.get(id);
    if (before?.heardAt === heardAt && before.doing === doing) return;
    this.#sessions.set(id, { heardAt, doing, isReachable: false, canWake: false });
    this.#tell();
  }

  setWakeable(id: string, canWake: boolean): void {
    const known = this.#sessions.get(id);
    // Of one that has left there is nothing to tell.
    if (known !== undefined || canWake) this.#set(id, { ...known, canWake });
  }

  #set(id: string, session: Partial<LiveSession>): void {
    const { doing = null, isReachable = false, canWake = false } = session;
    this.#sessions.set(id, { heardAt: this.#clock.now(), doing, isReachable, canWake });
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  forget(id: string): void {
    this.#sessions.delete(id);
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }
}
