import { setTimeout as sleepOnce } from "node:timers/promises";

/** Timers: the system's in production, manually advanced ones in tests. */
export interface Timers {
  /** Calls `run` after that many milliseconds; the returned function cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** The longest delay of a system timer; longer ones are set again on the way. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** These do not keep the process alive: what is due is found again after the next start. */
export const systemTimers: Timers = { after: (ms, run) => startTimer(ms, run, false) };

/** These keep the process alive, for work that must finish before it ends. */
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

/** A change of the interval does not wait for the old one to pass: it is looked up at least this often. */
const LOOK_MS = 1_000;

/** Runs at an interval that may change; the returned function stops it. */
export function repeat(timers: Timers, intervalMs: () => number, run: () => void): () => void {
  let last = performance.now();
  let stop: () => void;
  const wait = (): void => {
    const left = Math.ceil(last + intervalMs() - performance.now());
    stop = timers.after(Math.min(LOOK_MS, Math.max(1, left)), look);
  };
  const look = (): void => {
    const now = performance.now();
    const isDue = now - last >= intervalMs();
    if (isDue) last = now;
    wait();
    if (isDue) run();
  };
  wait();
  return () => stop();
}

/** Resolves after that many milliseconds, however many; rejects when the signal aborts first. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  for (let left = ms; ; left -= MAX_TIMER_MS) {
    const step = Math.min(left, MAX_TIMER_MS);
    await sleepOnce(step, undefined, signal === undefined ? {} : { signal });
    if (left <= step) return;
  }
}

/** Does it again and again, each time so long after the last has ended, until it is disposed of. */
export function repeatAfter(
  timers: Timers,
  everyMs: number,
  work: () => Promise<unknown>,
  onFault: (cause: unknown) => void,
): Disposable {
  let cancel: (() => void) | undefined;
  let isOver = false;
  function workSoon(): void {
    cancel = timers.after(everyMs, () => {
      work()
        .catch(onFault)
        .finally(() => {
          if (!isOver) workSoon();
        });
    });
  }
  workSoon();
  return {
    [Symbol.dispose]() {
      isOver = true;
      cancel?.();
    },
  };
}
