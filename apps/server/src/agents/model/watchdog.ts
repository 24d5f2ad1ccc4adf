/**
 * Gives up on a model that keeps us waiting: one limit until it begins, another between any two parts.
 * It wakes when a limit would have passed, not for every part, so a fast stream costs nothing.
 */
import type { TurnHost } from "../turn/agent-runtime.ts";

export interface Limits {
  readonly firstByteTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

export class ModelTimeout extends Error {
  override readonly name = "ModelTimeout";
  readonly hadBegun: boolean;
  readonly limitMs: number;

  constructor(hadBegun: boolean, limitMs: number) {
    super(`nothing for ${limitMs} ms`);
    this.hadBegun = hadBegun;
    this.limitMs = limitMs;
  }
}

export interface Watchdog extends Disposable {
  /** Aborted with a ModelTimeout. */
  readonly signal: AbortSignal;
  feed(): void;
}

export function openWatchdog(
  host: Pick<TurnHost, "now" | "sleep">,
  { firstByteTimeoutMs, idleTimeoutMs }: Limits,
): Watchdog {
  const late = new AbortController();
  const over = new AbortController();
  let hasBegun = false;
  let since = host.now();

  const watch = async (): Promise<void> => {
    for (;;) {
      const limitMs = hasBegun ? idleTimeoutMs : firstByteTimeoutMs;
      const leftMs = since + limitMs - host.now();
      if (leftMs <= 0) return late.abort(new ModelTimeout(hasBegun, limitMs));
      // Wakes early when the first part arrives under a long first limit and a short idle one.
      await host.sleep(Math.min(leftMs, idleTimeoutMs), over.signal);
    }
  };
  // Rejects when there is nothing left to watch: the call is over, or the turn is.
  watch().catch(() => undefined);

  return {
    signal: late.signal,
    feed() {
      hasBegun = true;
      since = host.now();
    },
    [Symbol.dispose]: () => over.abort(),
  };
}
