/** `GET /sessions/{key}/history?limit=&cursor=`: a page of messages, beginning with the newest. */
import { resolveKey, type Conversations, type CrewMember } from "@atrium/core";
import type { SessionHistoryPage } from "@atrium/wire/gateway";
import { readChatPage, type ChatPageDeps } from "../rows/chat-page.ts";
import { errorResponse, refusalResponse } from "./error-response.ts";

export interface SessionHistoryDeps extends ChatPageDeps {
  readonly crew: readonly CrewMember[];
  readonly conversations: Pick<Conversations, "get">;
}

export interface HistoryPageQuery {
  readonly sessionKey: string;
  readonly limit: string | undefined;
  /** The number of the oldest message that the caller has; the page ends before it. */
  readonly cursor: string | undefined;
}

const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 1_000;
const POSITIVE = /^[1-9]\d{0,14}$/;

export async function answerHistory(
  { sessionKey, limit, cursor }: HistoryPageQuery,
  deps: SessionHistoryDeps,
): Promise<Response> {
  for (const [name, value] of Object.entries({ limit, cursor })) {
    if (value !== undefined && !POSITIVE.test(value)) {
      return errorResponse(400, "invalid_request", `${name} must be a positive integer`);
    }
  }
  const key = resolveKey(deps.crew, sessionKey);
  if (!key.ok) return refusalResponse(key);
  const row = deps.conversations.get(key.value.text);
  if (row === undefined) return errorResponse(404, "not_found", `Session not found: ${sessionKey}`);
  const before = Math.min(Number(cursor ?? row.messages + 1), row.messages + 1);
  const count = Math.min(Number(limit ?? DEFAULT_LIMIT), MAX_LIMIT);
  const offset = row.messages + 1 - before;
  const { messages, first, hasMore } = await readChatPage(deps, row, { limit: count, offset });
  const answer: SessionHistoryPage = {
    sessionKey: row.key,
    sessionId: row.sessionId,
    items: messages,
    messages,
    hasMore,
    ...(hasMore && { nextCursor: String(first) }),
  };
  return Response.json(answer);
}
