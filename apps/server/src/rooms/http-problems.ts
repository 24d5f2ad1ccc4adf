/** How our own HTTP paths say no: `{"error": {"code", "message"}}`, with a status that fits. */
import { REFUSALS, type Refusal, type RefusalCode } from "@atrium/core";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Denied } from "../access/doorkeeper.ts";
import type { BadBody } from "./json-body.ts";

const MS_PER_SECOND = 1_000;

export function problem(
  status: ContentfulStatusCode,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error: { code, message } }, { status, headers });
}

export function denial({ status, reason, waitMs }: Denied): Response {
  const code = status === 401 ? "unauthorized" : "rate-limited";
  const after = { "retry-after": String(Math.ceil(waitMs / MS_PER_SECOND)) };
  return problem(status, code, reason, { connection: "close", ...(waitMs > 0 && after) });
}

/** What is left of the body is not read. */
export function badBody({ status, reason }: BadBody): Response {
  return problem(status, "body.unreadable", reason, { connection: "close" });
}

export function noSuchVerb(path: string, allowed: readonly string[]): Response {
  const allow = allowed.join(", ");
  return problem(405, "verb.unknown", `${path} answers ${allow} only`, { allow });
}

const CONFLICTS = /\.(?:settled|taken|closed|exists|changed|reused|unfinished|ended)$/;

export function refusal({ code, detail }: Refusal): Response {
  const { says } = REFUSALS[code];
  return problem(statusOf(code), code, detail === undefined ? says : `${says} (${detail})`);
}

function statusOf(code: RefusalCode): ContentfulStatusCode {
  if (code === "internal") return 500;
  if (code === "scope.missing") return 403;
  if (REFUSALS[code].retry === "soon") return 503;
  if (code.endsWith(".missing") || code === "agent.unknown") return 404;
  return CONFLICTS.test(code) ? 409 : 400;
}
