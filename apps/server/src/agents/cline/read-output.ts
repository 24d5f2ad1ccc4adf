/**
 * What `cline --json` writes, as events of the turn: a line of JSON each. What is no such line, or of a kind that is not
 * known, is passed over.
 */
import { own } from "@atrium/wire";
import type { TurnEvent } from "../turn/agent-runtime.ts";
import {
  fieldsOf,
  listOf,
  numberIn,
  parseFields,
  textIn,
  type Fields,
} from "../turn/json-fields.ts";
import type { ReportedTools } from "../turn/reported-tools.ts";
import type { CountedUsage } from "../turn/usage/price.ts";

export type ClineOutput =
  | { readonly type: "events"; readonly events: readonly TurnEvent[] }
  /** The whole turn's, so far. */
  | { readonly type: "usage"; readonly usage: CountedUsage }
  | { readonly type: "ended"; readonly reason: string; readonly text: string };

export type ReadLine = (line: string) => ClineOutput | undefined;

/** Whether it is a line of its own, of whatever kind. */
export function isClineLine(line: string): boolean {
  return typeof parseFields(line)?.["type"] === "string";
}

export function createLineReader(tools: ReportedTools): ReadLine {
  let hasSpoken = false;
  let isApart = false;

  function textEvents(text: string): readonly TurnEvent[] {
    if (text === "") return [];
    const isNew = hasSpoken && isApart;
    hasSpoken = true;
    isApart = false;
    return [{ type: "text", delta: isNew ? `\n\n${text}` : text }];
  }

  function begin(event: Fields): readonly TurnEvent[] {
    const text = textIn(event, "text") ?? "";
    switch (event["contentType"]) {
      case "text":
        return textEvents(text);
      case "reasoning":
        return text === "" ? [] : [{ type: "thinking", delta: text }];
      case "tool":
        isApart = true;
        return tools.called(idOf(event), textIn(event, "toolName") ?? "tool", event["input"] ?? {});
      default:
        return [];
    }
  }

  function end(event: Fields): readonly TurnEvent[] {
    if (event["contentType"] !== "tool") return [];
    const { output } = event;
    return tools.returned(idOf(event), describeOutput(output), hasFailed(output));
  }

  return (line) => {
    const message = parseFields(line) ?? {};
    const text = textIn(message, "text") ?? "";
    if (message["type"] === "run_result") {
      return { type: "ended", reason: textIn(message, "finishReason") ?? "", text };
    }
    if (message["type"] === "error") {
      return { type: "ended", reason: "error", text: textIn(message, "message") ?? "" };
    }
    if (message["type"] !== "agent_event") return undefined;
    const event = fieldsOf(message["event"]);
    switch (event["type"]) {
      case "content_start":
        return { type: "events", events: begin(event) };
      case "content_end":
        return { type: "events", events: end(event) };
      case "usage":
        return { type: "usage", usage: usageIn(event) };
      default:
        return undefined;
    }
  };
}

function idOf(event: Fields): string {
  return textIn(event, "toolCallId") ?? "";
}

/** Of a model whose price it does not know, it says that it costs nothing. */
function usageIn(event: Fields): CountedUsage {
  const cost = numberIn(event, "totalCost");
  const cached = numberIn(event, "totalCacheReadTokens");
  const written = numberIn(event, "totalCacheWriteTokens");
  return {
    inputTokens: numberIn(event, "totalInputTokens"),
    outputTokens: numberIn(event, "totalOutputTokens"),
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(written > 0 && { cacheWriteTokens: written }),
    ...(cost > 0 && { cost }),
  };
}

/** Commands come as a list, with the result of each. */
function describeOutput(output: unknown): string {
  if (typeof output === "string") return output;
  const error = textIn(fieldsOf(output), "error");
  if (error !== undefined) return error;
  const results = listOf(output).map((each) => textIn(each, "result"));
  const isList = Array.isArray(output) && results.every((result) => result !== undefined);
  return isList ? results.join("\n") : JSON.stringify(output ?? "");
}

function hasFailed(output: unknown): boolean {
  if (own(fieldsOf(output), "error") !== undefined) return true;
  return listOf(output).some((each) => each["success"] === false);
}
