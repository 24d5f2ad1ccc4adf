/**
 * Bridge wire: one JSON object per frame, told apart by `type`.
 *
 * The plugin inside a Claude Code process connects and says hello; from then on messages and verdicts
 * go to Claude, tool calls and permission requests come from it. Frames are open: a field that is not
 * known here belongs to another version of the other side, and is ignored. `meta`, `args`, `result` and
 * `session_meta` hold whatever the two sides want to tell each other.
 */
import { Type, type Static } from "@atrium/schema";
import { MessageText, SessionKey } from "../ids.ts";
import { AnyObject, NonEmptyString } from "../scalars.ts";

const Name = Type.String({ minLength: 1, maxLength: 256 });
/** What a `ping` carries and its `pong` repeats. We send milliseconds since 1970. */
const Stamp = Type.Union([Type.Number(), Type.String({ maxLength: 64 })]);
/** Five lower-case letters without `l`, which looks like a one. */
export const PermissionCode = Type.String({ pattern: "^[a-km-z]{5}$" });

/** As MCP has it. */
export const BridgeTool = Type.Object({
  name: Name,
  description: Type.Optional(Type.String()),
  /** JSON Schema of an object. We send it under both names; whoever reads it needs one. */
  inputSchema: Type.Optional(AnyObject),
  input_schema: Type.Optional(AnyObject),
});
export type BridgeTool = Static<typeof BridgeTool>;

export const Hello = Type.Object({
  type: Type.Literal("hello"),
  openclaw_session: SessionKey,
  claude_session: Name,
  pid: Type.Integer({ minimum: 0 }),
  token: Type.String({ maxLength: 1024 }),
});
export type Hello = Static<typeof Hello>;

export const HelloAck = Type.Object({
  type: Type.Literal("hello_ack"),
  tools: Type.Array(BridgeTool),
  session_meta: AnyObject,
});
export type HelloAck = Static<typeof HelloAck>;

/** Where a message comes from. Open: a surface may know more about its messages. */
const InboundMeta = Type.Object({
  chat_id: SessionKey,
  message_id: Type.Optional(Type.String()),
  user: Type.Optional(Type.String()),
  user_id: Type.Optional(Type.String()),
  /** ISO 8601. */
  ts: Type.Optional(Type.String()),
  source_channel: Type.Optional(Type.String()),
  attachments: Type.Optional(Type.Array(Type.Unknown())),
});

export const InboundMessage = Type.Object({
  type: Type.Literal("inbound_message"),
  /** One of its kind; a message that comes twice has the same, and counts once. */
  request_id: Name,
  content: MessageText,
  meta: InboundMeta,
});
export type InboundMessage = Static<typeof InboundMessage>;

export const PermissionReply = Type.Object({
  type: Type.Literal("permission_reply"),
  request_id: PermissionCode,
  behavior: Type.Union([Type.Literal("allow"), Type.Literal("deny")]),
});
export type PermissionReply = Static<typeof PermissionReply>;

export const ToolCall = Type.Object({
  type: Type.Literal("tool_call"),
  call_id: Name,
  tool: Name,
  args: AnyObject,
});
export type ToolCall = Static<typeof ToolCall>;

export const ToolResult = Type.Union([
  Type.Object({
    type: Type.Literal("tool_result"),
    call_id: Name,
    ok: Type.Literal(true),
    result: Type.Unknown(),
  }),
  Type.Object({
    type: Type.Literal("tool_result"),
    call_id: Name,
    ok: Type.Literal(false),
    error: NonEmptyString,
  }),
]);
export type ToolResult = Static<typeof ToolResult>;

export const BridgePermissionRequest = Type.Object({
  type: Type.Literal("permission_request"),
  request_id: PermissionCode,
  tool: Name,
  args: AnyObject,
  rationale: Type.Optional(Type.String()),
});
export type BridgePermissionRequest = Static<typeof BridgePermissionRequest>;

export const Ping = Type.Object({ type: Type.Literal("ping"), ts: Stamp });
export type Ping = Static<typeof Ping>;

export const Pong = Type.Object({ type: Type.Literal("pong"), ts: Stamp });
export type Pong = Static<typeof Pong>;
