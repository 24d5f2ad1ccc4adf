/** Why Codex could not do it, in words for people: what happened and what to do. */
import { own } from "@atrium/wire";
import type { TurnEvent, TurnFailureKind } from "../../turn/agent-runtime.ts";
import { fieldsOf, numberIn, textIn, type Fields } from "../../turn/json-fields.ts";
import { failed } from "../../turn/turn-ends.ts";
import type { AppServerRefusal, Breakage } from "./connection.ts";

const MAX_QUOTE_CHARS = 300;
const UPDATE = "Update it: npm install -g @openai/codex@latest";

const LOG_IN = 'Run "codex login" once as the server\'s user.';
export const NOT_LOGGED_IN = `Codex is not logged in. ${LOG_IN}`;
export const TAKES_NO_SKILLS =
  "This Codex takes no skills. Update it, or take the skills out of the settings.";
export const TELLS_NO_SETTINGS =
  "This Codex does not tell which MCP servers its user has configured. Update it, or take ownSettings out of the settings.";

type Failure = readonly [TurnFailureKind, string];

const RATE_LIMIT: Failure = ["rate_limit", "Codex may not be asked for more at the moment."];
const CONTEXT: Failure = ["context_length", "The conversation is too long for the model."];
const NO_KEY: Failure = [
  "unavailable",
  `The model's server wants a valid key or login. ${LOG_IN} With a provider of your own, name the variable of its key in "env" of the runtime.`,
];

/** By Codex's own word for what went wrong with a turn. */
const KINDS: ReadonlyMap<string, Failure> = new Map<string, Failure>([
  ["contextWindowExceeded", CONTEXT],
  ["usageLimitExceeded", RATE_LIMIT],
  ["rateLimitExceeded", RATE_LIMIT],
  ["modelNotFound", ["unavailable", 'The provider does not have this model. Check "model".']],
  ["sessionBudgetExceeded", ["budget", "Codex has used up its own budget."]],
  ["unauthorized", NO_KEY],
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
  const status = numberIn(fieldsOf(own(fieldsOf(info), word)), "httpStatusCode");
  const quoted = quote([textIn(error, "message"), textIn(error, "additionalDetails")].join(" "));
  const [kind, what] = byStatus(status) ?? KINDS.get(word) ?? byMessage(quoted);
  return failed(kind, quoted === "" ? what : `${what} It said: ${quoted}`);
}

function byStatus(status: number): Failure | undefined {
  if (status === 401 || status === 403) return NO_KEY;
  return status === 429 ? RATE_LIMIT : undefined;
}

/** Of a provider that Codex does not know so well. */
function byMessage(message: string): Failure {
  if (/context.?(?:length|window)/i.test(message)) return CONTEXT;
  return ["unknown", "Codex ended the turn with an error."];
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
  if (!described.includes("exit code")) return described;
  return `${described}\nRun "${program} app-server" in a terminal to see what is wrong.`;
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

export function busyFailure(program: string): string {
  return `Another "${program}" has this conversation's thread open. End it (for the daemon: "${program} app-server daemon stop"), then send a message.`;
}

function quote(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > MAX_QUOTE_CHARS ? `${line.slice(0, MAX_QUOTE_CHARS)}…` : line;
}
