/** Why nothing can be written for the moment, and when that changes. */
import type { Log } from "@atrium/log";
import type { Timers } from "../platform/timers.ts";

export interface Trouble extends Disposable {
  /** Undefined while everything can be written. */
  readonly reason: string | undefined;
  /** Calls back when the reason has changed. */
  readonly onChange: (listener: () => void) => void;
}

/** Of a log of this process, which is written or has failed for good. */
export const noTrouble: Trouble = {
  reason: undefined,
  onChange: () => undefined,
  [Symbol.dispose]: () => undefined,
};

const LOOK_MS = 250;

export function watchTrouble(log: Pick<Log, "trouble">, timers: Timers): Trouble {
  const listeners: (() => void)[] = [];
  let reason = log.trouble;
  let cancel = timers.after(LOOK_MS, look);

  function look(): void {
    cancel = timers.after(LOOK_MS, look);
    if (log.trouble === reason) return;
    reason = log.trouble;
    for (const listener of listeners) listener();
  }

  return {
    // As it was told, so that nobody shows a reason whose end is not told.
    get reason() {
      return reason;
    },
    onChange: (listener) => void listeners.push(listener),
    [Symbol.dispose]: () => cancel(),
  };
}
