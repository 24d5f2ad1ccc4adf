/** What the parts that follow runs take from the client, as narrow as they use it. */
import type { SetTimer } from "../base/deps.ts";
import type { Unsubscribe } from "../base/listeners.ts";
import type { ConnectionState } from "../connection/connection.ts";
import type { CallParams, CallResult, EventPayloads, MethodName } from "./catalogue.ts";
import type { RequestOptions } from "./requests.ts";

export interface RunConnection {
  call<Name extends MethodName>(
    name: Name,
    params: CallParams<Name>,
    options?: RequestOptions,
  ): Promise<CallResult<Name>>;
  onEvent<Name extends keyof EventPayloads>(
    name: Name,
    handler: (payload: EventPayloads[Name]) => void,
  ): Unsubscribe;
  onState(handler: (state: ConnectionState) => void): Unsubscribe;
  /** Resolves while there is a connection, or once there is one again; rejects when none will come. */
  ready(signal: AbortSignal | undefined): Promise<unknown>;
  readonly setTimer: SetTimer;
}
