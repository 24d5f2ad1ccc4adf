/** A signal on one line, for a person: when, who, what. */
import type { SignalEnvelope } from "@atrium/client";
import { own } from "@atrium/wire";
import { isRecord } from "../../server/settings.ts";
import { pad } from "../../terminal/columns.ts";
import type { Paint } from "../../terminal/paint.ts";
import { plainLine } from "../../terminal/plain-text.ts";

const MAX_CHARS = 160;
/** Lines come one by one, so columns are as wide as most names are; longer ones are cut. */
const WHO_WIDTH = 20;
const TYPE_WIDTH = 20;

type Signal = Pick<SignalEnvelope, "type" | "timestamp" | "source" | "payload">;

export function describeSignal({ type, timestamp, source, payload }: Signal, paint: Paint): string {
  const given: unknown = payload;
  const about = isRecord(given) ? given : {};
  const who = plainLine(textOf(about["agentId"] ?? about["to"] ?? source), WHO_WIDTH);
  const cells = [
    paint.quiet(timeOf(timestamp)),
    paint.strong(pad(who, WHO_WIDTH)),
    paintFor(type, paint)(pad(plainLine(type, TYPE_WIDTH), TYPE_WIDTH)),
    plainLine(wordsOf(type, about), MAX_CHARS),
  ];
  return `${cells.join(" ").trimEnd()}\n`;
}

function timeOf(timestamp: number): string {
  const date = new Date(timestamp);
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
  const text = (name: string): string => textOf(own(payload, name));
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
