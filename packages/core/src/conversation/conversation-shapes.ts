import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { ConversationEvent } from "./events.ts";

const file = { name: "string", mediaType: "string", bytes: "number", digest: "string" } as const;
const turn = { runId: "string", messageId: "string", text: "string", usage: "object" } as const;
const call = { runId: "string", messageId: "string", callId: "string", name: "string" } as const;

export const CONVERSATION_EVENTS: EventDeclarations<ConversationEvent> = {
  "conversation.opened": v1({
    key: "string",
    agentId: "string",
    handle: "string",
    isMain: "boolean",
    sessionId: "string",
  }),
  "conversation.patched": v1({ changes: "object" }),
  "conversation.reset": v1({ sessionId: "string", reason: "string" }),
  "conversation.deleted": v1({}),
  "message.injected": v1({ messageId: "string", text: "string", label: "string?" }),
  "run.requested": v1({
    runId: "string",
    messageId: "string",
    text: "string",
    attachments: "array",
    mode: "string",
    isCommand: "boolean",
    from: "object",
    model: "string?",
    thinking: "string?",
    instructions: "string?",
    timeoutMs: "number?",
  }),
  "run.started": v1({ runId: "string", model: "object", collects: "array" }),
  "run.tool.called": v1({ ...call, input: "any" }),
  "run.tool.returned": v1({ ...call, text: "string", isError: "boolean" }),
  "run.delivered": v1({ runId: "string", artifactId: "string", ...file }),
  "run.compacted": v1({
    runId: "string",
    how: "string",
    inputTokens: "number",
    results: "number",
    text: "string",
  }),
  "run.session.named": v1({ runId: "string", runtime: "string", session: "string" }),
  "run.calls.requested": v1({
    runId: "string",
    number: "number",
    callIds: "array",
    textLength: "number",
    usage: "object",
    digest: "string",
    bytes: "number",
  }),
  "run.calls.answered": v1({
    runId: "string",
    number: "number",
    digest: "string",
    bytes: "number",
  }),
  "run.stopping": v1({ runId: "string", reason: "string" }),
  "run.completed": v1({ ...turn, stopReason: "string" }),
  "run.failed": v1({ ...turn, kind: "string", reason: "string" }),
  "run.aborted": v1({ ...turn, reason: "string" }),
  "run.merged": v1({ runId: "string", into: "string" }),
};
