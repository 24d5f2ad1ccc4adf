/**
 * Gateway wire: the `chat.*` methods and the `chat` event.
 *
 * A session key may be short ("main"); replies echo what was asked, events always carry the
 * canonical key ("agent:main:main").
 */
import { Type, type Static } from "@atrium/schema";
import { event } from "../../event.ts";
import { IdempotencyKey, MessageText, SessionKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { Position } from "../../position.ts";
import {
  AnyObject,
  Count,
  NonEmptyString,
  Timestamp,
  strictObject,
  literals,
} from "../../scalars.ts";
import { ChatAttachment } from "./attachment.ts";
import { SessionDefaults, SessionRow } from "./sessions.ts";

const TextPart = strictObject({ type: Type.Literal("text"), text: Type.String() });
const ToolCallPart = strictObject({
  type: Type.Literal("toolCall"),
  id: NonEmptyString,
  name: NonEmptyString,
  arguments: Type.Unknown(),
});
const AttachmentPart = strictObject({
  type: Type.Literal("attachment"),
  fileName: Type.String(),
  mimeType: NonEmptyString,
  sizeBytes: Count,
});

export const TokenUsage = strictObject({
  /** Without what came from the provider's cache. */
  input: Count,
  output: Count,
  cacheRead: Type.Optional(Count),
  totalTokens: Count,
  /** In US dollars; left out when it is not known. */
  cost: Type.Optional(strictObject({ total: Type.Number({ minimum: 0 }) })),
});
export type TokenUsage = Static<typeof TokenUsage>;

export const ChatMessage = strictObject({
  role: literals("user", "assistant", "toolResult"),
  content: Type.Array(Type.Union([TextPart, ToolCallPart, AttachmentPart])),
  timestamp: Timestamp,
  stopReason: Type.Optional(NonEmptyString),
  /** Why it failed, when that stopped it. */
  errorMessage: Type.Optional(Type.String()),
  usage: Type.Optional(TokenUsage),
  provider: Type.Optional(NonEmptyString),
  model: Type.Optional(NonEmptyString),
  toolCallId: Type.Optional(NonEmptyString),
  toolName: Type.Optional(NonEmptyString),
  isError: Type.Optional(Type.Boolean()),
  idempotencyKey: Type.Optional(NonEmptyString),
  /** What whoever said it is called, when their client told. */
  senderLabel: Type.Optional(Type.String()),
  openclawAbort: Type.Optional(
    strictObject({ aborted: Type.Literal(true), runId: NonEmptyString }),
  ),
  /** True when `maxChars` cut the text. */
  truncated: Type.Optional(Type.Boolean()),
  __openclaw: Type.Optional(
    strictObject({
      id: NonEmptyString,
      seq: Type.Optional(Count),
      recordTimestampMs: Timestamp,
      runId: Type.Optional(NonEmptyString),
    }),
  ),
});
export type ChatMessage = Static<typeof ChatMessage>;

export const QueueMode = literals("steer", "followup", "collect", "interrupt");

export const chatSend = method({
  name: "chat.send",
  scope: "operator.write",
  idempotency: "required",
  keyspace: "run",
  params: strictObject({
    sessionKey: SessionKey,
    agentId: Type.Optional(NonEmptyString),
    /** Refused when the conversation has been reset since. */
    sessionId: Type.Optional(NonEmptyString),
    message: MessageText,
    thinking: Type.Optional(Type.String()),
    queueMode: Type.Optional(QueueMode),
    attachments: Type.Optional(Type.Array(ChatAttachment)),
    /** 0: no limit but the server's own. */
    timeoutMs: Type.Optional(Count),
    /** The message is for the agent even when it looks like a command. */
    suppressCommandInterpretation: Type.Optional(Type.Boolean()),
    // Where the answer is to be delivered besides; Atrium answers in the conversation itself.
    deliver: Type.Optional(Type.Boolean()),
    originatingChannel: Type.Optional(Type.String()),
    originatingTo: Type.Optional(Type.String()),
    originatingAccountId: Type.Optional(Type.String()),
    originatingThreadId: Type.Optional(Type.String()),
    replyToId: Type.Optional(NonEmptyString),
    // Hints of the peer's own clients that change nothing here.
    fastMode: Type.Optional(Type.Union([Type.Boolean(), Type.Literal("auto")])),
    fastAutoOnSeconds: Type.Optional(Type.Integer({ minimum: 1 })),
    mentions: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 10 })),
    workContext: Type.Optional(AnyObject),
    systemInputProvenance: Type.Optional(AnyObject),
    systemProvenanceReceipt: Type.Optional(Type.String()),
    expectedLeafEntryId: Type.Optional(Type.Union([NonEmptyString, Type.Null()])),
    expectedSessionRoutingContract: Type.Optional(NonEmptyString),
    expectedPermissionMode: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    expectedToolOverrides: Type.Optional(Type.Union([AnyObject, Type.Null()])),
    idempotencyKey: IdempotencyKey,
  }),
  result: strictObject({
    runId: NonEmptyString,
    status: literals("started", "in_flight", "ok", "timeout"),
    summary: Type.Optional(NonEmptyString),
    stopReason: Type.Optional(NonEmptyString),
    endedAt: Type.Optional(Timestamp),
  }),
});

export const chatAbort = method({
  name: "chat.abort",
  scope: "operator.write",
  // Asking twice for a stop is asking once.
  idempotency: "optional",
  params: strictObject({
    sessionKey: SessionKey,
    agentId: Type.Optional(NonEmptyString),
    runId: Type.Optional(NonEmptyString),
    preserveSideRuns: Type.Optional(Type.Boolean()),
    idempotencyKey: Type.Optional(IdempotencyKey),
  }),
  result: strictObject({
    ok: Type.Literal(true),
    aborted: Type.Boolean(),
    runIds: Type.Array(NonEmptyString),
  }),
});

export const chatInject = method({
  name: "chat.inject",
  scope: "operator.admin",
  idempotency: "optional",
  params: strictObject({
    sessionKey: SessionKey,
    agentId: Type.Optional(NonEmptyString),
    message: Type.String({ minLength: 1, maxLength: 1_000_000 }),
    label: Type.Optional(Type.String({ maxLength: 100 })),
    idempotencyKey: Type.Optional(IdempotencyKey),
  }),
  result: strictObject({ ok: Type.Literal(true), messageId: NonEmptyString, position: Position }),
});

const historyParams = {
  sessionKey: SessionKey,
  agentId: Type.Optional(NonEmptyString),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  /** How many of the newest messages to pass over. */
  offset: Type.Optional(Count),
  maxChars: Type.Optional(Type.Integer({ minimum: 1, maximum: 500_000 })),
  maxBytes: Type.Optional(Type.Integer({ minimum: 1024 })),
  /** From an earlier answer: only what has come since. */
  cursor: Type.Optional(Type.String()),
  /** The page around this message, instead of one counted from the newest. */
  messageId: Type.Optional(NonEmptyString),
  /** Refused when the conversation has been reset since. */
  sessionId: Type.Optional(NonEmptyString),
  // Messages that wait are part of the transcript here, so there is nothing else to page through.
  pendingBefore: Type.Optional(Type.Integer({ minimum: 1 })),
  inputRunIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 50 }),
  ),
};

/** Messages that wait are in the transcript already. */
export const PendingInputs = strictObject({ items: Type.Array(Type.Never()), total: Count });

const historyResult = {
  sessionKey: NonEmptyString,
  sessionId: Type.Optional(NonEmptyString),
  /** Only in answer to a cursor: what has come since, or that the whole must be read again. */
  kind: Type.Optional(Type.Union([Type.Literal("delta"), Type.Literal("reset")])),
  messages: Type.Array(ChatMessage),
  pendingInputs: PendingInputs,
  deltaCursor: Type.Optional(NonEmptyString),
  hasMore: Type.Boolean(),
  nextOffset: Type.Optional(Count),
  totalMessages: Count,
  defaults: SessionDefaults,
  sessionInfo: Type.Optional(SessionRow),
};

export const chatHistory = method({
  name: "chat.history",
  scope: "operator.read",
  params: strictObject(historyParams),
  result: strictObject(historyResult),
});

export const ChatMetadata = strictObject({
  agentId: NonEmptyString,
  agentName: NonEmptyString,
  modelProvider: NonEmptyString,
  model: NonEmptyString,
});

/** History, and what a chat window shows around it. */
export const chatStartup = method({
  name: "chat.startup",
  scope: "operator.read",
  params: strictObject({
    ...historyParams,
    sessionKey: Type.Optional(SessionKey),
    includeMetadata: Type.Optional(Type.Boolean()),
  }),
  result: strictObject({ ...historyResult, metadata: ChatMetadata }),
});

export const chatMetadata = method({
  name: "chat.metadata",
  scope: "operator.read",
  params: strictObject({
    agentId: Type.Optional(NonEmptyString),
    sessionKey: Type.Optional(SessionKey),
  }),
  result: ChatMetadata,
});

const ofRun = {
  runId: NonEmptyString,
  sessionKey: NonEmptyString,
  agentId: NonEmptyString,
  /** Grows within the run. */
  seq: Count,
};

export const chatChanged = event({
  name: "chat",
  scope: "operator.read",
  payload: Type.Union([
    strictObject({
      ...ofRun,
      state: Type.Literal("status"),
      phase: Type.Union([Type.Literal("preparing_context"), Type.Literal("starting_model")]),
    }),
    strictObject({
      ...ofRun,
      state: Type.Literal("delta"),
      deltaText: Type.String(),
      /** The whole answer so far. */
      message: ChatMessage,
      /** `deltaText` is the whole answer so far, because the peer has missed some of it. */
      replace: Type.Optional(Type.Boolean()),
    }),
    strictObject({
      ...ofRun,
      state: Type.Literal("final"),
      message: Type.Optional(ChatMessage),
      usage: Type.Optional(TokenUsage),
      stopReason: Type.Optional(NonEmptyString),
    }),
    strictObject({
      ...ofRun,
      state: Type.Literal("aborted"),
      message: Type.Optional(ChatMessage),
      errorMessage: Type.Optional(NonEmptyString),
      stopReason: Type.Optional(NonEmptyString),
    }),
    strictObject({
      ...ofRun,
      state: Type.Literal("error"),
      message: Type.Optional(ChatMessage),
      errorMessage: NonEmptyString,
      errorKind: literals("refusal", "timeout", "rate_limit", "context_length", "unknown"),
      usage: Type.Optional(TokenUsage),
    }),
  ]),
});
