/**
 * The life of a connection as a pure table: state and event in, next state and effects out.
 *
 *   idle --> opening --> greeting --> authenticating --> ready
 *              ^  \          \               \             /
 *              |   `----------`--- lost -----`------------'
 *              |                    |
 *           waiting <-- may return -+- may not --> failed --start--> opening
 *
 *   stop leads from every state to stopped, and nothing leads out of it
 *
 * It opens no socket, sets no timer and rolls no dice: link.ts carries the effects out and reports
 * what happened as events. There is one timer; a state says what it is for.
 */
import { CLOSE } from "@atrium/wire";
import { adviseOn, type Failure } from "../base/failure.ts";
import { backoffMs } from "./backoff.ts";
import type {
  ConnectionEvent,
  ConnectionState,
  Effect,
  EventName,
  StateName,
  Step,
} from "./connection.ts";

/** What a row may need besides state and event: the settings, and a random number from 0 to 1. */
export interface TransitionInputs {
  readonly connectTimeoutMs: number;
  readonly maxAttempts: number;
  readonly roll: number;
}

type In<S extends StateName> = Extract<ConnectionState, { readonly state: S }>;
type On<E extends EventName> = Extract<ConnectionEvent, { readonly type: E }>;
type Row<S extends StateName, E extends EventName> = (
  state: In<S>,
  event: On<E>,
  given: TransitionInputs,
) => Step;
type Table = { readonly [S in StateName]: { readonly [E in EventName]: Row<S, E> } };
type Trying = In<"opening" | "greeting" | "authenticating">;

/** Of the codes a browser lets us send, one that means "come back" to either side. */
const GIVING_UP = 4000;
const TICKS_OF_SILENCE = 2;

const disarm: Effect = { type: "disarm" };
const unwatch: Effect = { type: "unwatch" };
const hangUp: Effect = { type: "drop", code: CLOSE.normal, reason: "" };

const to = (state: ConnectionState, ...effects: readonly Effect[]): Step => ({ state, effects });
const stay = (state: ConnectionState): Step => ({ state, effects: [] });

const attempt = (failures: number, given: TransitionInputs): Step =>
  to(
    { state: "opening", failures },
    { type: "arm", delayMs: given.connectTimeoutMs },
    { type: "open" },
  );
const firstAttempt = (_: ConnectionState, __: ConnectionEvent, given: TransitionInputs): Step =>
  attempt(0, given);
const nextAttempt = (state: In<"waiting">, _: ConnectionEvent, given: TransitionInputs): Step =>
  attempt(state.failures, given);

/** `cleanup` leaves no socket, timer or watch behind. */
function lose(
  failures: number,
  failure: Failure,
  given: TransitionInputs,
  cleanup: readonly Effect[],
): Step {
  const advice = adviseOn(failure);
  const inARow = failures + 1;
  if (!advice.comeBack || inARow >= given.maxAttempts) {
    return to({ state: "failed", failure }, ...cleanup);
  }
  const delayMs = backoffMs(inARow, given.roll, advice.afterMs);
  return to({ state: "waiting", failures: inARow, delayMs, failure }, ...cleanup, {
    type: "arm",
    delayMs,
  });
}

const closedEarly = (
  state: Trying,
  { code, reason }: On<"closed">,
  given: TransitionInputs,
): Step => lose(state.failures, { why: "closed", code, reason, greeted: false }, given, [disarm]);
const tooSlow = (state: Trying, _: On<"timer">, given: TransitionInputs): Step =>
  lose(state.failures, { why: "slow" }, given, [
    disarm,
    { type: "drop", code: GIVING_UP, reason: "handshake timeout" },
  ]);
const turnedAway = (state: Trying, { error }: On<"refused">, given: TransitionInputs): Step =>
  lose(state.failures, { why: "refused", error }, given, [disarm, hangUp]);
const broke = (state: Trying, { cause }: On<"broken">, given: TransitionInputs): Step =>
  lose(state.failures, { why: "broken", cause }, given, [disarm, hangUp]);
const stopTrying = (): Step => to({ state: "stopped" }, disarm, hangUp);

/** What a state makes of every event that its row does not name. */
const IGNORE = {
  start: stay,
  opened: stay,
  challenged: stay,
  hello: stay,
  refused: stay,
  broken: stay,
  closed: stay,
  timer: stay,
  silent: stay,
  stop: stay,
};

export const TABLE: Table = {
  idle: {
    ...IGNORE,
    start: firstAttempt,
    stop: () => to({ state: "stopped" }),
  },
  opening: {
    ...IGNORE,
    opened: ({ failures }) => to({ state: "greeting", failures }),
    broken: broke,
    closed: closedEarly,
    timer: tooSlow,
    stop: stopTrying,
  },
  greeting: {
    ...IGNORE,
    challenged: ({ failures }, { challenge }) =>
      to({ state: "authenticating", failures }, { type: "authenticate", challenge }),
    broken: broke,
    closed: closedEarly,
    timer: tooSlow,
    stop: stopTrying,
  },
  authenticating: {
    ...IGNORE,
    hello: (_, { hello }) =>
      to({ state: "ready", hello }, disarm, {
        type: "watch",
        silenceMs: TICKS_OF_SILENCE * hello.policy.tickIntervalMs,
      }),
    refused: turnedAway,
    broken: broke,
    closed: closedEarly,
    timer: tooSlow,
    stop: stopTrying,
  },
  ready: {
    ...IGNORE,
    closed: (_, { code, reason }, given) =>
      lose(0, { why: "closed", code, reason, greeted: true }, given, [unwatch]),
    silent: (_, __, given) =>
      lose(0, { why: "silent" }, given, [
        unwatch,
        { type: "drop", code: GIVING_UP, reason: "tick timeout" },
      ]),
    stop: () => to({ state: "stopped" }, unwatch, hangUp),
  },
  waiting: {
    ...IGNORE,
    start: nextAttempt,
    timer: nextAttempt,
    stop: () => to({ state: "stopped" }, disarm),
  },
  failed: {
    ...IGNORE,
    start: firstAttempt,
    stop: () => to({ state: "stopped" }),
  },
  stopped: IGNORE,
};

export function step(
  state: ConnectionState,
  event: ConnectionEvent,
  given: TransitionInputs,
): Step {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both tags picked this row
  const row = TABLE[state.state][event.type] as Row<StateName, EventName>;
  return row(state, event, given);
}
