/** A gateway's events about one run, as events of the turn and, at last, its end. */
import type { TurnEvent } from "../turn/agent-runtime.ts";
import { fieldsOf, textIn, type Fields } from "../turn/json-fields.ts";
import type { ReportedTools } from "../turn/reported-tools.ts";
import { failed } from "../turn/turn-ends.ts";
import type { Meter } from "../turn/usage/usage-meter.ts";
import type { AnswerText } from "./answer-text.ts";
import { contentText, countIn } from "./frame-fields.ts";

export interface ReadEvent {
  readonly events: readonly TurnEvent[];
  readonly end?: TurnEvent;
}

export interface Listening {
  readonly spoken: AnswerText;
  readonly tools: ReportedTools;
  readonly meter: Meter;
}

const NOTHING: ReadEvent = { events: [] };
const KINDS = ["refusal", "timeout", "rate_limit", "context_length"] as const;

export function readChat(payload: Fields, listening: Listening): ReadEvent {
  const { spoken, meter } = listening;
  const whole = contentText(payload["message"]);
  const delta = textIn(payload, "deltaText");
  countUsage(fieldsOf(payload["usage"]), meter);
  const conclusion = (): readonly TurnEvent[] =>
    whole === undefined ? [] : textEvents(spoken.concluded(whole));
  switch (payload["state"]) {
    case "delta": {
      const known = payload["replace"] === true ? (whole ?? delta) : whole;
      return { events: textEvents(spoken.merge(delta, known)) };
    }
    case "final":
      return { events: conclusion(), end: completed(textIn(payload, "stopReason")) };
    case "aborted":
      return { events: conclusion(), end: stopped(textIn(payload, "errorMessage")) };
    case "error":
      return {
        events: conclusion(),
        end: failedThere(textIn(payload, "errorMessage"), textIn(payload, "errorKind")),
      };
    default:
      // A state of a newer gateway is not the end.
      return NOTHING;
  }
}

export function readAgent(payload: Fields, { tools, meter }: Listening): ReadEvent {
  const data = fieldsOf(payload["data"]);
  switch (payload["stream"]) {
    case "thinking": {
      const delta = textIn(data, "delta") ?? "";
      return delta === "" ? NOTHING : { events: [{ type: "thinking", delta }] };
    }
    case "tool":
      return { events: readTool(data, tools) };
    case "usage":
      countUsage(data, meter);
      return NOTHING;
    case "run_status": {
      if (data["phase"] !== "retrying") return NOTHING;
      const reason = textIn(data, "reason") ?? textIn(data, "message") ?? "";
      return { events: [{ type: "retrying", attempt: countIn(data, "attempt"), reason }] };
    }
    default:
      return NOTHING;
  }
}

function readTool(data: Fields, tools: ReportedTools): readonly TurnEvent[] {
  const id = textIn(data, "toolCallId");
  if (id === undefined) return [];
  const events = tools.called(id, textIn(data, "name") ?? "tool", data["args"] ?? {});
  if (data["phase"] !== "result") return events;
  const { result } = data;
  const text = contentText(result) ?? (result === undefined ? "" : JSON.stringify(result));
  return [...events, ...tools.returned(id, text, data["isError"] === true)];
}

function textEvents(delta: string): readonly TurnEvent[] {
  return delta === "" ? [] : [{ type: "text", delta }];
}

/** The two places it is told in use different words. A cost of nothing is what a gateway says that has no price. */
function countUsage(usage: Fields, meter: Meter): void {
  const inputTokens = countIn(usage, "inputTokens") || countIn(usage, "input");
  const outputTokens = countIn(usage, "outputTokens") || countIn(usage, "output");
  if (inputTokens > 0 || outputTokens > 0) meter.counted({ inputTokens, outputTokens });
  const { total } = fieldsOf(usage["cost"]);
  if (typeof total === "number" && total > 0) meter.charged(total);
}

export function completed(stopReason: string | undefined): TurnEvent {
  const isCut = stopReason === "length" || stopReason === "max_tokens";
  const known = stopReason === "max_steps" ? stopReason : "stop";
  return { type: "completed", stopReason: isCut ? "length" : known };
}

export function stopped(why: string | undefined): TurnEvent {
  const shownReason = why === undefined || why === "" ? "" : ` (${why})`;
  return failed("unknown", `The run was stopped at the gateway${shownReason}.`);
}

function failedThere(reason: string | undefined, kind: string | undefined): TurnEvent {
  const known = KINDS.find((each) => each === kind) ?? "unknown";
  return failed(known, reason ?? "The gateway's agent failed and did not say why.");
}
