/** `GET /sessions/{key}/history?limit=&cursor=`: a page of what was said, the newest first to be had. */
import { resolveKey, type Conversations, type CrewMember, type ReadTranscript } from "@atrium/core";
import type { SessionHistoryPage } from "@atrium/wire/gateway";
import { chatMessage, type ModelOf } from "../rows/conversation-rows.ts";
import { errorResponse, refusalResponse } from "./error-response.ts";

export interface SessionHistoryDeps {
  readonly crew: readonly CrewMember[];
  readonly conversations: Pick<Conversations, "get">;
  readonly transcript: ReadTranscript;
  readonly modelOf: ModelOf;
}

export interface HistoryPageQuery {
  readonly sessionKey: string;
  readonly limit: string | undefined;
  /** The number of the oldest message the caller has: it wants those before it. */
  readonly cursor: string | undefined;
}

const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 1_000;
const POSITIVE = /^[1-9]\d{0,14}$/;

export async function answerHistory(
  { sessionKey, limit, cursor }: HistoryPageQuery,
  { crew, conversations, transcript, modelOf }: SessionHistoryDeps,
): Promise<Response> {
  for (const [name, value] of Object.entries({ limit, cursor })) {
    if (value !== undefined && !POSITIVE.test(value)) {
      return errorResponse(400, "invalid_request", `${name} must be a positive integer`);
    }
  }
  const key = resolveKey(crew, sessionKey);
  if (!key.ok) return refusalResponse(key);
  const row = conversations.get(key.value.text);
  if (row === undefined) return errorResponse(404, "not_found", `Session not found: ${sessionKey}`);
  const before = Math.min(Number(cursor ?? row.messages + 1), row.messages + 1);
  const count = Math.min(Number(limit ?? DEFAULT_LIMIT), MAX_LIMIT);
  const offset = row.messages + 1 - before;
  const page = await transcript(row.key, { limit: count, offset });
  const first = before - page.messages.length;
  const model = modelOf(row.handle);
  const items = page.messages.map((message, index) => chatMessage(message, model, first + index));
  const { sessionId } = row;
  const answer: SessionHistoryPage = {
    sessionKey: row.key,
    sessionId,
    items,
    messages: items,
    hasMore: page.hasMore,
    ...(page.hasMore && { nextCursor: String(first) }),
  };
  return Response.json(answer);
}
