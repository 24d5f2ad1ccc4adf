/**
 * Errors in OpenAI's shape: a status, a message for a person, and `type`, `code` and `param` for a program.
 * OpenAI's client retries by itself unless the response forbids it, which it does whenever a retry would
 * not help, or would send the same message to an agent twice.
 */
import { describeRefusal, REFUSALS, type Refusal, type RefusalCode } from "@atrium/core";
import type { ErrorBody } from "@atrium/wire/openai";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AuthFailure } from "../../../access/authenticate.ts";

export interface OpenaiError {
  readonly status: ContentfulStatusCode;
  readonly message: string;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly mayRetry: boolean;
  readonly waitMs: number;
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: OpenaiError };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail(why: OpenaiError): { readonly ok: false; readonly problem: OpenaiError } {
  return { ok: false, problem: why };
}

export function problem(
  status: ContentfulStatusCode,
  message: string,
  change: Partial<Omit<OpenaiError, "status" | "message">> = {},
): OpenaiError {
  const type = status >= 500 ? "api_error" : "invalid_request_error";
  return { status, message, type, code: null, param: null, mayRetry: false, waitMs: 0, ...change };
}

/** `param` names the part of the request that is wrong. */
export function invalid(param: string, message: string, code: string | null = null): OpenaiError {
  return problem(400, message, { param, code });
}

export function unsupported(param: string, message: string): OpenaiError {
  return invalid(param, message, "unsupported_parameter");
}

export function noSuchModel(model: string): OpenaiError {
  const message = `The model \`${model}\` does not exist; GET /v1/models lists those that do.`;
  return problem(404, message, { code: "model_not_found", param: "model" });
}

export function deniedProblem({ status, reason, waitMs }: AuthFailure): OpenaiError {
  if (status === 401) return problem(401, `Unauthorized: ${reason}.`, { code: "invalid_api_key" });
  const change = { type: "rate_limit_error", code: "rate_limit_exceeded", mayRetry: true, waitMs };
  return problem(429, `Unauthorized: ${reason}.`, change);
}

const STATUSES: { readonly [Code in RefusalCode]?: ContentfulStatusCode } = {
  "agent.unknown": 404,
  "conversation.missing": 404,
  "conversation.full": 429,
  "log.oversize": 413,
  "key.reused": 409,
  internal: 500,
};

/** Which part of the request a refusal is about, where one is. */
const PARAMS: { readonly [Code in RefusalCode]?: string } = { "tools.unsupported": "tools" };

const MS_PER_SECOND = 1_000;

export function refusalProblem(refusal: Refusal): OpenaiError {
  const { code } = refusal;
  const isWorthRetrying = REFUSALS[code].retry === "soon" && code !== "internal";
  const status = STATUSES[code] ?? (isWorthRetrying ? 503 : 400);
  const waitMs = isWorthRetrying ? MS_PER_SECOND : 0;
  const param = PARAMS[code] ?? null;
  return problem(status, describeRefusal(refusal), {
    code,
    param,
    mayRetry: isWorthRetrying,
    waitMs,
  });
}

export function headersOf({ mayRetry, waitMs }: OpenaiError): Record<string, string> {
  return {
    "x-should-retry": String(mayRetry),
    ...(waitMs > 0 && { "retry-after": String(Math.ceil(waitMs / MS_PER_SECOND)) }),
  };
}

export function bodyOf({ message, type, param, code }: OpenaiError): ErrorBody {
  return { error: { message, type, param, code } };
}
