/**
 * Tries again while the log is busy: it is so for moments.
 *
 * Only refusals that may pass soon are tried again, after 50 ms and then twice as long each time, up to a
 * second. When the signal ends it, the last refusal is the answer; whether that is a fault is the caller's
 * to say.
 */
import { REFUSALS, type Outcome } from "./refusal.ts";

export interface RetryDeps {
  /** May reject once the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Left out: nothing ends it. */
  readonly signal?: AbortSignal;
}

const FIRST_WAIT_MS = 50;
const MAX_WAIT_MS = 1_000;

export async function retryWhileBusy<T>(
  attempt: () => Promise<Outcome<T>>,
  { sleep, signal = new AbortController().signal }: RetryDeps,
): Promise<Outcome<T>> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    const done = await attempt();
    if (done.ok || signal.aborted || REFUSALS[done.code].retry === "never") return done;
    try {
      await sleep(waitMs, signal);
    } catch (cause) {
      if (!signal.aborted) throw cause;
    }
    if (signal.aborted) return done;
  }
}
