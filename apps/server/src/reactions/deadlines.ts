/**
 * What ends by itself if nobody ends it: each open request and poll has one deadline, and when it comes
 * the ending is a command like any other.
 */
import { REFUSALS, type Clock, type Outcome } from "@atrium/core";
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

/** When the log has no room just now. */
const AGAIN_MS = 1_000;

export function createDeadlines({ clock, timers, report }: DeadlineDeps): Deadlines {
  const cancels = new Map<string, () => void>();

  const clear = (name: string): void => {
    cancels.get(name)?.();
    cancels.delete(name);
  };

  const set: Deadlines["set"] = (name, at, end) => {
    clear(name);
    const run = async (): Promise<void> => {
      cancels.delete(name);
      try {
        const done = await end();
        // Any other refusal means that someone ended it first.
        const isBusy = !done.ok && REFUSALS[done.code].retry === "soon";
        if (isBusy) set(name, clock.now() + AGAIN_MS, end);
      } catch (cause) {
        report(name, cause);
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
