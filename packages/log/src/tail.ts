/**
 * Following a log: history first, then live, by one cursor.
 *
 * A follower owns a number and nothing else. What is new is announced without being handed
 * over, so a follower that dawdles holds up no one and piles up nothing; it asks for more
 * when it is ready, from memory if it kept up and from the engine if it did not.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Entry } from "./log.ts";

export interface TailSource {
  readonly head: number;
  readonly isClosed: boolean;
  readonly bell: Bell;
  /** Some entries after `seq`, in order and without a gap; asked only when there are any. */
  after(seq: number): readonly Entry[];
}

/** Wakes everyone who waits, once. */
export class Bell {
  readonly #waiting = new Set<() => void>();

  ring(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Resolves at the next ring or when the signal aborts, whichever is first. */
  wait(signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => {
      this.#waiting.delete(wake);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    this.#waiting.add(wake);
    signal?.addEventListener("abort", wake);
    return promise;
  }
}

export async function* followTail(
  source: TailSource,
  after: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly Entry[], void, undefined> {
  let cursor = Math.max(0, after);
  for (;;) {
    if (source.isClosed || signal?.aborted === true) return;
    if (cursor >= source.head) {
      await source.bell.wait(signal);
      continue;
    }
    const batch = source.after(cursor);
    cursor = batch.at(-1)?.seq ?? source.head;
    yield batch;
    // Catching up over a long history must leave the event loop to others in between.
    if (cursor < source.head) await nextTurn();
  }
}
