/**
 * Gateway wire: `agent` runs a turn and answers twice on one id (taken on, then how it ended);
 * `agent.wait` waits for a run by its id. The `agent` event tells what goes on inside a run.
 */
import { Type, type Static } from "@atrium/schema";
import { event } from "../../event.ts";
import { IdempotencyKey, MessageText } from "../../ids.ts";
import { method } from "../../method.ts";
import {
  AnyObject,
  Count,
  NonEmptyString,
  Timestamp,
  strictObject,
  literals,
} from "../../scalars.ts";
import { ChatAttachment } from "./attachment.ts";
import { TokenUsage } from "./chat.ts";

/** What a run that goes on elsewhere (a sub-agent, a job) has come to; for the run that waits for it, not for people. */
export const AgentInternalEvent = strictObject({
  type: Type.Literal("task_completion"),
  source: literals("subagent", "cron", "image_generation", "video_generation", "music_generation"),
  childSessionKey: Type.String(),
  childSessionId: Type.Optional(Type.String()),
  announceType: Type.String(),
  taskLabel: Type.String(),
  status: literals("ok", "timeout", "error", "unknown"),
  statusLabel: Type.String(),
  result: Type.String(),
  modelRouteChange: Type.Optional(Type.String()),
  attachments: Type.Optional(
    Type.Array(
      strictObject({
        type: Type.Optional(literals("image", "audio", "video", "file")),
        path: Type.Optional(Type.String()),
        url: Type.Optional(Type.String()),
        mediaUrl: Type.Optional(Type.String()),
        filePath: Type.Optional(Type.String()),
        mimeType: Type.Optional(Type.String()),
        name: Type.Optional(Type.String()),
        sizeBytes: Type.Optional(Type.Number()),
        durationMs: Type.Optional(Type.Number()),
        width: Type.Optional(Type.Number()),
        height: Type.Optional(Type.Number()),
      }),
    ),
  ),
  mediaUrls: Type.Optional(Type.Array(Type.String())),
  statsLine: Type.Optional(Type.String()),
  replyInstruction: Type.String(),
});
export type AgentInternalEvent = Static<typeof AgentInternalEvent>;

export const AgentAccepted = strictObject({
  runId: NonEmptyString,
  sessionKey: NonEmptyString,
  agentId: NonEmptyString,
  status: Type.Literal("accepted"),
  acceptedAt: Timestamp,
});

export const AgentFinished = strictObject({
  runId: NonEmptyString,
  status: Type.Union([Type.Literal("ok"), Type.Literal("timeout")]),
  summary: NonEmptyString,
  stopReason: Type.Optional(NonEmptyString),
  result: strictObject({
    payloads: Type.Array(strictObject({ text: Type.String(), mediaUrl: Type.Null() })),
    meta: strictObject({
      durationMs: Count,
      aborted: Type.Boolean(),
      agentMeta: strictObject({
        sessionId: NonEmptyString,
        provider: NonEmptyString,
        model: NonEmptyString,
        usage: TokenUsage,
      }),
    }),
  }),
});

export const agentRun = method({
  name: "agent",
  scope: "operator.write",
  idempotency: "required",
  keyspace: "run",
  params: strictObject({
    message: MessageText,
    agentId: Type.Optional(NonEmptyString),
    /** Empty as good as absent, as the peer has it. */
    sessionKey: Type.Optional(Type.String({ maxLength: 512 })),
    /** Refused when the conversation has been reset since. */
    sessionId: Type.Optional(Type.String()),
    expectedExistingSessionId: Type.Optional(NonEmptyString),
    /** A conversation by the name of whom it is with, where no key is given. */
    to: Type.Optional(Type.String()),
    model: Type.Optional(Type.String()),
    provider: Type.Optional(Type.String()),
    thinking: Type.Optional(Type.String()),
    attachments: Type.Optional(Type.Array(ChatAttachment)),
    /** Seconds, as the peer counts them; 0: no limit but the server's own. */
    timeout: Type.Optional(Count),
    extraSystemPrompt: Type.Optional(Type.String({ maxLength: 200_000 })),
    /** Context that a runtime made, not a person. */
    internalEvents: Type.Optional(Type.Array(AgentInternalEvent)),
    label: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
    // Delivery beyond the conversation, which `send` is for.
    deliver: Type.Optional(Type.Boolean()),
    bestEffortDeliver: Type.Optional(Type.Boolean()),
    channel: Type.Optional(Type.String()),
    replyTo: Type.Optional(Type.String()),
    replyChannel: Type.Optional(Type.String()),
    accountId: Type.Optional(Type.String()),
    replyAccountId: Type.Optional(Type.String()),
    threadId: Type.Optional(Type.String()),
    // Hints of the peer's own clients that change nothing here.
    lane: Type.Optional(Type.String()),
    groupId: Type.Optional(Type.String()),
    groupChannel: Type.Optional(Type.String()),
    groupSpace: Type.Optional(Type.String()),
    cleanupBundleMcpOnRunEnd: Type.Optional(Type.Boolean()),
    promptMode: Type.Optional(Type.String()),
    bootstrapContextMode: Type.Optional(Type.String()),
    bootstrapContextRunKind: Type.Optional(Type.String()),
    inputProvenance: Type.Optional(AnyObject),
    idempotencyKey: IdempotencyKey,
  }),
  result: Type.Union([AgentAccepted, AgentFinished]),
});

export const agentWait = method({
  name: "agent.wait",
  scope: "operator.write",
  params: strictObject({ runId: NonEmptyString, timeoutMs: Type.Optional(Count) }),
  result: strictObject({
    runId: NonEmptyString,
    status: literals("ok", "error", "timeout"),
    /** Beside "timeout": whether the run is known here and has not ended. */
    pending: Type.Optional(Type.Boolean()),
    startedAt: Type.Optional(Timestamp),
    endedAt: Type.Optional(Timestamp),
    error: Type.Optional(NonEmptyString),
    stopReason: Type.Optional(NonEmptyString),
    terminalReply: Type.Optional(
      strictObject({ disposition: Type.Literal("visible"), text: Type.String() }),
    ),
  }),
});

/**
 * Streams: `lifecycle` (start, end, error), `assistant` (text so far and what is new), `thinking`,
 * `tool` (start, result; for peers with the tool-events capability), `usage`, `run_status` (retrying).
 * The peer's schema is closed, so the conversation is named inside `data`.
 */
export const agentProgressed = event({
  name: "agent",
  scope: "operator.read",
  payload: strictObject({
    runId: NonEmptyString,
    seq: Count,
    stream: NonEmptyString,
    ts: Timestamp,
    data: AnyObject,
  }),
});
