/** A clock and timers that stand still until they are told to move. */
import type { Clock } from "@atrium/core";
import type { Timers } from "../../../platform/timers.ts";

export interface HandClock {
  readonly clock: Clock;
  readonly timers: Timers;
  advance(ms: number): void;
  /** How many timers are set. */
  waiting(): number;
}

export function handClock(): HandClock {
  const timers = new Set<{ readonly dueAt: number; readonly run: () => void }>();
  let now = 0;
  return {
    clock: { now: () => now },
    timers: {
      after(ms, run) {
        const timer = { dueAt: now + ms, run };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const [due] = [...timers]
          .filter(({ dueAt }) => dueAt <= until)
          .toSorted((a, b) => a.dueAt - b.dueAt);
        if (due === undefined) break;
        timers.delete(due);
        now = due.dueAt;
        due.run();
      }
      now = until;
    },
    waiting: () => timers.size,
  };
}
