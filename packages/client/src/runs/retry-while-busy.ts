/** Repeats a call that the server puts off (`retryable`): a few times, each as much later as it asked. */
import type { SetTimer } from "../base/deps.ts";
import { GatewayError, RequestAborted } from "../base/errors.ts";

const MAX_ATTEMPTS = 6;
const PAUSE_MS = 250;

/** Only for calls that happen once however often they are sent. */
export async function retryWhileBusy<Result>(
  setTimer: SetTimer,
  attempt: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof GatewayError) || !error.retryable) throw error;
      if (attempts === MAX_ATTEMPTS) throw error;
      await pause(setTimer, error.retryAfterMs ?? PAUSE_MS, error.method, signal);
    }
  }
}

function pause(
  setTimer: SetTimer,
  delayMs: number,
  method: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel();
      reject(new RequestAborted(method, signal?.reason));
    };
    const cancel = setTimer(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, delayMs);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}
