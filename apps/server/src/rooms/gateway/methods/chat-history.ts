/**
 * A page of what was said: the newest messages, those before them, those around one, or what has come since a cursor.
 *
 * Only the conversation as it is now is read. Whoever names an earlier session of it is told so.
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
  type ReadTranscript,
} from "@atrium/core";
import type { ParamsOf, ResultOf } from "@atrium/wire";
import type { chatHistory } from "@atrium/wire/gateway";
import { chatMessage, sessionRow, type ModelOf } from "../rows/conversation-rows.ts";

export interface HistoryDeps {
  readonly crew: readonly CrewMember[];
  readonly conversations: Pick<Conversations, "get">;
  readonly transcript: ReadTranscript;
  readonly findMessage: FindMessage;
  readonly modelOf: ModelOf;
}

type Params = ParamsOf<typeof chatHistory>;
type Page = ResultOf<typeof chatHistory>;

interface Stretch {
  readonly limit: number;
  /** How many newer messages are passed over. */
  readonly offset: number;
}

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
  const wanted = await stretchOf(deps, row, params, since);
  const page = await readPage(deps, row, params, wanted);
  return accept({
    ...empty,
    sessionId: row.sessionId,
    ...(since !== undefined && { kind: "delta" }),
    ...page,
    // Where a chat goes on from is the newest message, which a page around another one may not reach.
    ...(messageId === undefined && { deltaCursor: `${row.sessionId}:${row.messages}` }),
    totalMessages: row.messages,
    sessionInfo: sessionRow(row, deps.modelOf),
  });
}

/** Why these cannot be asked for together. */
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

async function stretchOf(
  { findMessage }: HistoryDeps,
  row: ConversationRow,
  { limit = DEFAULT_LIMIT, offset = 0, messageId }: Params,
  since: number | undefined,
): Promise<Stretch> {
  if (since !== undefined) return { limit: row.messages - since, offset: 0 };
  if (messageId === undefined) return { limit, offset };
  const newer = await findMessage(row.key, messageId);
  if (newer === undefined) return { limit: 0, offset: 0 };
  // In the middle of its page, or as near as the ends of the conversation allow; of an even number, one more is newer.
  const wished = newer - Math.floor(limit / 2);
  return { limit, offset: Math.max(0, Math.min(wished, row.messages - limit)) };
}

async function readPage(
  { transcript, modelOf }: HistoryDeps,
  row: ConversationRow,
  { maxChars, maxBytes = MAX_BYTES, messageId }: Params,
  { limit, offset }: Stretch,
): Promise<Pick<Page, "messages" | "hasMore" | "nextOffset">> {
  if (limit <= 0) return { messages: [], hasMore: false };
  const { messages: said, hasMore: isMoreThere } = await transcript(row.key, { limit, offset });
  const first = row.messages - offset - said.length + 1;
  const model = modelOf(row.handle);
  const messages = said.map((message, index) =>
    chatMessage(message, model, first + index, maxChars),
  );
  const anchor = said.findIndex(({ id }) => id === messageId);
  const kept = fit(messages, maxBytes, anchor === -1 ? messages.length - 1 : anchor);
  const hasMore = isMoreThere || kept.start > 0;
  return {
    messages: messages.slice(kept.start, kept.end),
    hasMore,
    ...(hasMore && { nextOffset: offset + messages.length - kept.start }),
  };
}

/** How many messages there were when the cursor was given out. */
function readCursor(cursor: string, row: ConversationRow): number | "reset" | "bad" {
  const [, sessionId, count] = /^(.+):(\d+)$/.exec(cursor) ?? [];
  if (sessionId === undefined) return "bad";
  const seen = Number(count);
  return sessionId === row.sessionId && seen <= row.messages ? seen : "reset";
}

/** As many around the one as fit, older and newer in turn; that one in any case, so that paging goes on. */
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
