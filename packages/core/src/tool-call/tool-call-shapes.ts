import type { EventDeclarations } from "../engine/codec.ts";
import type { ToolCallEvent } from "./tool-call.ts";

export const TOOL_CALL_EVENTS: EventDeclarations<ToolCallEvent> = {
  "tool-call.begun": { version: 1, shape: { tool: "string", digest: "string" } },
  "tool-call.finished": { version: 1, shape: { text: "string", isError: "boolean" } },
};
