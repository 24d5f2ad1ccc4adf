/** Gateway wire: what is served over plain HTTP beside the socket: `/tools/invoke`, `/sessions/{key}/history`. */
import { Type, type Static } from "@atrium/schema";
import { AnyObject, NonEmptyString, strictObject } from "../scalars.ts";
import { ChatMessage } from "./methods/chat.ts";

/** Forgives unknown keys, as the peer does: its clients send hints for policies that are not ours. */
export const ToolsInvokeRequest = Type.Object({
  tool: Type.Optional(NonEmptyString),
  /** Wins over `tool`. */
  name: Type.Optional(NonEmptyString),
  action: Type.Optional(Type.String()),
  args: Type.Optional(AnyObject),
  sessionKey: Type.Optional(NonEmptyString),
  agentId: Type.Optional(NonEmptyString),
  dryRun: Type.Optional(Type.Boolean()),
  idempotencyKey: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
});
export type ToolsInvokeRequest = Static<typeof ToolsInvokeRequest>;

export const ToolsInvokeResult = strictObject({
  ok: Type.Literal(true),
  result: strictObject({
    content: Type.Array(strictObject({ type: Type.Literal("text"), text: Type.String() })),
    /** Nothing was done: the call was only looked at. */
    dryRun: Type.Optional(Type.Literal(true)),
  }),
});
export type ToolsInvokeResult = Static<typeof ToolsInvokeResult>;

export const PlainError = strictObject({
  ok: Type.Literal(false),
  error: strictObject({ type: NonEmptyString, message: NonEmptyString }),
});
export type PlainError = Static<typeof PlainError>;

export const SessionHistoryPage = strictObject({
  sessionKey: NonEmptyString,
  sessionId: NonEmptyString,
  items: Type.Array(ChatMessage),
  /** The same list, under the name older clients read. */
  messages: Type.Array(ChatMessage),
  hasMore: Type.Boolean(),
  nextCursor: Type.Optional(NonEmptyString),
});
export type SessionHistoryPage = Static<typeof SessionHistoryPage>;
