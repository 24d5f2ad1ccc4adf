/** The names a program imports to work with signals. tsc checks this file: what does not hold is an error there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  AgentState,
  AgentStateChangePayload,
  BoardBounds,
  BoardPosition,
  CompletionPayload,
  ErrorPayload,
  ErrorSeverity,
  SignalEnvelope,
  SignalEvent,
  SignalPayloadMap,
  SignalType,
  TaskDispatchPayload,
  TextDeltaPayload,
  ThinkingPayload,
  TokenUsagePayload,
  ToolCallPayload,
  ToolResultPayload,
  UserClickPayload,
  UserCommandPayload,
  UserMovePayload,
  UserPointPayload,
  UserZonePayload,
  WellKnownSignalType,
} from "../index.ts";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** The payloads as the protocol's reference writes them. */
interface Written {
  readonly task_dispatch: Same<
    TaskDispatchPayload,
    {
      readonly taskId: string;
      readonly from: string;
      readonly to: string;
      readonly description?: string;
    }
  >;
  readonly tool_call: Same<
    ToolCallPayload,
    {
      readonly toolName: string;
      readonly agentId: string;
      readonly callId?: string;
      readonly input?: Record<string, unknown>;
    }
  >;
  readonly tool_result: Same<
    ToolResultPayload,
    {
      readonly toolName: string;
      readonly agentId: string;
      readonly success: boolean;
      readonly callId?: string;
      readonly output?: Record<string, unknown>;
    }
  >;
  readonly token_usage: Same<
    TokenUsagePayload,
    {
      readonly agentId: string;
      readonly promptTokens: number;
      readonly completionTokens: number;
      readonly model?: string;
      readonly cost?: number;
    }
  >;
  readonly agent_state_change: Same<
    AgentStateChangePayload,
    {
      readonly agentId: string;
      readonly from: AgentState;
      readonly to: AgentState;
      readonly reason?: string;
    }
  >;
  readonly error: Same<
    ErrorPayload,
    {
      readonly message: string;
      readonly severity: ErrorSeverity;
      readonly agentId?: string;
      readonly code?: string;
    }
  >;
  readonly completion: Same<
    CompletionPayload,
    {
      readonly taskId: string;
      readonly success: boolean;
      readonly agentId?: string;
      readonly result?: string;
    }
  >;
  readonly text_delta: Same<
    TextDeltaPayload,
    {
      readonly agentId: string;
      readonly content: string;
      readonly contentType?: "text" | "code" | "markdown";
      readonly index?: number;
    }
  >;
  readonly thinking: Same<ThinkingPayload, { readonly agentId: string; readonly content: string }>;
  readonly "user.click": Same<
    UserClickPayload,
    { readonly target: string; readonly position?: BoardPosition }
  >;
  readonly "user.move": Same<
    UserMovePayload,
    { readonly entityId: string; readonly toSlot: string; readonly toZone?: string }
  >;
  readonly "user.zone": Same<
    UserZonePayload,
    { readonly bounds: BoardBounds; readonly intent?: string }
  >;
  readonly "user.command": Same<
    UserCommandPayload,
    {
      readonly entityId: string;
      readonly action: string;
      readonly params?: Record<string, unknown>;
    }
  >;
  readonly "user.point": Same<
    UserPointPayload,
    { readonly position: BoardPosition; readonly zone?: string }
  >;
}

const HOLDS: { readonly [Name in WellKnownSignalType]: Written[Name] & true } = {
  task_dispatch: true,
  tool_call: true,
  tool_result: true,
  token_usage: true,
  agent_state_change: true,
  error: true,
  completion: true,
  text_delta: true,
  thinking: true,
  "user.click": true,
  "user.move": true,
  "user.zone": true,
  "user.command": true,
  "user.point": true,
};

test("the fourteen payloads and the types around them have the names of the protocol", () => {
  assert.equal(Object.keys(HOLDS).length, 14);
  const states: Same<AgentState, "idle" | "thinking" | "acting" | "waiting" | "done" | "error"> =
    true;
  const severities: Same<ErrorSeverity, "warning" | "error" | "critical"> = true;
  const position: Same<BoardPosition, { readonly x: number; readonly y: number }> = true;
  const known: Same<WellKnownSignalType, keyof SignalPayloadMap> = true;
  assert.ok(states && severities && position && known);
});

/** The reference's own handler. */
function handleSignal(signal: SignalEvent, say: (text: string) => void): void {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- as the reference has it
  switch (signal.type) {
    case "task_dispatch": {
      const payload: TaskDispatchPayload = signal.payload;
      say(payload.taskId);
      break;
    }
    case "error": {
      const payload: ErrorPayload = signal.payload;
      say(payload.severity);
      break;
    }
  }
}

test("the reference's own handler compiles and runs", () => {
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const base = { id: "1", timestamp: 1, source: "test" };
  const payload = { taskId: "t", from: "a", to: "b" };
  handleSignal({ ...base, type: "task_dispatch", payload }, say);
  handleSignal({ ...base, type: "error", payload: { message: "m", severity: "critical" } }, say);
  assert.deepEqual(said, ["t", "critical"]);
  const own: SignalType = "deploy.finished";
  const type = "deploy.finished";
  const custom: SignalEnvelope<typeof type> = { ...base, type, payload: { anything: [1] } };
  assert.equal(custom.type, own);
});
