/**
 * The words of a connection's life: the states it can be in, what can happen to it, and what is then
 * to be done. transitions.ts puts them together.
 */
import type { ErrorShape, HelloOk, PayloadOf, connectChallenge } from "@atrium/wire/gateway";
import type { Failure } from "../base/failure.ts";

export type Challenge = PayloadOf<typeof connectChallenge>;

/** `failures` counts the attempts that failed in a row. */
export type ConnectionState =
  | { readonly state: "idle" }
  | { readonly state: "opening"; readonly failures: number }
  | { readonly state: "greeting"; readonly failures: number }
  | { readonly state: "authenticating"; readonly failures: number }
  | { readonly state: "ready"; readonly hello: HelloOk }
  | {
      readonly state: "waiting";
      readonly failures: number;
      readonly delayMs: number;
      readonly failure: Failure;
    }
  | { readonly state: "failed"; readonly failure: Failure }
  | { readonly state: "stopped" };

export type ConnectionEvent =
  | { readonly type: "start" }
  | { readonly type: "opened" }
  | { readonly type: "challenged"; readonly challenge: Challenge }
  | { readonly type: "hello"; readonly hello: HelloOk }
  | { readonly type: "refused"; readonly error: ErrorShape }
  | { readonly type: "broken"; readonly cause: unknown }
  | { readonly type: "closed"; readonly code: number; readonly reason: string }
  | { readonly type: "timer" }
  | { readonly type: "silent" }
  | { readonly type: "stop" };

export type Effect =
  | { readonly type: "open" }
  | { readonly type: "authenticate"; readonly challenge: Challenge }
  /** Close the socket and ignore what it still delivers. */
  | { readonly type: "drop"; readonly code: number; readonly reason: string }
  /** Set the timer; one that was set before is replaced. */
  | { readonly type: "arm"; readonly delayMs: number }
  | { readonly type: "disarm" }
  | { readonly type: "watch"; readonly silenceMs: number }
  | { readonly type: "unwatch" };

export interface Step {
  readonly state: ConnectionState;
  readonly effects: readonly Effect[];
}

export type StateName = ConnectionState["state"];
export type EventName = ConnectionEvent["type"];
