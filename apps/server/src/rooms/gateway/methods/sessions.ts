import { createHash } from "node:crypto";
import {
  accept,
  conversation,
  DEFAULT_HANDLE,
  refuse,
  resolveKey,
  type ConversationRow,
  type ConversationSettings,
  type Conversations,
  type Outcome,
} from "@atrium/core";
import type { ParamsOf } from "@atrium/wire";
import {
  sessionsCreate,
  sessionsDelete,
  sessionsDescribe,
  sessionsGet,
  sessionsList,
  sessionsMessagesSubscribe,
  sessionsMessagesUnsubscribe,
  sessionsPatch,
  sessionsReset,
  sessionsSubscribe,
  sessionsUnsubscribe,
} from "@atrium/wire/gateway";
import { runKey } from "../../../runs/run-statuses.ts";
import { type GatewayMethod, authorOf, serve } from "../frames/peer.ts";
import type { Subscriptions } from "../outbound/subscriptions.ts";
import { readFiles } from "../params/attachments.ts";
import { readChatPage } from "../rows/chat-page.ts";
import { sessionRow, SHOWN_NOTES } from "../rows/conversation-rows.ts";
import type { ChatDeps } from "./chat.ts";

export interface SessionsDeps extends ChatDeps {
  readonly conversations: Pick<Conversations, "list" | "get">;
  readonly statePath: string;
  /** Resolves when deleted text can no longer be read. */
  readonly erase: () => Promise<void>;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
const DEFAULT_MESSAGES = 50;
const MS_PER_MINUTE = 60_000;

export function sessionsMethods(
  deps: SessionsDeps,
  subscriptions: Subscriptions,
): readonly GatewayMethod[] {
  return [
    ...readingMethods(deps),
    ...creatingMethods(deps),
    ...changingMethods(deps),
    ...followingMethods(deps, subscriptions),
  ];
}

function readingMethods(deps: SessionsDeps): readonly GatewayMethod[] {
  const { conversations, crew, modelOf, now } = deps;
  return [
    serve(sessionsList, (params) => {
      const { offset = 0 } = params;
      const limit = Math.min(params.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
      const found = conversations.list().filter(wanted(params, now()));
      const page = found.slice(offset, offset + limit);
      const next = offset + page.length;
      const hasMore = next < found.length;
      const { provider, id, contextTokens } = modelOf(DEFAULT_HANDLE);
      const options = {
        withPreview: params.includeLastMessage === true,
        withTitle: params.includeDerivedTitles === true,
      };
      return accept({
        ts: now(),
        path: deps.statePath,
        count: page.length,
        totalCount: found.length,
        limitApplied: limit,
        nextOffset: hasMore ? next : null,
        hasMore,
        owners: [],
        defaults: { modelProvider: provider, model: id, contextTokens },
        sessions: page.map((row) => sessionRow(row, modelOf, options)),
      });
    }),

    serve(sessionsDescribe, ({ key: written, agentId, ...params }) => {
      const key = resolveKey(crew, written, agentId);
      if (!key.ok) return key;
      const row = conversations.get(key.value.text);
      const options = {
        withPreview: params.includeLastMessage === true,
        withTitle: params.includeDerivedTitles === true,
      };
      return accept({ session: row === undefined ? null : sessionRow(row, modelOf, options) });
    }),

    serve(sessionsGet, async ({ key: written, agentId, limit = DEFAULT_MESSAGES }) => {
      const key = resolveKey(crew, written, agentId);
      if (!key.ok) return key;
      const row = conversations.get(key.value.text);
      if (row === undefined) return accept({ messages: [] });
      const { messages } = await readChatPage(deps, row, { limit, offset: 0 });
      return accept({ messages });
    }),
  ];
}

function wanted(params: ParamsOf<typeof sessionsList>, now: number) {
  const { activeMinutes, agentId, search, archived = false, label, pinned } = params;
  const since = activeMinutes === undefined ? 0 : now - activeMinutes * MS_PER_MINUTE;
  const words = search?.toLowerCase() ?? "";
  const matches = (text: string | null): boolean => text?.toLowerCase().includes(words) === true;
  return (row: ConversationRow): boolean =>
    (agentId === undefined || row.handle === agentId) &&
    (label === undefined || row.settings.label === label) &&
    (pinned === undefined || row.settings.isPinned === pinned) &&
    (archived === "all" || row.settings.isArchived === archived) &&
    (params.activeOnly !== true || row.runs.active !== null) &&
    params.spawnedBy === undefined &&
    row.updatedAt >= since &&
    (matches(row.key) || matches(row.preview) || matches(row.title) || matches(row.settings.label));
}

function creatingMethods(deps: SessionsDeps): readonly GatewayMethod[] {
  const { crew, dispatch, ids } = deps;
  return [
    serve(sessionsCreate, async (params, { key: once, caller }) => {
      const name = params.key ?? `dashboard:${once === undefined ? ids.next() : digestOf(once.id)}`;
      const key = resolveKey(crew, name, params.agentId);
      if (!key.ok) return key;
      const files = readFiles(params.attachments ?? []);
      if (!files.ok) return files;
      const { text } = key.value;
      const sessionId = ids.next();
      const open = {
        type: "open",
        key: key.value,
        sessionId,
        settings: newSettings(params),
      } as const;
      const done = await dispatch(conversation, text, open, once);
      if (!done.ok) return done;
      const message = params.message ?? params.task ?? "";
      const runId = once === undefined ? ids.next() : digestOf(once.id);
      const isBegun = message !== "" || files.value.length > 0;
      if (isBegun) {
        const from = authorOf(caller.member);
        const sent = await deps.intake.send(
          {
            key: key.value,
            runId,
            text: message,
            from,
            files: files.value,
            timeoutMs: params.timeoutMs ?? 0,
          },
          { id: runKey(runId), digest: once?.digest ?? digestOf(message) },
        );
        if (!sent.ok) return sent;
      }
      const now = changed(deps, text);
      if (!now.ok) return now;
      const run = isBegun ? { runStarted: true, runId } : { runStarted: false };
      return accept({ ...now.value, sessionId: now.value.entry.sessionId, ...run });
    }),
  ];
}

function changingMethods(deps: SessionsDeps): readonly GatewayMethod[] {
  const { conversations, crew, dispatch, ids } = deps;
  return [
    serve(sessionsPatch, async (request, { key: once }) => {
      const { key: written, agentId, expectedSessionId, ...params } = request;
      const key = resolveKey(crew, written, agentId);
      if (!key.ok) return key;
      const { text, isMain } = key.value;
      const row = conversations.get(text);
      if (expectedSessionId !== undefined && row?.sessionId !== expectedSessionId) {
        return refuse("conversation.changed", row?.sessionId);
      }
      const changes = changesIn(params);
      // An agent's main conversation exists even before its first message.
      const command =
        row === undefined && isMain
          ? ({ type: "open", key: key.value, sessionId: ids.next(), settings: changes } as const)
          : ({ type: "patch", changes } as const);
      const done = await dispatch(conversation, text, command, once);
      if (!done.ok) return done.code === "conversation.missing" ? refuse(done.code, text) : done;
      const now = changed(deps, text);
      return now.ok ? accept({ ...now.value, path: deps.statePath }) : now;
    }),

    serve(sessionsReset, async (params, { key: once }) => {
      const key = resolveKey(crew, params.key, params.agentId);
      if (!key.ok) return key;
      const { text } = key.value;
      const { reason = "reset", expectedSessionId = null } = params;
      const { deleteTranscript: isErased = false } = params;
      const reset = { type: "reset", reason, expectedSessionId, by: null, isErased } as const;
      const done = await dispatch(conversation, text, { ...reset, sessionId: ids.next() }, once);
      if (!done.ok) return done.code === "conversation.missing" ? refuse(done.code, text) : done;
      if (isErased) await deps.erase();
      return changed(deps, text);
    }),

    serve(sessionsDelete, async (params, { key: once }) => {
      const { key: written, agentId, expectedSessionId = null, archivedOnly } = params;
      // Like the original gateway: the transcript is deleted too, unless the caller keeps it.
      const { deleteTranscript: isErased = true } = params;
      const key = resolveKey(crew, written, agentId);
      if (!key.ok) return key;
      const { text } = key.value;
      const row = conversations.get(text);
      if (archivedOnly === true && row?.settings.isArchived !== true) {
        return accept({ ok: true, key: text, deleted: false, archived: [] });
      }
      const remove = { type: "delete", expectedSessionId, isErased } as const;
      const done = await dispatch(conversation, text, remove, once);
      if (!done.ok) return done.code === "conversation.main" ? refuse(done.code, text) : done;
      const deleted = done.value.events.length > 0;
      if (isErased) await deps.erase();
      return accept({ ok: true, key: text, deleted, archived: [] });
    }),
  ];
}

/** The conversation after a change, for the caller. */
function changed({ conversations, modelOf }: SessionsDeps, key: string) {
  const row = conversations.get(key);
  if (row === undefined) return refuse("conversation.missing", key);
  const { provider, id } = modelOf(row.handle);
  const resolved = { modelProvider: provider, model: row.settings.model ?? id };
  return accept({ ok: true as const, key, entry: entryOf(row), resolved });
}

function followingMethods(
  { crew }: SessionsDeps,
  subscriptions: Subscriptions,
): readonly GatewayMethod[] {
  const followed = (written: string, agentId: string | undefined): Outcome<string> => {
    const key = resolveKey(crew, written, agentId);
    return key.ok ? accept(key.value.text) : key;
  };
  return [
    serve(sessionsSubscribe, (_params, { caller }) => {
      subscriptions.followAll(caller.member);
      return accept({ subscribed: true });
    }),
    serve(sessionsUnsubscribe, (_params, { caller }) => {
      subscriptions.unfollowAll(caller.member);
      return accept({ subscribed: false });
    }),
    serve(sessionsMessagesSubscribe, ({ key: written, agentId }, { caller }) => {
      const key = followed(written, agentId);
      if (!key.ok) return key;
      subscriptions.follow(caller.member, key.value);
      return accept({ subscribed: true, key: key.value });
    }),
    serve(sessionsMessagesUnsubscribe, ({ key: written, agentId }, { caller }) => {
      const key = followed(written, agentId);
      if (!key.ok) return key;
      subscriptions.unfollow(caller.member, key.value);
      return accept({ subscribed: false, key: key.value });
    }),
  ];
}

function entryOf({ sessionId, updatedAt, settings }: ConversationRow) {
  return {
    sessionId,
    updatedAt,
    ...(settings.label !== null && { label: settings.label }),
    ...(settings.model !== null && { model: settings.model }),
    ...(settings.thinking !== null && { thinkingLevel: settings.thinking }),
    archived: settings.isArchived,
    pinned: settings.isPinned,
    unread: settings.isUnread,
  };
}

function newSettings(params: ParamsOf<typeof sessionsCreate>): Partial<ConversationSettings> {
  const { label = params.displayName, model, thinkingLevel, category } = params;
  return {
    ...(label !== undefined && { label }),
    ...(model !== undefined && { model }),
    ...(thinkingLevel !== undefined && { thinking: thinkingLevel }),
    ...(category !== undefined && { notes: { category } }),
  };
}

function changesIn(
  params: Omit<ParamsOf<typeof sessionsPatch>, "key">,
): Partial<ConversationSettings> {
  const { label, model, thinkingLevel, archived, pinned, unread } = params;
  const notes: Record<string, string> = {};
  for (const name of SHOWN_NOTES) {
    const value = params[name];
    // A cleared note is stored as empty text and shown as absent.
    if (value !== undefined) notes[name] = value ?? "";
  }
  return {
    ...(label !== undefined && { label }),
    ...(model !== undefined && { model }),
    ...(thinkingLevel !== undefined && { thinking: thinkingLevel }),
    ...(archived !== undefined && { isArchived: archived }),
    ...(pinned !== undefined && { isPinned: pinned }),
    ...(unread !== undefined && { isUnread: unread }),
    ...(Object.keys(notes).length > 0 && { notes }),
  };
}

/** Equal for equal texts, and short enough for a name. */
function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
