/** A signal on one line, for a person: when, who, what. */
import { isRecord } from "../../server/settings.ts";
import type { Paint } from "../../terminal/paint.ts";
import { plainLine } from "../../terminal/plain-text.ts";

const LONGEST = 160;
const LONGEST_NAME = 40;
const TYPE_WIDTH = 18;

export function describeSignal(json: string, paint: Paint): string {
  const signal: unknown = JSON.parse(json);
  if (!isRecord(signal)) return "";
  const payload = isRecord(signal["payload"]) ? signal["payload"] : {};
  const type = plainLine(String(signal["type"]), LONGEST_NAME);
  const when = timeOf(signal["timestamp"]);
  const who = plainLine(
    String(payload["agentId"] ?? payload["to"] ?? signal["source"]),
    LONGEST_NAME,
  );
  const what = plainLine(wordsOf(type, payload), LONGEST);
  return `${paint.quiet(when)} ${paint.strong(who)} ${paintFor(type, paint)(type.padEnd(TYPE_WIDTH))} ${what}\n`;
}

function timeOf(timestamp: unknown): string {
  const date = new Date(typeof timestamp === "number" ? timestamp : NaN);
  return Number.isNaN(date.getTime()) ? "--:--:--" : date.toTimeString().slice(0, 8);
}

function paintFor(type: string, paint: Paint): (text: string) => string {
  switch (type) {
    case "error":
      return paint.bad;
    case "completion":
      return paint.good;
    case "agent_state_change":
      return paint.doubtful;
    default:
      return paint.link;
  }
}

function wordsOf(type: string, payload: Readonly<Record<string, unknown>>): string {
  const text = (name: string): string => textOf(payload[name]);
  switch (type) {
    case "task_dispatch":
      return `${text("from")} → ${text("to")}: ${text("description")}`;
    case "tool_call":
      return `${text("toolName")} ${text("input")}`;
    case "tool_result":
      return `${text("toolName")} ${payload["success"] === true ? "ok" : "failed"} ${text("output")}`;
    case "token_usage":
      return `${text("promptTokens")} in, ${text("completionTokens")} out ${text("model")}${priceOf(payload["cost"])}`;
    case "agent_state_change":
      return `${text("from")} → ${text("to")} ${text("reason")}`;
    case "error":
      return `${text("severity")}: ${text("message")}`;
    case "completion":
      return `${payload["success"] === true ? "done" : "not done"} ${text("result")}`;
    case "text_delta":
    case "thinking":
      return text("content");
    default:
      return JSON.stringify(payload);
  }
}

/** What is left out is not known. */
function priceOf(cost: unknown): string {
  return typeof cost === "number" ? ` for $${cost}` : "";
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
