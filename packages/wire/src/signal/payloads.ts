/**
 * Signal wire: what the 14 well-known types carry. Closed: what else a producer knows goes to the
 * envelope's `metadata`.
 */
import { Type, type Static, type TSchema } from "@atrium/schema";
import { AnyObject, closed, Count } from "../scalars.ts";

const Text = Type.String();
const OptionalText = Type.Optional(Text);

const AgentState = Type.Union([
  Type.Literal("idle"),
  Type.Literal("thinking"),
  Type.Literal("acting"),
  Type.Literal("waiting"),
  Type.Literal("done"),
  Type.Literal("error"),
]);
export type AgentState = Static<typeof AgentState>;

const ErrorSeverity = Type.Union([
  Type.Literal("warning"),
  Type.Literal("error"),
  Type.Literal("critical"),
]);
export type ErrorSeverity = Static<typeof ErrorSeverity>;

const ContentType = Type.Union([
  Type.Literal("text"),
  Type.Literal("code"),
  Type.Literal("markdown"),
]);

const BoardPosition = Type.Object({ x: Type.Number(), y: Type.Number() }, closed);
export type BoardPosition = Readonly<Static<typeof BoardPosition>>;

const Extent = Type.Number({ minimum: 0 });
const BoardBounds = Type.Object(
  { x: Type.Number(), y: Type.Number(), w: Extent, h: Extent },
  closed,
);
export type BoardBounds = Readonly<Static<typeof BoardBounds>>;

export const SIGNAL_PAYLOADS = {
  task_dispatch: Type.Object(
    { taskId: Text, from: Text, to: Text, description: OptionalText },
    closed,
  ),
  tool_call: Type.Object(
    { toolName: Text, agentId: Text, callId: OptionalText, input: Type.Optional(AnyObject) },
    closed,
  ),
  tool_result: Type.Object(
    {
      toolName: Text,
      agentId: Text,
      success: Type.Boolean(),
      callId: OptionalText,
      output: Type.Optional(AnyObject),
    },
    closed,
  ),
  token_usage: Type.Object(
    {
      agentId: Text,
      promptTokens: Count,
      completionTokens: Count,
      model: OptionalText,
      cost: Type.Optional(Type.Number({ minimum: 0 })),
    },
    closed,
  ),
  agent_state_change: Type.Object(
    { agentId: Text, from: AgentState, to: AgentState, reason: OptionalText },
    closed,
  ),
  error: Type.Object(
    { message: Text, severity: ErrorSeverity, agentId: OptionalText, code: OptionalText },
    closed,
  ),
  completion: Type.Object(
    { taskId: Text, success: Type.Boolean(), agentId: OptionalText, result: OptionalText },
    closed,
  ),
  text_delta: Type.Object(
    {
      agentId: Text,
      content: Text,
      contentType: Type.Optional(ContentType),
      index: Type.Optional(Count),
    },
    closed,
  ),
  thinking: Type.Object({ agentId: Text, content: Text }, closed),
  "user.click": Type.Object({ target: Text, position: Type.Optional(BoardPosition) }, closed),
  "user.move": Type.Object({ entityId: Text, toSlot: Text, toZone: OptionalText }, closed),
  "user.zone": Type.Object({ bounds: BoardBounds, intent: OptionalText }, closed),
  "user.command": Type.Object(
    { entityId: Text, action: Text, params: Type.Optional(AnyObject) },
    closed,
  ),
  "user.point": Type.Object({ position: BoardPosition, zone: OptionalText }, closed),
} as const satisfies Readonly<Record<string, TSchema>>;
