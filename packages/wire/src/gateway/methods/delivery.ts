/**
 * Gateway wire: messages to a channel, polls, and the actions the peer's command line asks for.
 *
 * Everything the peer's clients may send is declared, also what no channel here can deliver (media,
 * voice, threads): that is refused with a reason, where an unknown key could only be called unknown.
 */
import { Type, type Static } from "@atrium/schema";
import { IdempotencyKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { Count, NonEmptyString, Timestamp, strictObject } from "../../scalars.ts";

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());

/** What came of it; `runId` is the idempotency key. */
export const DeliveryReceipt = strictObject({
  runId: NonEmptyString,
  messageId: NonEmptyString,
  channel: NonEmptyString,
  conversationId: Type.Optional(NonEmptyString),
  channelId: Type.Optional(NonEmptyString),
  pollId: Type.Optional(NonEmptyString),
});
export type DeliveryReceipt = Static<typeof DeliveryReceipt>;

export const send = method({
  name: "send",
  scope: "operator.write",
  idempotency: "required",
  params: strictObject({
    to: NonEmptyString,
    message: text,
    channel: text,
    accountId: text,
    agentId: text,
    sessionKey: text,
    silent: flag,
    mediaUrl: text,
    mediaUrls: Type.Optional(Type.Array(Type.String())),
    buffer: text,
    filename: text,
    contentType: text,
    asVoice: flag,
    gifPlayback: flag,
    forceDocument: flag,
    parseMode: Type.Optional(Type.Literal("HTML")),
    replyToId: text,
    threadId: text,
    idempotencyKey: IdempotencyKey,
  }),
  result: DeliveryReceipt,
});
export type SendParams = Static<typeof send.params>;

export const poll = method({
  name: "poll",
  scope: "operator.write",
  idempotency: "required",
  params: strictObject({
    to: NonEmptyString,
    question: NonEmptyString,
    options: Type.Array(NonEmptyString, { minItems: 2, maxItems: 12 }),
    maxSelections: Type.Optional(Type.Integer({ minimum: 1, maximum: 12 })),
    durationSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 604_800 })),
    durationHours: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_760 })),
    silent: flag,
    isAnonymous: flag,
    threadId: text,
    channel: text,
    accountId: text,
    idempotencyKey: IdempotencyKey,
  }),
  result: DeliveryReceipt,
});

export const PollTallyOption = strictObject({
  label: NonEmptyString,
  votes: Count,
  names: Type.Array(Type.String()),
});

export const PollSnapshot = strictObject({
  pollId: NonEmptyString,
  question: NonEmptyString,
  maxSelections: Type.Integer({ minimum: 1 }),
  isAnonymous: Type.Boolean(),
  channel: NonEmptyString,
  to: NonEmptyString,
  status: Type.Union([Type.Literal("open"), Type.Literal("closed")]),
  openedAtMs: Timestamp,
  closesAtMs: Type.Union([Timestamp, Type.Null()]),
  closedAtMs: Type.Optional(Timestamp),
  closedBy: Type.Optional(NonEmptyString),
  voters: Count,
  options: Type.Array(PollTallyOption),
});
export type PollSnapshot = Static<typeof PollSnapshot>;

/** An option by its label or its number, counted from 1. */
const PollChoice = Type.Union([NonEmptyString, Type.Integer({ minimum: 1 })]);

export const pollVote = method({
  name: "poll.vote",
  scope: "operator.write",
  idempotency: "optional",
  params: strictObject({
    pollId: NonEmptyString,
    options: Type.Array(PollChoice, { minItems: 1, maxItems: 12 }),
    /** On whose behalf, when it is not the client's own vote. */
    voter: Type.Optional(NonEmptyString),
    idempotencyKey: Type.Optional(IdempotencyKey),
  }),
  result: strictObject({ poll: PollSnapshot }),
});

export const pollGet = method({
  name: "poll.get",
  scope: "operator.read",
  params: strictObject({ pollId: NonEmptyString }),
  result: strictObject({ poll: PollSnapshot }),
});

export const pollClose = method({
  name: "poll.close",
  scope: "operator.write",
  idempotency: "optional",
  params: strictObject({ pollId: NonEmptyString, idempotencyKey: Type.Optional(IdempotencyKey) }),
  result: strictObject({ poll: PollSnapshot }),
});

/** Served actions: send, poll, poll-vote. Their params are the command line's. */
export const messageAction = method({
  name: "message.action",
  scope: "operator.write",
  idempotency: "required",
  params: strictObject({
    channel: NonEmptyString,
    action: NonEmptyString,
    params: Type.Record(Type.String(), Type.Unknown()),
    accountId: text,
    requesterSenderId: text,
    sessionKey: text,
    agentId: text,
    idempotencyKey: IdempotencyKey,
    // About the turn that a client acts in; of no consequence for what is delivered here.
    requesterAccountId: text,
    senderIsOwner: flag,
    sessionId: text,
    inboundTurnKind: Type.Optional(
      Type.Union([Type.Literal("user_request"), Type.Literal("room_event")]),
    ),
    conversationReadOrigin: Type.Optional(Type.Literal("direct-operator")),
    toolContext: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    reply: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  result: strictObject({
    ok: Type.Literal(true),
    runId: NonEmptyString,
    channel: NonEmptyString,
    messageId: Type.Optional(NonEmptyString),
    conversationId: Type.Optional(NonEmptyString),
    channelId: Type.Optional(NonEmptyString),
    pollId: Type.Optional(NonEmptyString),
    poll: Type.Optional(PollSnapshot),
  }),
});
export type MessageActionParams = Static<typeof messageAction.params>;

const ChannelAccount = strictObject({
  accountId: NonEmptyString,
  enabled: Type.Boolean(),
  configured: Type.Boolean(),
  running: Type.Boolean(),
  connected: Type.Boolean(),
  lastError: Type.Union([Type.String(), Type.Null()]),
  /** Since the server was opened. */
  lastOutboundAt: Type.Union([Timestamp, Type.Null()]),
});

const ChannelSummary = strictObject({
  configured: Type.Boolean(),
  running: Type.Boolean(),
  connected: Type.Boolean(),
});

const ChannelMeta = strictObject({
  id: NonEmptyString,
  label: NonEmptyString,
  detailLabel: NonEmptyString,
});

export const channelsStatus = method({
  name: "channels.status",
  scope: "operator.read",
  params: strictObject({
    probe: flag,
    timeoutMs: Type.Optional(Count),
    channel: Type.Optional(NonEmptyString),
  }),
  result: strictObject({
    ts: Timestamp,
    channelOrder: Type.Array(NonEmptyString),
    channelLabels: Type.Record(Type.String(), NonEmptyString),
    channelMeta: Type.Array(ChannelMeta),
    channels: Type.Record(Type.String(), ChannelSummary),
    channelAccounts: Type.Record(Type.String(), Type.Array(ChannelAccount)),
    channelDefaultAccountId: Type.Record(Type.String(), NonEmptyString),
  }),
});
export type ChannelsStatus = Static<typeof channelsStatus.result>;
