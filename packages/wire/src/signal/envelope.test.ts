/** What the compiler knows of signals. tsc checks this file: an expectation that does not hold is an error there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "@atrium/schema";
import type {
  SignalEnvelope,
  SignalEvent,
  SignalPayloadMap,
  SignalType,
  WellKnownSignalType,
} from "./envelope.ts";
import { SIGNAL_PAYLOADS, type AgentState, type ErrorSeverity } from "./payloads.ts";
import { createSignalReader, isWellKnown, WELL_KNOWN_TYPES } from "./signal-reader.ts";

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_Expectation extends true>(): void => undefined;

const BASE = { id: "s1", timestamp: 1_700_000_000_000, source: "test" } as const;

test("[SIG-3] a switch on the type knows the payload", () => {
  const told = (signal: SignalEvent): string => {
    switch (signal.type) {
      case "task_dispatch":
        holds<Same<typeof signal.payload, SignalPayloadMap["task_dispatch"]>>();
        return signal.payload.taskId;
      case "error": {
        const severity: ErrorSeverity = signal.payload.severity;
        return severity;
      }
      case "agent_state_change": {
        const { from, to }: { from: AgentState; to: AgentState } = signal.payload;
        return `${from} ${to}`;
      }
      case "tool_call":
        // @ts-expect-error -- a call has no outcome
        return String(signal.payload.success);
      case "user.point":
        return String(signal.payload.position.x);
      case "tool_result":
      case "token_usage":
      case "completion":
      case "text_delta":
      case "thinking":
      case "user.click":
      case "user.move":
      case "user.zone":
      case "user.command":
        return signal.type;
    }
  };
  const payload = { taskId: "t1", from: "a", to: "b" };
  assert.equal(told({ ...BASE, type: "task_dispatch", payload }), "t1");
  const states = { agentId: "a", from: "idle", to: "done" } as const;
  assert.equal(told({ ...BASE, type: "agent_state_change", payload: states }), "idle done");
});

test("[SIG-3] any text is a type, and its payload is any object", () => {
  holds<Same<SignalType, WellKnownSignalType | (string & {})>>();
  const known: SignalType = "user.click";
  const own: SignalType = "deploy.finished";
  const custom: SignalEnvelope<"deploy.finished"> = {
    ...BASE,
    type: own as "deploy.finished",
    payload: { any: [1] },
  };
  const general: SignalEnvelope = custom;
  assert.equal(isWellKnown(general), false);
  assert.equal(isWellKnown({ ...general, type: known }), true);
});

test("[SIG-3] the compiler refuses what the check refuses", () => {
  const read = createSignalReader();
  const refused = [
    // @ts-expect-error -- `to` is missing
    { ...BASE, type: "task_dispatch", payload: { taskId: "t", from: "a" } } satisfies SignalEvent,
    // @ts-expect-error -- no such state
    {
      ...BASE,
      type: "agent_state_change",
      payload: { agentId: "a", from: "idle", to: "asleep" },
    } satisfies SignalEvent,
    // @ts-expect-error -- a string is no output
    {
      ...BASE,
      type: "tool_result",
      payload: { toolName: "t", agentId: "a", success: true, output: "x" },
    } satisfies SignalEvent,
    // @ts-expect-error -- a click has no zone
    { ...BASE, type: "user.click", payload: { target: "t", zone: "z" } } satisfies SignalEvent,
    // @ts-expect-error -- null is no correlation id
    {
      ...BASE,
      type: "thinking",
      correlationId: null,
      payload: { agentId: "a", content: "" },
    } satisfies SignalEvent,
    // @ts-expect-error -- a position belongs into the metadata
    {
      ...BASE,
      type: "thinking",
      seq: 1,
      payload: { agentId: "a", content: "" },
    } satisfies SignalEvent,
  ];
  for (const signal of refused) assert.ok("reason" in read(signal), JSON.stringify(signal));
});

test("[SIG-3] types and schemas name the same fourteen", () => {
  holds<Same<WellKnownSignalType, keyof typeof SIGNAL_PAYLOADS>>();
  assert.equal(WELL_KNOWN_TYPES.length, 14);
  for (const type of WELL_KNOWN_TYPES) assert.ok(Compile(SIGNAL_PAYLOADS[type]));
});
