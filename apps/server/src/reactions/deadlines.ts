/**
 * What ends by itself if nobody ends it: each open request and poll has one deadline, and when it comes
 * the ending is a command like any other.
 */
import { retryWhileBusy, type Clock, type Outcome } from "@atrium/core";
import type { Timers } from "../platform/timers.ts";

export interface Deadlines {
  /** Ends it at that time. Setting the same name again replaces it. */
  set(name: string, at: number, end: () => Promise<Outcome<unknown>>): void;
  clear(name: string): void;
  close(): void;
}

export interface DeadlineDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Ending something failed; it stays open until the next start. */
  readonly report: (name: string, cause: unknown) => void;
}

export function createDeadlines({ clock, timers, report }: DeadlineDeps): Deadlines {
  const cancels = new Map<string, () => void>();

  const sleep = (ms: number, signal: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = timers.after(ms, resolve);
    const onAbort = (): void => {
      cancel();
      resolve();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    return promise;
  };

  const clear = (name: string): void => {
    cancels.get(name)?.();
    cancels.delete(name);
  };

  const set: Deadlines["set"] = (name, at, end) => {
    clear(name);
    const run = async (): Promise<void> => {
      const ending = new AbortController();
      const cancel = (): void => ending.abort();
      cancels.set(name, cancel);
      try {
        // A refusal that stays means that someone ended it first.
        await retryWhileBusy(end, { sleep, signal: ending.signal });
      } catch (cause) {
        report(name, cause);
      } finally {
        if (cancels.get(name) === cancel) cancels.delete(name);
      }
    };
    cancels.set(
      name,
      timers.after(Math.max(0, at - clock.now()), () => void run()),
    );
  };

  return {
    set,
    clear,
    close() {
      for (const cancel of cancels.values()) cancel();
      cancels.clear();
    },
  };
}
