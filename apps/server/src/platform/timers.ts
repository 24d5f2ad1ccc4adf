import { setTimeout as sleepOnce } from "node:timers/promises";

/** Something to be done later; a timer of the machine's in production, a hand-turned one in tests. */
export interface Timers {
  /** Runs it after that many milliseconds, unless it is cancelled before. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** The longest a timer of the machine's can wait; longer ones are set again on the way. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** None of these keeps the process alive: what is due is found again after the next start. */
export const systemTimers: Timers = { after: (ms, run) => startTimer(ms, run, false) };

/** These do, for what has to be seen to its end before the process ends. */
export const holdingTimers: Timers = { after: (ms, run) => startTimer(ms, run, true) };

function startTimer(ms: number, run: () => void, isHolding: boolean): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number): void => {
    const step = Math.min(left, MAX_TIMER_MS);
    timer = setTimeout(() => (left > step ? wait(left - step) : run()), Math.max(0, step));
    if (!isHolding) timer.unref();
  };
  wait(ms);
  return () => clearTimeout(timer);
}

/** Resolves after that many milliseconds, however many; rejects when the signal aborts before. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  for (let left = ms; ; left -= MAX_TIMER_MS) {
    const step = Math.min(left, MAX_TIMER_MS);
    await sleepOnce(step, undefined, signal === undefined ? {} : { signal });
    if (left <= step) return;
  }
}
