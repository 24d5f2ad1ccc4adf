/**
 * Signal wire: what the 14 well-known types carry. Closed: what else a producer knows goes to the
 * envelope's `metadata`.
 */
import { Type, type Static, type TSchema } from "@atrium/schema";
import { AnyObject, Count, strictObject, literals } from "../scalars.ts";

const Text = Type.String();
const OptionalText = Type.Optional(Text);

const AgentState = literals("idle", "thinking", "acting", "waiting", "done", "error");
export type AgentState = Static<typeof AgentState>;

const ErrorSeverity = literals("warning", "error", "critical");
export type ErrorSeverity = Static<typeof ErrorSeverity>;

const ContentType = literals("text", "code", "markdown");

const BoardPosition = strictObject({ x: Type.Number(), y: Type.Number() });
export type BoardPosition = Readonly<Static<typeof BoardPosition>>;

const Extent = Type.Number({ minimum: 0 });
const BoardBounds = strictObject({ x: Type.Number(), y: Type.Number(), w: Extent, h: Extent });
export type BoardBounds = Readonly<Static<typeof BoardBounds>>;

export const SIGNAL_PAYLOADS = {
  task_dispatch: strictObject({ taskId: Text, from: Text, to: Text, description: OptionalText }),
  tool_call: strictObject({
    toolName: Text,
    agentId: Text,
    callId: OptionalText,
    input: Type.Optional(AnyObject),
  }),
  tool_result: strictObject({
    toolName: Text,
    agentId: Text,
    success: Type.Boolean(),
    callId: OptionalText,
    output: Type.Optional(AnyObject),
  }),
  token_usage: strictObject({
    agentId: Text,
    promptTokens: Count,
    completionTokens: Count,
    model: OptionalText,
    cost: Type.Optional(Type.Number({ minimum: 0 })),
  }),
  agent_state_change: strictObject({
    agentId: Text,
    from: AgentState,
    to: AgentState,
    reason: OptionalText,
  }),
  error: strictObject({
    message: Text,
    severity: ErrorSeverity,
    agentId: OptionalText,
    code: OptionalText,
  }),
  completion: strictObject({
    taskId: Text,
    success: Type.Boolean(),
    agentId: OptionalText,
    result: OptionalText,
  }),
  text_delta: strictObject({
    agentId: Text,
    content: Text,
    contentType: Type.Optional(ContentType),
    index: Type.Optional(Count),
  }),
  thinking: strictObject({ agentId: Text, content: Text }),
  "user.click": strictObject({ target: Text, position: Type.Optional(BoardPosition) }),
  "user.move": strictObject({ entityId: Text, toSlot: Text, toZone: OptionalText }),
  "user.zone": strictObject({ bounds: BoardBounds, intent: OptionalText }),
  "user.command": strictObject({ entityId: Text, action: Text, params: Type.Optional(AnyObject) }),
  "user.point": strictObject({ position: BoardPosition, zone: OptionalText }),
} as const satisfies Readonly<Record<string, TSchema>>;
