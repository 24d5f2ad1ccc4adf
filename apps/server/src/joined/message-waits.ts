/** Programs that take messages at any time wait here for the next one. */
import { idIn, joinedSession, type BatchListener, type JoinedSessionEvent } from "@atrium/core";
import { Waiters } from "../human-input/waiters.ts";
import type { Timers } from "../platform/timers.ts";

const LEFT: JoinedSessionEvent["type"] = "joined-session.message_left";
/** Less than what a session is greyed out after. */
const MAX_WAIT_MS = 60_000;

export class MessageWaits {
  readonly #timers: Timers;
  readonly #waiters = new Waiters<true>();
  readonly #closing = new AbortController();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** False: it is gone, has waited long enough, or the server closes. */
  async wait(id: string, gone: AbortSignal): Promise<boolean> {
    const late = new AbortController();
    const cancel = this.#timers.after(MAX_WAIT_MS, () => late.abort());
    const signal = AbortSignal.any([gone, late.signal, this.#closing.signal]);
    const isLeft = await this.#waiters.wait(id, signal);
    cancel();
    return isLeft === true;
  }

  readonly onBatch: BatchListener = (entries) => {
    for (const { stream, type } of entries) {
      const id = type === LEFT ? idIn(joinedSession, stream) : undefined;
      if (id !== undefined) this.#waiters.settle(id, true);
    }
  };

  close(): void {
    this.#closing.abort();
  }
}
