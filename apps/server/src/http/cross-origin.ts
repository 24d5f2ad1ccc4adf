/**
 * Pages of other origins at paths that are open to them.
 *
 * Only origins in `allowedOrigins` get an answer that their browser lets them read. They show the token
 * themselves: a cookie that their browser sends along is not looked at, because it was given to our own
 * pages. The gatekeeper has turned away every other origin before this.
 */
import type { IncomingMessage, ServerResponse } from "node:http";

export interface CrossOriginRules {
  readonly allowedOrigins: readonly string[];
}

const HEADERS = "authorization, content-type, idempotency-key, last-event-id";
const READABLE = "retry-after";
const MAX_AGE_S = 600;

/**
 * Marks the response for the browser, and takes away what is not the page's to show. Returns the answer
 * to a question whether it may ask (a preflight).
 */
export function answerPreflight(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  verbs: readonly string[],
  { allowedOrigins }: CrossOriginRules,
): Response | undefined {
  outgoing.setHeader("vary", "Origin");
  const { origin, host } = incoming.headers;
  if (origin === undefined || !allowedOrigins.includes(origin)) return undefined;
  if (URL.parse(origin)?.host === host?.toLowerCase()) return undefined;
  delete incoming.headers.cookie;
  outgoing.setHeader("access-control-allow-origin", origin);
  outgoing.setHeader("access-control-expose-headers", READABLE);
  const asksWhether =
    incoming.method === "OPTIONS" &&
    incoming.headers["access-control-request-method"] !== undefined;
  if (!asksWhether) return undefined;
  const asksForLocal = incoming.headers["access-control-request-private-network"] === "true";
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": verbs.join(", "),
      "access-control-allow-headers": HEADERS,
      "access-control-max-age": String(MAX_AGE_S),
      ...(asksForLocal && { "access-control-allow-private-network": "true" }),
    },
  });
}
