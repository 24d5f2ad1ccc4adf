import type { EventDeclarations } from "../engine/codec.ts";
import type { ConversationEvent } from "./events.ts";

const file = { name: "string", mediaType: "string", bytes: "number", digest: "string" } as const;
const turn = { runId: "string", messageId: "string", text: "string", usage: "object" } as const;
const call = { runId: "string", messageId: "string", callId: "string", name: "string" } as const;

export const CONVERSATION_EVENTS: EventDeclarations<ConversationEvent> = {
  "conversation.opened": {
    version: 1,
    shape: {
      key: "string",
      agentId: "string",
      handle: "string",
      isMain: "boolean",
      sessionId: "string",
    },
  },
  "conversation.patched": { version: 1, shape: { changes: "object" } },
  "conversation.reset": { version: 1, shape: { sessionId: "string", reason: "string" } },
  "conversation.deleted": { version: 1, shape: {} },
  "message.injected": {
    version: 1,
    shape: { messageId: "string", text: "string", label: "string?" },
  },
  "run.requested": {
    version: 1,
    shape: {
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
    },
  },
  "run.started": { version: 1, shape: { runId: "string", model: "object", collects: "array" } },
  "run.tool.called": { version: 1, shape: { ...call, input: "any" } },
  "run.tool.returned": { version: 1, shape: { ...call, text: "string", isError: "boolean" } },
  "run.delivered": { version: 1, shape: { runId: "string", artifactId: "string", ...file } },
  "run.stopping": { version: 1, shape: { runId: "string", reason: "string" } },
  "run.completed": { version: 1, shape: { ...turn, stopReason: "string" } },
  "run.failed": { version: 1, shape: { ...turn, kind: "string", reason: "string" } },
  "run.aborted": { version: 1, shape: { ...turn, reason: "string" } },
  "run.merged": { version: 1, shape: { runId: "string", into: "string" } },
};
