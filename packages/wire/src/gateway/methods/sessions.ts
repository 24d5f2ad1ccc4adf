/** Gateway wire: what the peer calls sessions and we call conversations. */
import { Type, type Static } from "@atrium/schema";
import { event } from "../../event.ts";
import { IdempotencyKey, MessageText, SessionKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { Count, NonEmptyString, Timestamp, strictObject, literals } from "../../scalars.ts";
import { ChatAttachment } from "./attachment.ts";

const Label = Type.String({ minLength: 1, maxLength: 512 });

export const SessionRow = strictObject({
  key: NonEmptyString,
  kind: literals("direct", "group", "global", "unknown"),
  agentId: NonEmptyString,
  isMain: Type.Boolean(),
  chatType: Type.Literal("direct"),
  /** Where `send` reaches it; clients that answer conversations skip those without. */
  deliveryContext: strictObject({ channel: NonEmptyString, to: NonEmptyString }),
  sessionId: Type.Optional(NonEmptyString),
  label: Type.Optional(Label),
  displayName: Type.Optional(NonEmptyString),
  derivedTitle: Type.Optional(NonEmptyString),
  createdAt: Type.Optional(Timestamp),
  updatedAt: Type.Union([Timestamp, Type.Null()]),
  lastActivityAt: Type.Optional(Timestamp),
  archived: Type.Boolean(),
  pinned: Type.Boolean(),
  unread: Type.Boolean(),
  totalMessages: Count,
  lastMessagePreview: Type.Optional(Type.String()),
  status: Type.Optional(literals("queued", "running", "done", "failed", "killed")),
  hasActiveRun: Type.Boolean(),
  activeRunIds: Type.Optional(Type.Array(NonEmptyString)),
  inputTokens: Count,
  outputTokens: Count,
  totalTokens: Count,
  totalTokensFresh: Type.Boolean(),
  /** Left out when it is not known, or not all of it. */
  estimatedCostUsd: Type.Optional(Type.Number({ minimum: 0 })),
  contextTokens: Type.Optional(Count),
  modelProvider: Type.Optional(NonEmptyString),
  model: Type.Optional(NonEmptyString),
  thinkingLevel: Type.Optional(Type.String()),
  verboseLevel: Type.Optional(Type.String()),
  reasoningLevel: Type.Optional(Type.String()),
  responseUsage: Type.Optional(Type.String()),
  category: Type.Optional(Type.String()),
  icon: Type.Optional(Type.String()),
  color: Type.Optional(Type.String()),
});
export type SessionRow = Static<typeof SessionRow>;

export const SessionDefaults = strictObject({
  modelProvider: Type.Union([NonEmptyString, Type.Null()]),
  model: Type.Union([NonEmptyString, Type.Null()]),
  contextTokens: Type.Union([Count, Type.Null()]),
});
export type SessionDefaults = Static<typeof SessionDefaults>;

/** What of a conversation a client stores with us, as the peer calls it. */
export const SessionEntry = strictObject({
  sessionId: NonEmptyString,
  updatedAt: Timestamp,
  label: Type.Optional(Label),
  model: Type.Optional(NonEmptyString),
  thinkingLevel: Type.Optional(Type.String()),
  archived: Type.Boolean(),
  pinned: Type.Boolean(),
  unread: Type.Boolean(),
});
export const ResolvedModel = strictObject({ modelProvider: NonEmptyString, model: NonEmptyString });
const named = { key: SessionKey, agentId: Type.Optional(NonEmptyString) };

export const sessionsList = method({
  name: "sessions.list",
  scope: "operator.read",
  params: strictObject({
    /** More than is given at once may be asked for; `limitApplied` says what was. */
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
    offset: Type.Optional(Count),
    activeMinutes: Type.Optional(Type.Integer({ minimum: 1 })),
    activeOnly: Type.Optional(Type.Boolean()),
    agentId: Type.Optional(NonEmptyString),
    label: Type.Optional(Label),
    search: Type.Optional(Type.String()),
    archived: Type.Optional(Type.Union([Type.Boolean(), Type.Literal("all")])),
    pinned: Type.Optional(Type.Boolean()),
    sortBy: Type.Optional(literals("updatedAt", "lastInteractionAt", "activity")),
    includeLastMessage: Type.Optional(Type.Boolean()),
    includeDerivedTitles: Type.Optional(Type.Boolean()),
    /** Nothing here is spawned by another conversation, so asking for such gives none. */
    spawnedBy: Type.Optional(NonEmptyString),
    // Atrium has no global, unknown, cron or system sessions, no boards and no profiles; every agent is
    // configured. Clients send these, and what they ask for is so.
    includeGlobal: Type.Optional(Type.Boolean()),
    includeUnknown: Type.Optional(Type.Boolean()),
    excludeSubagents: Type.Optional(Type.Boolean()),
    excludeCron: Type.Optional(Type.Boolean()),
    excludeSystem: Type.Optional(Type.Boolean()),
    configuredAgentsOnly: Type.Optional(Type.Boolean()),
    includeActivitySummary: Type.Optional(Type.Boolean()),
    includePeople: Type.Optional(Type.Boolean()),
    requireLastInteraction: Type.Optional(Type.Boolean()),
    ownerFirst: Type.Optional(Type.Boolean()),
  }),
  result: strictObject({
    ts: Timestamp,
    path: Type.String(),
    count: Count,
    totalCount: Count,
    limitApplied: Count,
    nextOffset: Type.Union([Count, Type.Null()]),
    hasMore: Type.Boolean(),
    /** Conversations belong to agents, not to people. */
    owners: Type.Array(Type.Never()),
    defaults: SessionDefaults,
    sessions: Type.Array(SessionRow),
  }),
});

export const sessionsDescribe = method({
  name: "sessions.describe",
  scope: "operator.read",
  params: strictObject({
    ...named,
    includeDerivedTitles: Type.Optional(Type.Boolean()),
    includeLastMessage: Type.Optional(Type.Boolean()),
  }),
  /** Null: nobody has used it yet. */
  result: strictObject({ session: Type.Union([SessionRow, Type.Null()]) }),
});

/** The newest messages of a conversation, for programs that need no more. */
export const sessionsGet = method({
  name: "sessions.get",
  scope: "operator.read",
  params: strictObject({
    ...named,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  }),
  // The messages have the shape chat.history gives them; that schema builds on this file.
  result: strictObject({ messages: Type.Array(Type.Unknown()) }),
});

export const sessionsCreate = method({
  name: "sessions.create",
  scope: "operator.write",
  idempotency: "optional",
  params: strictObject({
    key: Type.Optional(SessionKey),
    idempotencyKey: Type.Optional(IdempotencyKey),
    agentId: Type.Optional(NonEmptyString),
    label: Type.Optional(Label),
    displayName: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    category: Type.Optional(Label),
    model: Type.Optional(NonEmptyString),
    thinkingLevel: Type.Optional(NonEmptyString),
    /** The first message, sent right away. */
    message: Type.Optional(MessageText),
    task: Type.Optional(MessageText),
    attachments: Type.Optional(Type.Array(ChatAttachment)),
    timeoutMs: Type.Optional(Count),
    // Hints of the peer's own clients that change nothing here.
    titleSource: Type.Optional(Type.String({ maxLength: 1000 })),
    emitCommandHooks: Type.Optional(Type.Boolean()),
    fastMode: Type.Optional(Type.Union([Type.Boolean(), Type.Literal("auto")])),
    parentSessionKey: Type.Optional(NonEmptyString),
    succeedsParent: Type.Optional(Type.Boolean()),
    visibility: Type.Optional(Type.Literal("shared")),
  }),
  result: strictObject({
    ok: Type.Literal(true),
    key: NonEmptyString,
    sessionId: NonEmptyString,
    entry: SessionEntry,
    runStarted: Type.Boolean(),
    runId: Type.Optional(NonEmptyString),
    resolved: ResolvedModel,
  }),
});

const orNull = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

export const sessionsPatch = method({
  name: "sessions.patch",
  scope: "operator.write",
  // Setting a value twice is setting it once.
  idempotency: "optional",
  params: strictObject({
    ...named,
    expectedSessionId: Type.Optional(NonEmptyString),
    expectedMarkedUnreadAt: orNull(Type.Number({ minimum: 0 })),
    label: orNull(Label),
    model: orNull(NonEmptyString),
    thinkingLevel: orNull(NonEmptyString),
    archived: Type.Optional(Type.Boolean()),
    pinned: Type.Optional(Type.Boolean()),
    unread: Type.Optional(Type.Boolean()),
    // How clients show it; kept for them.
    verboseLevel: orNull(NonEmptyString),
    reasoningLevel: orNull(NonEmptyString),
    traceLevel: orNull(NonEmptyString),
    responseUsage: orNull(Type.String()),
    category: orNull(Label),
    icon: orNull(Type.String()),
    color: orNull(Type.String()),
    idempotencyKey: Type.Optional(IdempotencyKey),
  }),
  result: strictObject({
    ok: Type.Literal(true),
    path: Type.String(),
    key: NonEmptyString,
    entry: SessionEntry,
    resolved: ResolvedModel,
  }),
});

export const sessionsReset = method({
  name: "sessions.reset",
  scope: "operator.admin",
  idempotency: "optional",
  params: strictObject({
    ...named,
    reason: Type.Optional(Type.Union([Type.Literal("new"), Type.Literal("reset")])),
    expectedSessionId: Type.Optional(NonEmptyString),
    // Left out: false. True erases what was said before, as deleting does; an agent's main conversation is emptied so.
    deleteTranscript: Type.Optional(Type.Boolean()),
    idempotencyKey: Type.Optional(IdempotencyKey),
  }),
  result: strictObject({
    ok: Type.Literal(true),
    key: NonEmptyString,
    entry: SessionEntry,
    resolved: ResolvedModel,
  }),
});

export const sessionsDelete = method({
  name: "sessions.delete",
  scope: "operator.admin",
  idempotency: "optional",
  params: strictObject({
    ...named,
    expectedSessionId: Type.Optional(NonEmptyString),
    archivedOnly: Type.Optional(Type.Boolean()),
    // Left out: true. False keeps the words in the log, where no list shows them.
    deleteTranscript: Type.Optional(Type.Boolean()),
    emitLifecycleHooks: Type.Optional(Type.Boolean()),
    idempotencyKey: Type.Optional(IdempotencyKey),
  }),
  result: strictObject({
    ok: Type.Literal(true),
    key: NonEmptyString,
    deleted: Type.Boolean(),
    archived: Type.Array(NonEmptyString),
  }),
});

export const Subscribed = strictObject({ subscribed: Type.Boolean() });
export const SubscribedTo = strictObject({ subscribed: Type.Boolean(), key: NonEmptyString });

export const sessionsSubscribe = method({
  name: "sessions.subscribe",
  scope: "operator.read",
  params: strictObject({}),
  result: Subscribed,
});

export const sessionsUnsubscribe = method({
  name: "sessions.unsubscribe",
  scope: "operator.read",
  params: strictObject({}),
  result: Subscribed,
});

export const sessionsMessagesSubscribe = method({
  name: "sessions.messages.subscribe",
  scope: "operator.read",
  // Approvals are told to everyone who may answer them.
  params: strictObject({ ...named, includeApprovals: Type.Optional(Type.Literal(true)) }),
  result: SubscribedTo,
});

export const sessionsMessagesUnsubscribe = method({
  name: "sessions.messages.unsubscribe",
  scope: "operator.read",
  params: strictObject(named),
  result: SubscribedTo,
});

export const sessionMessage = event({
  name: "session.message",
  scope: "operator.read",
  payload: strictObject({
    sessionKey: NonEmptyString,
    agentId: NonEmptyString,
    messageId: NonEmptyString,
    messageSeq: Count,
    message: Type.Unknown(),
    lastChannel: NonEmptyString,
    lastTo: NonEmptyString,
    session: SessionRow,
  }),
});

export const sessionsChanged = event({
  name: "sessions.changed",
  scope: "operator.read",
  payload: strictObject({
    sessionKey: NonEmptyString,
    agentId: NonEmptyString,
    ts: Timestamp,
    reason: NonEmptyString,
    runId: Type.Optional(NonEmptyString),
    phase: Type.Optional(literals("start", "end", "error")),
    /** Absent once it is deleted. */
    session: Type.Optional(SessionRow),
  }),
});
