/**
 * A page of a conversation: the newest messages, those before them, those around one, or those since a cursor.
 *
 * Only the current session of the conversation is read; naming an earlier one is refused.
 */
import {
  accept,
  refuse,
  resolveKey,
  type ConversationRow,
  type Conversations,
  type CrewMember,
  type FindMessage,
  type Outcome,
} from "@atrium/core";
import type { ParamsOf, ResultOf } from "@atrium/wire";
import type { chatHistory } from "@atrium/wire/gateway";
import { readChatPage, type ChatPageDeps, type PageRange } from "../rows/chat-page.ts";
import { sessionRow } from "../rows/conversation-rows.ts";

export interface HistoryDeps extends ChatPageDeps {
  readonly crew: readonly CrewMember[];
  readonly conversations: Pick<Conversations, "get">;
  readonly findMessage: FindMessage;
}

type Params = ParamsOf<typeof chatHistory>;
type Page = ResultOf<typeof chatHistory>;

const DEFAULT_LIMIT = 200;
const MAX_BYTES = 6 * 1024 * 1024;

export async function readHistory(deps: HistoryDeps, params: Params): Promise<Outcome<Page>> {
  const clash = clashIn(params);
  if (clash !== undefined) return refuse("params.invalid", clash);
  const { sessionKey, agentId, cursor, messageId, sessionId } = params;
  const key = resolveKey(deps.crew, sessionKey, agentId);
  if (!key.ok) return key;
  const { provider, id, contextTokens } = deps.modelOf(key.value.handle);
  const empty = {
    sessionKey,
    messages: [],
    pendingInputs: { items: [], total: 0 },
    hasMore: false,
    totalMessages: 0,
    defaults: { modelProvider: provider, model: id, contextTokens },
  };
  const row = deps.conversations.get(key.value.text);
  if (sessionId !== undefined && sessionId !== row?.sessionId) {
    return refuse("conversation.changed", `sessionId does not belong to ${sessionKey}`);
  }
  if (row === undefined) return accept(empty);
  const since = cursor === undefined ? undefined : readCursor(cursor, row);
  if (since === "bad") return refuse("cursor.unreadable", cursor);
  if (since === "reset") return accept({ ...empty, kind: "reset" });
  const range = await rangeOf(deps, row, params, since);
  const page = await readPage(deps, row, params, range);
  return accept({
    ...empty,
    sessionId: row.sessionId,
    ...(since !== undefined && { kind: "delta" }),
    ...page,
    // A cursor stands at the newest message, which a page around another one may not reach.
    ...(messageId === undefined && { deltaCursor: `${row.sessionId}:${row.messages}` }),
    totalMessages: row.messages,
    sessionInfo: sessionRow(row, deps.modelOf),
  });
}

/** Names parameters that exclude each other. */
function clashIn({ offset, cursor, messageId, sessionId }: Params): string | undefined {
  if (offset !== undefined && messageId !== undefined) {
    return "offset and messageId cannot be used together";
  }
  if (cursor !== undefined && (offset !== undefined || messageId !== undefined)) {
    return "cursor cannot be used with offset or messageId";
  }
  return sessionId !== undefined && messageId === undefined
    ? "sessionId requires messageId"
    : undefined;
}

async function rangeOf(
  { findMessage }: HistoryDeps,
  row: ConversationRow,
  { limit = DEFAULT_LIMIT, offset = 0, messageId }: Params,
  since: number | undefined,
): Promise<PageRange> {
  if (since !== undefined) return { limit: row.messages - since, offset: 0 };
  if (messageId === undefined) return { limit, offset };
  const newer = await findMessage(row.key, messageId);
  if (newer === undefined) return { limit: 0, offset: 0 };
  // The message is in the middle of its page, or as near as the ends of the conversation allow; with an even limit, one more is newer.
  const wished = newer - Math.floor(limit / 2);
  return { limit, offset: Math.max(0, Math.min(wished, row.messages - limit)) };
}

async function readPage(
  deps: HistoryDeps,
  row: ConversationRow,
  { maxChars, maxBytes = MAX_BYTES, messageId }: Params,
  range: PageRange,
): Promise<Pick<Page, "messages" | "hasMore" | "nextOffset">> {
  if (range.limit <= 0) return { messages: [], hasMore: false };
  const { messages, ...page } = await readChatPage(deps, row, range, maxChars);
  const anchor = messages.findIndex((message) => message.__openclaw?.id === messageId);
  const kept = fit(messages, maxBytes, anchor === -1 ? messages.length - 1 : anchor);
  const hasMore = page.hasMore || kept.start > 0;
  return {
    messages: messages.slice(kept.start, kept.end),
    hasMore,
    ...(hasMore && { nextOffset: range.offset + messages.length - kept.start }),
  };
}

/** How many messages there were when the cursor was given out. */
function readCursor(cursor: string, row: ConversationRow): number | "reset" | "bad" {
  const [, sessionId, count] = /^(.+):(\d+)$/.exec(cursor) ?? [];
  if (sessionId === undefined) return "bad";
  const seen = Number(count);
  return sessionId === row.sessionId && seen <= row.messages ? seen : "reset";
}

/** As many messages around the anchor as fit, older and newer in turn; always the anchor, so that paging advances. */
function fit(
  messages: readonly unknown[],
  maxBytes: number,
  anchor: number,
): { readonly start: number; readonly end: number } {
  const sizes = messages.map((message) => JSON.stringify(message).length);
  let start = Math.max(0, anchor);
  let end = Math.min(messages.length, anchor + 1);
  let left = maxBytes - (sizes[anchor] ?? 0);
  for (let canGrow = true; canGrow;) {
    canGrow = false;
    const older = sizes[start - 1] ?? Infinity;
    if (older <= left) {
      start -= 1;
      left -= older;
      canGrow = true;
    }
    const newer = sizes[end] ?? Infinity;
    if (newer <= left) {
      end += 1;
      left -= newer;
      canGrow = true;
    }
  }
  return { start, end };
}
