import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Failure } from "../base/failure.ts";
import { challenge, hello } from "../testing/stage.ts";
import type { ConnectionEvent, ConnectionState, EventName, StateName, Step } from "./connection.ts";
import { TABLE, step, type TransitionInputs } from "./transitions.ts";

const given: TransitionInputs = { connectTimeoutMs: 10_000, maxAttempts: Infinity, roll: 1 };
const silent: Failure = { why: "silent" };

const STATES = {
  idle: { state: "idle" },
  opening: { state: "opening", failures: 2 },
  greeting: { state: "greeting", failures: 2 },
  authenticating: { state: "authenticating", failures: 2 },
  ready: { state: "ready", hello },
  waiting: { state: "waiting", failures: 2, delayMs: 2_000, failure: silent },
  failed: { state: "failed", failure: silent },
  stopped: { state: "stopped" },
} as const satisfies Record<StateName, ConnectionState>;

const EVENTS = {
  start: { type: "start" },
  opened: { type: "opened" },
  challenged: { type: "challenged", challenge: challenge.payload },
  hello: { type: "hello", hello },
  refused: { type: "refused", error: { code: "UNAVAILABLE", message: "starting" } },
  broken: { type: "broken", cause: "no such scheme" },
  closed: { type: "closed", code: 1012, reason: "service restart" },
  timer: { type: "timer" },
  silent: { type: "silent" },
  stop: { type: "stop" },
} as const satisfies Record<EventName, ConnectionEvent>;

/** Where each event leads; a dot for where it changes nothing. */
const EXPECTED: Record<StateName, Record<EventName, StateName | "."> | "."> = {
  idle: { ...dots(), start: "opening", stop: "stopped" },
  opening: {
    ...dots(),
    opened: "greeting",
    broken: "failed",
    closed: "waiting",
    timer: "waiting",
    stop: "stopped",
  },
  greeting: {
    ...dots(),
    challenged: "authenticating",
    broken: "failed",
    closed: "waiting",
    timer: "waiting",
    stop: "stopped",
  },
  authenticating: {
    ...dots(),
    hello: "ready",
    refused: "waiting",
    broken: "failed",
    closed: "waiting",
    timer: "waiting",
    stop: "stopped",
  },
  ready: { ...dots(), closed: "waiting", silent: "waiting", stop: "stopped" },
  waiting: { ...dots(), start: "opening", timer: "opening", stop: "stopped" },
  failed: { ...dots(), start: "opening", stop: "stopped" },
  stopped: ".",
};

test("every state has a row for every event, and leads where the table says", () => {
  for (const name of Object.keys(STATES) as StateName[]) {
    for (const event of Object.keys(EVENTS) as EventName[]) {
      assert.equal(typeof TABLE[name][event], "function", `${name} × ${event}`);
      const row = EXPECTED[name];
      const expected = row === "." ? "." : row[event];
      const { state, effects } = step(STATES[name], EVENTS[event], given);
      if (expected === ".") {
        assert.equal(state, STATES[name], `${name} × ${event} changes nothing`);
        assert.deepEqual(effects, [], `${name} × ${event} does nothing`);
      } else {
        assert.equal(state.state, expected, `${name} × ${event}`);
      }
    }
  }
});

test("whatever happens, a state has the one socket, timer or watch it needs and no other", () => {
  fc.assert(
    fc.property(fc.array(anyEvent(), { maxLength: 60 }), anyGiven(), (events, circumstances) => {
      const world = new World();
      for (const event of events) world.happen(event, circumstances);
    }),
    { numRuns: 2_000 },
  );
});

test("[CLIENT-11] stop ends in stopped from anywhere, and nothing leads out of it", () => {
  fc.assert(
    fc.property(fc.array(anyEvent(), { maxLength: 30 }), anyGiven(), (events, circumstances) => {
      const world = new World();
      for (const event of events) world.happen(event, circumstances);
      world.happen({ type: "stop" }, circumstances);
      for (const event of events) world.happen(event, circumstances);
      assert.deepEqual(world.state, { state: "stopped" });
    }),
  );
});

test("[CLIENT-7] a hello forgets the failures before it", () => {
  const ready = step(STATES.authenticating, EVENTS.hello, given).state;
  const lost = step(ready, EVENTS.closed, given).state;
  assert.equal(lost.state === "waiting" && lost.failures, 1);
});

test("[CLIENT-11] starting while it waits or after it gave up makes an attempt at once", () => {
  assert.deepEqual(step(STATES.waiting, EVENTS.start, given).state, {
    state: "opening",
    failures: 2,
  });
  assert.deepEqual(step(STATES.failed, EVENTS.start, given).state, {
    state: "opening",
    failures: 0,
  });
});

test("[CLIENT-8] gives up after as many failures in a row as it was told to bear", () => {
  const patient = { ...given, maxAttempts: 4 };
  assert.equal(step(STATES.opening, EVENTS.closed, patient).state.state, "waiting");
  const tired = { ...given, maxAttempts: 3 };
  assert.equal(step(STATES.opening, EVENTS.closed, tired).state.state, "failed");
});

/** Does what effects say and checks after each step that nothing is left over or missing. */
class World {
  state: ConnectionState = { state: "idle" };
  #sockets = 0;
  #armed = false;
  #watched = false;

  happen(event: ConnectionEvent, circumstances: TransitionInputs): void {
    // What happens to a socket or timer has happened before the table hears of it.
    if (event.type === "closed") this.#sockets = 0;
    if (event.type === "timer") this.#armed = false;
    const impossible =
      (event.type === "closed" && !HAS_SOCKET.has(this.state.state)) ||
      (event.type === "timer" && !HAS_TIMER.has(this.state.state));
    const next = step(this.state, event, circumstances);
    if (impossible) assert.deepEqual(next.effects, []);
    this.#carryOut(next);
    this.state = next.state;
    assert.equal(this.#sockets, HAS_SOCKET.has(next.state.state) ? 1 : 0, "sockets");
    assert.equal(this.#armed, HAS_TIMER.has(next.state.state), "timer");
    assert.equal(this.#watched, next.state.state === "ready", "watch");
  }

  #carryOut({ effects }: Step): void {
    for (const effect of effects) {
      switch (effect.type) {
        case "open":
          assert.equal(this.#sockets, 0, "a second socket");
          this.#sockets = 1;
          break;
        case "drop":
          assert.equal(this.#sockets, 1, "dropped what was not there");
          this.#sockets = 0;
          break;
        case "arm":
          assert.ok(effect.delayMs >= 0);
          this.#armed = true;
          break;
        case "disarm":
          this.#armed = false;
          break;
        case "watch":
          this.#watched = true;
          break;
        case "unwatch":
          this.#watched = false;
          break;
        case "authenticate":
          assert.equal(this.#sockets, 1);
      }
    }
  }
}

const HAS_SOCKET: ReadonlySet<StateName> = new Set([
  "opening",
  "greeting",
  "authenticating",
  "ready",
]);
const HAS_TIMER: ReadonlySet<StateName> = new Set([
  "opening",
  "greeting",
  "authenticating",
  "waiting",
]);

function dots(): Record<EventName, "."> {
  return Object.fromEntries(Object.keys(EVENTS).map((name) => [name, "."])) as Record<
    EventName,
    "."
  >;
}

function anyEvent(): fc.Arbitrary<ConnectionEvent> {
  const code = fc.constantFrom(1000, 1001, 1002, 1006, 1008, 1009, 1012, 1013, 4000, 4001, 4500);
  const error = fc.record(
    {
      code: fc.constantFrom("UNAVAILABLE", "INVALID_REQUEST", "NOT_PAIRED", "NEWER_CODE"),
      message: fc.constant("no"),
      details: fc.record({ code: fc.constantFrom("AUTH_TOKEN_MISMATCH", "PAIRING_REQUIRED", "") }),
      retryable: fc.boolean(),
      retryAfterMs: fc.nat(),
    },
    { requiredKeys: ["code", "message"] },
  );
  const { closed, refused, ...plain } = EVENTS;
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<ConnectionEvent>(...Object.values(plain)) },
    code.map((chosen): ConnectionEvent => ({ ...closed, code: chosen })),
    error.map((chosen): ConnectionEvent => ({ ...refused, error: chosen })),
  );
}

function anyGiven(): fc.Arbitrary<TransitionInputs> {
  return fc.record({
    connectTimeoutMs: fc.nat(60_000),
    maxAttempts: fc.constantFrom(1, 3, Infinity),
    roll: fc.double({ min: 0, max: 1, noNaN: true }),
  });
}
