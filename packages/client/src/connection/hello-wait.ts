/** The promise behind `connect`: settles with the next state that answers it, however many come before. */
import type { HelloOk } from "@atrium/wire/gateway";
import { ConnectionLost, RequestAborted, connectError } from "../base/errors.ts";
import type { Listeners } from "../base/listeners.ts";
import type { ConnectionState } from "./connection.ts";

/** A client that has given up is about to be started again, so `failed` counts only as news. */
export function waitForHello(
  states: Listeners<[ConnectionState]>,
  current: ConnectionState,
  signal: AbortSignal | undefined,
): Promise<HelloOk> {
  return new Promise((resolve, reject) => {
    const onState = (state: ConnectionState): void => {
      switch (state.state) {
        case "ready":
          resolve(state.hello);
          break;
        case "failed":
          reject(connectError(state.failure));
          break;
        case "stopped":
          reject(new ConnectionLost("the client was closed", false));
          break;
        case "idle":
        case "opening":
        case "greeting":
        case "authenticating":
        case "waiting":
          return;
      }
      release();
    };
    const abort = (): void => {
      reject(new RequestAborted("connect", signal?.reason));
      release();
    };
    const unsubscribe = states.add(onState);
    const release = (): void => {
      unsubscribe();
      signal?.removeEventListener("abort", abort);
    };
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
    if (current.state !== "failed") onState(current);
  });
}
