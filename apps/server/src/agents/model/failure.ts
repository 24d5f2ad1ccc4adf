/**
 * What went wrong with a model, in the port's kinds and in words for the person who waits.
 *
 * The SDK's errors are read by their fields: its classes would have to be loaded to be asked. What the
 * server said is passed on, cut short and without the key, because servers like to quote it.
 */
import type { TurnFailureKind } from "../turn/agent-runtime.ts";
import { fieldsOf } from "../turn/json-fields.ts";
import { redact } from "../turn/mask.ts";
import type { ModelSettings } from "./model-settings.ts";
import { retryAfterMs } from "./retry-after.ts";
import { TruncatedAnswer } from "./stream-step.ts";
import { ModelTimeout } from "./watchdog.ts";

export interface Failure {
  readonly kind: TurnFailureKind;
  readonly reason: string;
  /** Whether the same call may do better later, and when the server said it would. */
  readonly retry: { readonly afterMs: number | undefined } | undefined;
}

interface Trouble {
  readonly status: number | undefined;
  readonly code: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isRetryable: boolean;
}

const TOO_LONG =
  /context[ _](?:length|window)|maximum context|too many (?:input )?tokens|prompt is too long|input is too long|exceeds?.{0,40}(?:context|token limit)/i;
const DECLINED = /content[ _](?:filter|policy|management)|safety system|responsible ai/i;
const SPENT = /insufficient[ _]quota|credit balance|billing/i;
const MAX_QUOTE_CHARS = 300;

export function failureOf(cause: unknown, settings: ModelSettings, now: number): Failure {
  const { model } = settings;
  if (cause instanceof ModelTimeout) {
    const limit = seconds(cause.limitMs);
    return fail(
      "timeout",
      cause.hadBegun
        ? `${model} stopped in the middle of its answer and said nothing for ${limit}. Ask it to go on, or try again.`
        : `${model} did not begin to answer within ${limit}. It may be loading or overloaded; try again.`,
    );
  }
  if (cause instanceof TruncatedAnswer) return cut(model);
  const trouble = troubleIn(cause);
  const { status, message, code } = trouble;
  const quoted = quote(message, settings.apiKey);
  const place = hostOf(settings.baseUrl);
  const what = `${code} ${message}`;
  if (status === undefined || status === 200) {
    return trouble.isRetryable ? disconnected(trouble, place, quoted) : nonsense(trouble, settings);
  }
  const afterMs = retryAfterMs(trouble.headers, now);
  if (status !== 429 && status < 500 && TOO_LONG.test(what)) {
    const advice = "Start a new conversation, or shorten this one.";
    return fail("context_length", `The conversation is too long for ${model}. ${advice}${quoted}`);
  }
  if (status < 500 && DECLINED.test(what)) return refused(model, quoted);
  if (status === 429 || SPENT.test(what)) {
    if (SPENT.test(what)) {
      return fail("rate_limit", `The account at ${place} has nothing left to spend.${quoted}`);
    }
    const when = afterMs === undefined ? "later" : `in ${seconds(afterMs)}`;
    const reason = `${place} is asked too often. Try again ${when}.${quoted}`;
    return { kind: "rate_limit", reason, retry: { afterMs } };
  }
  if (status === 401 || status === 403) {
    return fail("unavailable", `${place} does not accept the API key (${status}).${quoted}`);
  }
  if (status === 404) {
    return fail("unavailable", `${place} knows no model ${model} (404).${quoted}`);
  }
  if (status >= 500 || status === 408 || status === 409) {
    const reason = `${place} has trouble answering (${status}). Try again later.${quoted}`;
    return { kind: "unavailable", reason, retry: { afterMs } };
  }
  return fail("unknown", `${place} did not accept the request (${status}).${quoted}`);
}

export function refused(model: string, quoted = ""): Failure {
  return fail(
    "refusal",
    `${model} declined to answer this. Put it differently, or ask another agent.${quoted}`,
  );
}

function disconnected({ status }: Trouble, place: string, quoted: string): Failure {
  const reason =
    status === 200
      ? `The connection to ${place} was lost in the middle of the answer.`
      : `${place} cannot be reached. Is it running, and is the address right?${quoted}`;
  return { kind: "unavailable", reason, retry: { afterMs: undefined } };
}

function cut(model: string): Failure {
  return fail("unavailable", `The answer of ${model} was cut off before its end.`);
}

function nonsense({ message, code }: Trouble, { model, baseUrl, apiKey }: ModelSettings): Failure {
  if (/without a finish reason/i.test(message)) return cut(model);
  // The SDK quotes what it could not read; that is for no one's eyes.
  const isUnreadable = /JSONParse|TypeValidation/.test(code);
  const quoted = isUnreadable ? "" : quote(message, apiKey);
  return fail(
    "unknown",
    `${hostOf(baseUrl)} sent something that is not an answer of ${model}.${quoted}`,
  );
}

function troubleIn(cause: unknown): Trouble {
  const fields = fieldsOf(cause);
  const inner = fieldsOf(fieldsOf(fields["data"])["error"]);
  const words = [fields["name"], fields["type"], fields["code"], inner["type"], inner["code"]];
  const { statusCode, message, responseHeaders, isRetryable } = fields;
  return {
    status: typeof statusCode === "number" ? statusCode : undefined,
    code: words.filter((word) => typeof word === "string").join(" "),
    message: typeof message === "string" ? message : String(cause),
    headers: stringsIn(responseHeaders),
    isRetryable: isRetryable === true,
  };
}

function stringsIn(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(fieldsOf(value));
  return Object.fromEntries(
    entries.flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );
}

function quote(message: string, apiKey: string | undefined): string {
  const safe = redact(message.replaceAll(/\s+/g, " ").trim(), apiKey);
  if (safe === "") return "";
  return ` It said: ${safe.length > MAX_QUOTE_CHARS ? `${safe.slice(0, MAX_QUOTE_CHARS)}…` : safe}`;
}

/** Without path, user or password. */
function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.host ?? "the model's server";
}

function seconds(ms: number): string {
  const count = Math.ceil(ms / 1_000);
  return count === 1 ? "1 second" : `${count} seconds`;
}

function fail(kind: TurnFailureKind, reason: string): Failure {
  return { kind, reason, retry: undefined };
}
