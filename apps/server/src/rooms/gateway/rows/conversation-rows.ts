/** A conversation as a session row, a message as a chat message. */
import {
  handleOf,
  tokensOf,
  wholeCost,
  type ConversationRow,
  type Heartbeat as CoreHeartbeat,
  type KeptOutput,
  type Message,
  type Usage,
} from "@atrium/core";
import type { ChatMessage, Heartbeat, SessionRow, TokenUsage } from "@atrium/wire/gateway";

/** The model that answers for an agent. */
export interface AgentModel {
  readonly provider: string;
  readonly id: string;
  readonly contextTokens: number;
}

export type ModelOf = (handle: string) => AgentModel;

export interface RowOptions {
  readonly withPreview?: boolean;
  readonly withTitle?: boolean;
}

/** The channel of every conversation: the conversation itself. */
export const OWN_CHANNEL = "webchat";

export function sessionRow(
  row: ConversationRow,
  modelOf: ModelOf,
  { withPreview = false, withTitle = false }: RowOptions = {},
): SessionRow {
  const { settings, runs, usage } = row;
  const { provider, id, contextTokens } = modelOf(row.handle);
  const { active, queue } = runs;
  const runIds = [...(active === null ? [] : [active]), ...queue].map(({ runId }) => runId);
  const status = statusOf(row);
  const cost = wholeCost(usage);
  return {
    key: row.key,
    kind: "direct",
    agentId: row.handle,
    isMain: row.isMain,
    chatType: "direct",
    deliveryContext: { channel: OWN_CHANNEL, to: row.key },
    sessionId: row.sessionId,
    ...(settings.label !== null && { label: settings.label, displayName: settings.label }),
    ...(withTitle && row.title !== "" && { derivedTitle: row.title }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    lastActivityAt: row.updatedAt,
    archived: settings.isArchived,
    pinned: settings.isPinned,
    unread: settings.isUnread,
    totalMessages: row.messages,
    ...(withPreview && { lastMessagePreview: row.preview }),
    ...(status !== undefined && { status }),
    // To its sender a message is in progress once it is accepted, before its turn begins.
    hasActiveRun: runIds.length > 0,
    ...(runIds.length > 0 && { activeRunIds: runIds }),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    totalTokens: tokensOf(usage),
    totalTokensFresh: true,
    ...(cost !== undefined && { estimatedCostUsd: cost }),
    contextTokens,
    modelProvider: provider,
    model: settings.model ?? id,
    ...(settings.thinking !== null && { thinkingLevel: settings.thinking }),
    ...shown(settings.notes),
  };
}

/** Fields that clients store with a conversation. */
export const SHOWN_NOTES = [
  "verboseLevel",
  "reasoningLevel",
  "traceLevel",
  "responseUsage",
  "category",
  "icon",
  "color",
] as const;

function shown(notes: Readonly<Record<string, string | number | boolean>>): Partial<SessionRow> {
  const kept = SHOWN_NOTES.filter((name) => name !== "traceLevel")
    .map((name) => [name, notes[name]] as const)
    .filter(([, value]) => typeof value === "string" && value !== "");
  return Object.fromEntries(kept);
}

function statusOf({ runs, lastRun }: ConversationRow): SessionRow["status"] {
  if (runs.active !== null) return "running";
  if (runs.queue.length > 0) return "queued";
  switch (lastRun) {
    case null:
      return undefined;
    case "completed":
      return "done";
    case "failed":
      return "failed";
    case "aborted":
      return "killed";
  }
}

export function heartbeatRow({ at, key, isGood, durationMs }: CoreHeartbeat): Heartbeat {
  const status = isGood ? "sent" : "failed";
  return { ts: at, status, reason: "wake", durationMs, agentId: handleOf(key) };
}

export function tokenUsage(usage: Usage): TokenUsage {
  const { inputTokens, outputTokens: output, cachedInputTokens: cacheRead } = usage;
  const cost = wholeCost(usage);
  return {
    input: inputTokens - (cacheRead ?? 0),
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    totalTokens: tokensOf(usage),
    ...(cost !== undefined && { cost: { total: cost } }),
  };
}

/** `ordinal` counts the conversation's messages from 1. */
export function chatMessage(
  message: Message,
  model: AgentModel,
  ordinal?: number,
  maxChars = Infinity,
): ChatMessage {
  return {
    ...spoken(message, model, maxChars),
    __openclaw: {
      id: message.id,
      ...(ordinal !== undefined && { seq: ordinal }),
      recordTimestampMs: message.at,
      ...("runId" in message && { runId: message.runId }),
    },
  };
}

export function spoken(message: Message, model: AgentModel, maxChars = Infinity): ChatMessage {
  const isCut = message.text.length > maxChars;
  const text = isCut ? message.text.slice(0, maxChars) : message.text;
  const common = {
    content: [{ type: "text" as const, text }],
    timestamp: message.at,
    ...(isCut && { truncated: true }),
  };
  const { provider, id } = model;
  switch (message.kind) {
    case "user": {
      const files = message.attachments.map(({ name, mediaType, bytes }) => {
        return {
          type: "attachment" as const,
          fileName: name,
          mimeType: mediaType,
          sizeBytes: bytes,
        };
      });
      const content = [...common.content, ...files];
      return {
        role: "user",
        ...common,
        content,
        idempotencyKey: `${message.runId}:user`,
        ...(message.from.name !== null && { senderLabel: message.from.name }),
      };
    }
    case "injected":
      return {
        role: "assistant",
        ...common,
        stopReason: "stop",
        provider: "openclaw",
        model: "gateway-injected",
      };
    case "assistant":
      return {
        role: "assistant",
        ...common,
        stopReason: message.stopReason,
        usage: tokenUsage(message.usage),
        provider,
        model: id,
        ...(message.failure !== null && { errorMessage: message.failure }),
        ...(message.isAborted && { openclawAbort: { aborted: true, runId: message.runId } }),
      };
    case "artifact": {
      const { name: fileName, mediaType: mimeType, bytes: sizeBytes } = message.artifact;
      const part = { type: "attachment" as const, fileName, mimeType, sizeBytes };
      return { role: "assistant", ...common, content: [part], stopReason: "stop" };
    }
    case "tool-call": {
      const { callId, name, input } = message;
      const call = { type: "toolCall" as const, id: callId, name, arguments: input };
      return { role: "assistant", ...common, content: [call], stopReason: "toolUse" };
    }
    case "tool-result": {
      const { runId, callId: toolCallId, name: toolName, isError, output } = message;
      const details = output && { details: wholeOutput(runId, toolCallId, output) };
      return { role: "toolResult", ...common, toolCallId, toolName, isError, ...details };
    }
  }
}

/** Where all of a tool's output is, when its result shows a part. */
export function wholeOutput(
  runId: string,
  callId: string,
  { bytes: outputBytes }: KeptOutput,
): Readonly<Record<string, unknown>> {
  const [run, call] = [encodeURIComponent(runId), encodeURIComponent(callId)];
  return { outputBytes, outputPath: `/api/runs/${run}/calls/${call}/output` };
}
