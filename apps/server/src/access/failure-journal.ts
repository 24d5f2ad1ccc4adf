/** Notes wrong secrets in the journal: guesses are visible, and cannot fill the disk. */
import type { Clock } from "@atrium/core";
import type { Guesses } from "./auth-attempts.ts";

const MAX_LINES = 20;
const PER_MS = 60_000;

export function createFailureJournal(
  note: (what: string, context: Readonly<Record<string, unknown>>) => void,
  clock: Clock,
): (guesses: Guesses) => void {
  let since = clock.now();
  let lines = 0;
  let unwritten = 0;
  return ({ address, door, count }) => {
    const now = clock.now();
    if (now < since || now - since >= PER_MS) {
      since = now;
      lines = 0;
    }
    if (lines >= MAX_LINES) {
      unwritten += count;
      return;
    }
    lines += 1;
    const others = unwritten === 0 ? {} : { fromOthers: unwritten };
    unwritten = 0;
    note("wrong credentials", { address, door, count, ...others });
  };
}
