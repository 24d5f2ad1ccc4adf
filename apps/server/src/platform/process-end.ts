/**
 * How the process ends: because it was asked to (a signal), or because of a fault nobody caught.
 *
 *   asked    everything is closed in order          exit 0
 *   a fault  the same, for a few seconds at most    exit 70, on which a supervisor starts it again
 *
 * While it closes, another signal ends it at once: nothing that hangs may keep the process, and with it the lock on the home.
 */
import { Fault } from "@atrium/core";

/** After 1 and 2 something has to be changed before a restart helps; after 70 (EX_SOFTWARE) a restart may help. */
export const EXIT = { ok: 0, failed: 1, misused: 2, fault: 70 } as const;

/** Leaves time for the rest of the exit within five seconds. */
const MAX_CLOSING_MS = 4_000;

export type EndReason =
  | { readonly type: "signal"; readonly signal: string }
  | { readonly type: "fault"; readonly fault: Error };

export interface ProcessEnd {
  /** Resolves with the first reason there is. */
  readonly reason: Promise<EndReason>;
  /** Ends the process because of a fault that it cannot survive. */
  readonly fail: (cause: unknown) => void;
  /** Closes and exits; does not return. `last` is called in any case. */
  readonly exit: (reason: EndReason, close: () => Promise<void>, last: () => void) => Promise<void>;
}

export function watchProcessEnd(report: (fault: unknown) => void): ProcessEnd {
  const { promise: reason, resolve } = Promise.withResolvers<EndReason>();
  let leave: (() => void) | undefined;

  const fail = (cause: unknown): void => {
    report(cause);
    const fault = cause instanceof Error ? cause : new Fault("stopped", {}, cause);
    resolve({ type: "fault", fault });
  };
  // Unhandled rejections arrive here too.
  process.on("uncaughtException", fail);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (leave === undefined) resolve({ type: "signal", signal });
      else leave();
    });
  }
  // The reader of the output may end before the server does.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

  return {
    reason,
    fail,
    async exit(why, close, last) {
      const isFault = why.type === "fault";
      if (isFault) process.stderr.write(`atrium: ${why.fault.message}\n`);
      leave = () => {
        last();
        process.exit(isFault ? EXIT.fault : EXIT.ok);
      };
      if (isFault) setTimeout(leave, MAX_CLOSING_MS);
      try {
        await close();
      } catch (cause) {
        report(cause);
      }
      leave();
    },
  };
}
