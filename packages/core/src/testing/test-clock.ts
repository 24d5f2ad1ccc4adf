/** Time and ids that go where the test says. */
import type { Clock, Ids } from "../engine/ports.ts";

export interface TestClock extends Clock {
  advance(ms: number): void;
}

export function createTestClock(start = 1_700_000_000_000): TestClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}

export function createTestIds(prefix = "id"): Ids {
  let count = 0;
  return { next: () => `${prefix}-${++count}` };
}
