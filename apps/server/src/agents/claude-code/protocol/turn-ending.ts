/** How a turn of Claude Code ended, from its result, in words for people. */
import type { TurnFailureKind } from "../../turn/agent-runtime.ts";
import { numberIn, textOr, type Fields } from "../../turn/json-fields.ts";
import type { ClaudeEnding } from "./claude-process.ts";

const MAX_QUOTE_CHARS = 300;

/** Undefined: the process is about to end because it has no such session, which its end will tell. */
export function endingOf(result: Fields): ClaudeEnding | undefined {
  const errors = Array.isArray(result["errors"]) ? result["errors"].map(String) : [];
  if (errors.some(isMissingSession)) return undefined;
  if (textOr(result["terminal_reason"], "").startsWith("aborted")) return { how: "interrupted" };
  if (result["subtype"] === "error_max_turns") return { how: "completed", stopReason: "max_steps" };
  if (result["stop_reason"] === "refusal") {
    return failed("refusal", "Claude declined to answer this. Put it differently.");
  }
  const isError = result["is_error"] === true || errors.length > 0;
  if (!isError) {
    const isCut = result["stop_reason"] === "max_tokens";
    return { how: "completed", stopReason: isCut ? "length" : "stop" };
  }
  const reason = quote(textOr(result["result"], errors.join(" ")));
  return failureOf(reason, numberIn(result, "api_error_status"), result["terminal_reason"]);
}

/** With or without spaces: what is read from a terminal has none. */
export function isMissingSession(text: string): boolean {
  return /no\s*conversation\s*found/i.test(text);
}

export function isKnownSession(text: string): boolean {
  return /session\s*id.*is\s*already\s*in\s*use/i.test(text);
}

/** `about` is a word Claude Code has for what went wrong, if it gave one. */
export function failureOf(reason: string, status: number, about: unknown): ClaudeEnding {
  const what = `${textOr(about, "")} ${reason}`;
  const quoted = reason === "" ? "" : ` It said: ${reason}`;
  if (/prompt_too_long|prompt is too long/i.test(what)) {
    return failed("context_length", `The conversation is too long for the model.${quoted}`);
  }
  if (status === 429 || /rate.?limit|usage limit|credit balance|billing/i.test(what)) {
    return failed("rate_limit", `Claude may not be asked for more at the moment.${quoted}`);
  }
  if (status === 401 || status === 403 || /not logged in|\/login|authentication/i.test(what)) {
    return failed(
      "unavailable",
      `Claude Code has no valid key or login. Run "claude" once as the server's user and log in, or name ANTHROPIC_API_KEY in the runtime's "env".${quoted}`,
    );
  }
  if (status >= 500 || /overloaded|server_error|connect|ECONN|EAI_AGAIN|timed? ?out/i.test(what)) {
    return failed("unavailable", `The model's server cannot be reached or is in trouble.${quoted}`);
  }
  return failed("unknown", `Claude Code ended the turn with an error.${quoted}`);
}

function failed(kind: TurnFailureKind, reason: string): ClaudeEnding {
  return { how: "failed", kind, reason };
}

export function quote(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > MAX_QUOTE_CHARS ? `${line.slice(0, MAX_QUOTE_CHARS)}…` : line;
}
