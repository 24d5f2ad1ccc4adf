/**
 * Gateway wire: the `chat.*` methods and the `chat` event.
 *
 * A session key may be short ("main"); replies echo what was asked, events always carry the
 * canonical key ("agent:main:main").
 */
import { Type, type Static } from "@atrium/schema";
import { IdempotencyKey, SessionKey } from "../ids.ts";
import { method } from "../method.ts";
import { Position } from "../position.ts";
import { Count, NonEmptyString, Timestamp, closed } from "../scalars.ts";
import { event } from "./event.ts";
import { SessionRow } from "./sessions.ts";

const TextPart = Type.Object({ type: Type.Literal("text"), text: Type.String() }, closed);

export const ChatMessage = Type.Object(
  {
    role: Type.Union([Type.Literal("user"), Type.Literal("assistant"), Type.Literal("system")]),
    content: Type.Array(TextPart),
    timestamp: Timestamp,
    stopReason: Type.Optional(NonEmptyString),
    provider: Type.Optional(NonEmptyString),
    model: Type.Optional(NonEmptyString),
    idempotencyKey: Type.Optional(NonEmptyString),
    /** True when `maxChars` cut the text. */
    truncated: Type.Optional(Type.Boolean()),
    __openclaw: Type.Optional(
      Type.Object({ id: NonEmptyString, seq: Count, recordTimestampMs: Timestamp }, closed),
    ),
  },
  closed,
);
export type ChatMessage = Static<typeof ChatMessage>;

export const chatInject = method({
  name: "chat.inject",
  scope: "operator.admin",
  idempotency: "optional",
  advertised: false,
  params: Type.Object(
    {
      sessionKey: SessionKey,
      agentId: Type.Optional(NonEmptyString),
      message: NonEmptyString,
      label: Type.Optional(Type.String({ maxLength: 100 })),
      idempotencyKey: Type.Optional(IdempotencyKey),
    },
    closed,
  ),
  result: Type.Object(
    { ok: Type.Literal(true), messageId: NonEmptyString, position: Position },
    closed,
  ),
});

export const chatHistory = method({
  name: "chat.history",
  scope: "operator.read",
  params: Type.Object(
    {
      sessionKey: SessionKey,
      agentId: Type.Optional(NonEmptyString),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      /** How many of the newest messages to pass over. */
      offset: Type.Optional(Count),
      maxChars: Type.Optional(Type.Integer({ minimum: 1, maximum: 500_000 })),
    },
    closed,
  ),
  result: Type.Object(
    {
      sessionKey: NonEmptyString,
      sessionId: Type.Optional(NonEmptyString),
      messages: Type.Array(ChatMessage),
      pendingInputs: Type.Object({ items: Type.Array(Type.Never()), total: Count }, closed),
      hasMore: Type.Boolean(),
      nextOffset: Type.Optional(Count),
      totalMessages: Count,
      sessionInfo: Type.Optional(SessionRow),
    },
    closed,
  ),
});

export const chatChanged = event({
  name: "chat",
  scope: "operator.read",
  payload: Type.Object(
    {
      runId: NonEmptyString,
      sessionKey: NonEmptyString,
      agentId: NonEmptyString,
      seq: Count,
      state: Type.Literal("final"),
      message: ChatMessage,
    },
    closed,
  ),
});
