import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { ToolCallEvent } from "./tool-call.ts";

export const TOOL_CALL_EVENTS: EventDeclarations<ToolCallEvent> = {
  "tool-call.begun": v1({ tool: "string", digest: "string" }),
  "tool-call.finished": v1({ text: "string", isError: "boolean" }),
};
