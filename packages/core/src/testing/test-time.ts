/** Time that passes when the test says so, and ids in order. */
import type { Clock, Ids } from "../engine/ports.ts";

export interface TestTime extends Clock {
  /** Itself, for whoever takes the one or the other alone. */
  readonly clock: Clock;
  readonly timers: { readonly after: TestTime["after"] };
  /** How many timers are set, sleepers among them. */
  readonly pending: number;
  after(ms: number, run: () => void): () => void;
  /** Rejects when the signal aborts before. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs what becomes due on the way, in order and each at its time. */
  advance(ms: number): void;
}

export function createTestTime(start = 1_700_000_000_000): TestTime {
  const timers = new Set<{ readonly dueAt: number; readonly run: () => void }>();
  let now = start;

  function after(ms: number, run: () => void): () => void {
    const timer = { dueAt: now + ms, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  }

  return {
    now: () => now,
    clock: { now: () => now },
    timers: { after },
    after,
    get pending() {
      return timers.size;
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const cancel = after(ms, resolve);
      const onAbort = (): void => {
        cancel();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      await promise.finally(() => signal?.removeEventListener("abort", onAbort));
    },
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const [due] = [...timers]
          .filter(({ dueAt }) => dueAt <= until)
          .toSorted((a, b) => a.dueAt - b.dueAt);
        if (due === undefined) break;
        timers.delete(due);
        now = Math.max(now, due.dueAt);
        due.run();
      }
      now = until;
    },
  };
}

export function createTestIds(prefix = "id"): Ids {
  let count = 0;
  return { next: () => `${prefix}-${++count}` };
}
