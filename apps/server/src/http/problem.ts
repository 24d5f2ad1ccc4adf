/** How our own HTTP paths say no: `{"error": {"code", "message"}}`, with a status that fits. */
import { describeRefusal, REFUSALS, type Refusal, type RefusalCode } from "@atrium/core";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AuthFailure } from "../access/authenticate.ts";
import type { BadBody } from "./json-body.ts";

const MS_PER_SECOND = 1_000;
/** What is left of the body is not read. */
const CLOSE = { connection: "close" };

export interface ProblemBody {
  readonly error: { readonly code: RefusalCode; readonly message: string };
}

export function problemBody(code: RefusalCode, message: string): ProblemBody {
  return { error: { code, message } };
}

export function problem(
  status: ContentfulStatusCode,
  code: RefusalCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(problemBody(code, message), { status, headers });
}

export function unauthorized({ status, reason, waitMs }: AuthFailure): Response {
  const code = status === 401 ? "unauthorized" : "rate-limited";
  const after = { "retry-after": String(Math.ceil(waitMs / MS_PER_SECOND)) };
  return problem(status, code, reason, { ...CLOSE, ...(waitMs > 0 && after) });
}

export function invalidBody({ status, reason }: BadBody): Response {
  return problem(status, status === 415 ? "body.foreign" : "body.unreadable", reason, CLOSE);
}

export function methodNotAllowed(path: string, allowed: readonly string[]): Response {
  const allow = allowed.join(", ");
  const reason = `Method not allowed. ${path} supports ${allow}.`;
  return problem(405, "verb.unknown", reason, { ...CLOSE, allow });
}

export function notFound(path: string): Response {
  return problem(404, "path.unknown", `Not found: ${path}`);
}

/** For what a query has and a path does not know; `known` is what it does. */
export function unknownQueryParam(name: string, known: readonly string[]): Response {
  const others = known.length === 0 ? "This path takes none" : `Supported: ${known.join(", ")}`;
  return problem(400, "params.invalid", `Unknown query parameter ${name}. ${others}.`, CLOSE);
}

const CONFLICTS =
  /\.(?:settled|taken|closed|exists|changed|reused|unfinished|ended|not-asking|configured|busy|off|document|unmerged|impossible)$/;

export function refusal(refused: Refusal): Response {
  const isSoon = REFUSALS[refused.code].retry === "soon";
  const headers = isSoon ? { "retry-after": "1" } : {};
  return problem(statusOf(refused.code), refused.code, describeRefusal(refused), headers);
}

function statusOf(code: RefusalCode): ContentfulStatusCode {
  if (code === "internal") return 500;
  if (code === "scope.missing" || code.startsWith("credential.")) return 403;
  if (REFUSALS[code].retry === "soon" || code === "git.missing") return 503;
  if (code.endsWith(".missing") || code === "agent.unknown") return 404;
  return CONFLICTS.test(code) ? 409 : 400;
}
