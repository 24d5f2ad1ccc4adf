/**
 * The hooks that wait in the background of an idle session, so that a message can wake it. One for each session: the
 * newest, because the program starts another one at the end of every turn.
 */
export interface SessionWaitsDeps {
  /** Whether a message for the session waits that it would not take by itself. */
  readonly isDue: (id: string) => boolean;
  /** That the session can be woken, or no longer. */
  readonly onChange: (id: string, canWake: boolean) => void;
}

interface Wait {
  readonly settle: (isDue: boolean) => void;
}

/** More than the sessions that may be here. */
const MAX_WAITS = 128;

export class SessionWaits {
  readonly #deps: SessionWaitsDeps;
  readonly #waits = new Map<string, Wait>();
  #isClosed = false;

  constructor(deps: SessionWaitsDeps) {
    this.#deps = deps;
  }

  /** True when there is something to be told; false: the hook is to go. */
  async wait(id: string, left: AbortSignal): Promise<boolean> {
    this.letGo(id);
    if (this.#isClosed || left.aborted || this.#waits.size >= MAX_WAITS) return false;
    if (this.#deps.isDue(id)) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const wait: Wait = { settle: resolve };
    this.#waits.set(id, wait);
    this.#deps.onChange(id, true);
    const leave = (): void => resolve(false);
    left.addEventListener("abort", leave, { once: true });
    try {
      return await promise;
    } finally {
      left.removeEventListener("abort", leave);
      // Another may have taken its place.
      if (this.#waits.get(id) === wait) {
        this.#waits.delete(id);
        this.#deps.onChange(id, false);
      }
    }
  }

  /** Something about the session has changed. */
  look(id: string): void {
    if (this.#deps.isDue(id)) this.#waits.get(id)?.settle(true);
  }

  letGo(id: string): void {
    this.#waits.get(id)?.settle(false);
  }

  close(): void {
    this.#isClosed = true;
    for (const { settle } of this.#waits.values()) settle(false);
  }
}
