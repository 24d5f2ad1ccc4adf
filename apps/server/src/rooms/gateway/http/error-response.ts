/** Errors of the gateway's HTTP routes: `{ok: false, error: {type, message}}`. */
import { describeRefusal, REFUSALS, type Refusal, type RefusalCode } from "@atrium/core";
import type { PlainError } from "@atrium/wire/gateway";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AuthFailure } from "../../../access/authenticate.ts";

const MS_PER_SECOND = 1_000;

export function errorResponse(
  status: ContentfulStatusCode,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body: PlainError = { ok: false, error: { type, message } };
  return Response.json(body, { status, headers });
}

export function unauthorized({ status, reason, waitMs }: AuthFailure): Response {
  const type = status === 401 ? "unauthorized" : "rate_limited";
  const after = { "retry-after": String(Math.ceil(waitMs / MS_PER_SECOND)) };
  return errorResponse(status, type, `Unauthorized: ${reason}`, {
    connection: "close",
    ...(waitMs > 0 && after),
  });
}

export function methodNotAllowed(path: string, allowed: string): Response {
  const message = `Method not allowed. ${path} supports ${allowed}.`;
  return errorResponse(405, "method_not_allowed", message, { allow: allowed });
}

const STATUSES: { readonly [Code in RefusalCode]?: ContentfulStatusCode } = {
  "agent.unknown": 404,
  "conversation.missing": 404,
  "key.reused": 409,
  "call.unfinished": 409,
  "call.erased": 410,
  "log.oversize": 413,
  internal: 500,
};

export function refusalResponse(refusal: Refusal): Response {
  const { code } = refusal;
  const status = STATUSES[code] ?? (REFUSALS[code].retry === "soon" ? 503 : 400);
  return errorResponse(status, code, describeRefusal(refusal));
}
