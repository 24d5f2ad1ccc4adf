/** Something to be done later; a timer of the machine's in production, a hand-turned one in tests. */
export interface Timers {
  /** Runs it after that many milliseconds, unless it is cancelled before. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** The longest a timer of the machine's can wait; longer ones are set again on the way. */
const LONGEST_MS = 2 ** 31 - 1;

/** None of these keeps the process alive: what is due is found again after the next start. */
export const machineTimers: Timers = {
  after(ms, run) {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const step = Math.min(left, LONGEST_MS);
      timer = setTimeout(() => (left > step ? wait(left - step) : run()), Math.max(0, step));
      timer.unref();
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};
