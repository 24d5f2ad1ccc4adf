/** Why Codex could not do it, in words for people: what happened and what to do. */
import type { TurnEvent, TurnFailureKind } from "../../turn/agent-runtime.ts";
import { fieldsOf, textIn, type Fields } from "../../turn/json-fields.ts";
import { failed } from "../../turn/turn-ends.ts";
import type { AppServerRefusal, Breakage } from "./connection.ts";

const MAX_QUOTE_CHARS = 300;
const UPDATE = "Update it: npm install -g @openai/codex@latest";

export const NOT_LOGGED_IN =
  'Codex is not logged in. Run "codex login" once as the server\'s user.';

/** By Codex's own word for what went wrong with a turn. */
const KINDS: ReadonlyMap<string, readonly [TurnFailureKind, string]> = new Map([
  ["contextWindowExceeded", ["context_length", "The conversation is too long for the model."]],
  ["usageLimitExceeded", ["rate_limit", "Codex may not be asked for more at the moment."]],
  ["sessionBudgetExceeded", ["budget", "Codex has used up its own budget."]],
  ["unauthorized", ["unavailable", NOT_LOGGED_IN]],
  ["cyberPolicy", ["refusal", "The model's provider refused this. Put it differently."]],
  ["serverOverloaded", ["unavailable", "The model's server is overloaded. Try again later."]],
  ["internalServerError", ["unavailable", "The model's server is in trouble. Try again later."]],
  ["httpConnectionFailed", ["unavailable", "The model's server cannot be reached."]],
  ["responseStreamConnectionFailed", ["unavailable", "The model's server cannot be reached."]],
  ["responseStreamDisconnected", ["unavailable", "The model's server broke off its answer."]],
  ["responseTooManyFailedAttempts", ["unavailable", "The model's server did not answer."]],
  ["sandboxError", ["unavailable", "Codex could not use its sandbox."]],
]);

/** Of a turn that ended as failed. */
export function turnFailure(turn: Fields): TurnEvent {
  const error = fieldsOf(turn["error"]);
  const info = error["codexErrorInfo"];
  // A word, or a word with what belongs to it.
  const [word = ""] = typeof info === "string" ? [info] : Object.keys(fieldsOf(info));
  const [kind, what] = KINDS.get(word) ?? ["unknown", "Codex ended the turn with an error."];
  const quoted = quote([textIn(error, "message"), textIn(error, "additionalDetails")].join(" "));
  return failed(kind, quoted === "" ? what : `${what} It said: ${quoted}`);
}

/** Of a request that the program refused. */
export function refusalFailure(program: string, { code, message }: AppServerRefusal): TurnEvent {
  const quoted = quote(message);
  if (isUnknownMethod(code, message)) {
    return failed(
      "unavailable",
      `"${program}" is too old for Atrium. ${UPDATE} (It said: ${quoted})`,
    );
  }
  return failed("unknown", `"${program}" failed: ${quoted}`);
}

function isUnknownMethod(code: number, message: string): boolean {
  return code === -32_601 || /unknown variant|method not found/i.test(message);
}

/** Of a program that ended, by what it complained about. */
export function endFailure(program: string, described: string): string {
  if (/unrecognized subcommand|unexpected argument|not a terminal/i.test(described)) {
    return `"${program}" does not have "app-server": it is too old, or another program. ${UPDATE} (${quote(described)})`;
  }
  return described;
}

export function breakageFailure(program: string, breakage: Breakage, maxBytes: number): string {
  switch (breakage.how) {
    case "garbage":
      return `"${program}" does not speak the protocol of "codex app-server"; it printed: ${quote(breakage.line)}. Check "command" of the runtime.`;
    case "too long":
      return `"${program}" wrote more than ${maxBytes} bytes in one message and was stopped. Raise maxOutputBytes of its runtime to allow more.`;
  }
}

export function lateFailure(program: string, ms: number): string {
  return `"${program}" was not ready after ${ms / 1000} s. Start "${program} app-server" by hand to see what it waits for.`;
}

function quote(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > MAX_QUOTE_CHARS ? `${line.slice(0, MAX_QUOTE_CHARS)}…` : line;
}
