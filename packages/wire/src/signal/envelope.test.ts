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

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

const BASE = { id: "s1", timestamp: 1_700_000_000_000, source: "test" } as const;

function make<Name extends WellKnownSignalType>(
  type: Name,
  payload: SignalPayloadMap[Name],
  more: Partial<Pick<SignalEnvelope, "correlationId" | "metadata">> = {},
): object {
  return { ...BASE, type, payload, ...more };
}

function idOf<Payload extends { readonly taskId: string }>(
  { taskId }: Payload,
  _isDispatch: Same<Payload, SignalPayloadMap["task_dispatch"]>,
): string {
  return taskId;
}

test("[SIG-1] a switch on the type knows the payload", () => {
  const told = (signal: SignalEvent): string => {
    switch (signal.type) {
      case "task_dispatch":
        return idOf(signal.payload, true);
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

test("[SIG-1] any text is a type, and its payload is any object", () => {
  const isOpen: Same<SignalType, WellKnownSignalType | (string & {})> = true;
  assert.ok(isOpen);
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

test("[SIG-1] the compiler refuses what the check refuses", () => {
  const read = createSignalReader();
  const refused = [
    // @ts-expect-error -- `to` is missing
    make("task_dispatch", { taskId: "t", from: "a" }),
    // @ts-expect-error -- no such state
    make("agent_state_change", { agentId: "a", from: "idle", to: "asleep" }),
    // @ts-expect-error -- a text is no output
    make("tool_result", { toolName: "t", agentId: "a", success: true, output: "x" }),
    // @ts-expect-error -- a click has no zone
    make("user.click", { target: "t", zone: "z" }),
    // @ts-expect-error -- null is no correlation id
    make("thinking", { agentId: "a", content: "" }, { correlationId: null }),
    // @ts-expect-error -- a position belongs into the metadata
    make("thinking", { agentId: "a", content: "" }, { seq: 1 }),
  ];
  for (const signal of refused) assert.ok("reason" in read(signal), JSON.stringify(signal));
});

test("[SIG-1] types and schemas name the same fourteen", () => {
  const isSame: Same<WellKnownSignalType, keyof typeof SIGNAL_PAYLOADS> = true;
  assert.ok(isSame);
  assert.equal(WELL_KNOWN_TYPES.length, 14);
  for (const type of WELL_KNOWN_TYPES) assert.ok(Compile(SIGNAL_PAYLOADS[type]));
});
