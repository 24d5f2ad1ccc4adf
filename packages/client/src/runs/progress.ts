/** The `agent` event's open `data`, read as far as it is known; what is not is passed over. */
import type { RunUpdate, ToolUpdate } from "./run-update.ts";

type Data = Readonly<Record<string, unknown>>;

export function readProgress(stream: string, data: Data): RunUpdate | undefined {
  if (stream === "thinking" && typeof data["delta"] === "string") {
    return { type: "thinking", delta: data["delta"] };
  }
  return stream === "tool" ? readTool(data) : undefined;
}

function readTool(data: Data): ToolUpdate | undefined {
  const { phase, name, toolCallId: callId } = data;
  if (typeof name !== "string" || typeof callId !== "string") return undefined;
  if (phase === "start") return { type: "tool", phase, callId, name, input: data["args"] };
  if (phase !== "result") return undefined;
  const isError = data["isError"] === true;
  return { type: "tool", phase, callId, name, isError, text: resultText(data["result"]) };
}

function resultText(result: unknown): string {
  if (typeof result !== "object" || result === null || !("content" in result)) return "";
  if (!Array.isArray(result.content)) return "";
  const parts: readonly unknown[] = result.content;
  return parts
    .map((part) => {
      const isText = typeof part === "object" && part !== null && "text" in part;
      return isText && typeof part.text === "string" ? part.text : "";
    })
    .join("");
}
