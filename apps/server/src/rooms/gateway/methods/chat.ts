import {
  accept,
  conversation,
  DEFAULT_HANDLE,
  MAIN_KEY,
  refuse,
  resolveKey,
  type ConversationRow,
  type Conversations,
  type CrewMember,
  type Dispatch,
  type Ids,
  type Outcome,
  type ReadTranscript,
} from "@atrium/core";
import type { ParamsOf, ResultOf } from "@atrium/wire";
import {
  chatAbort,
  chatHistory,
  chatInject,
  chatMetadata,
  chatSend,
  chatStartup,
} from "@atrium/wire/gateway";
import type { FrontDesk } from "../../../director/front-desk.ts";
import type { RunReport, RunReports } from "../../../director/run-reports.ts";
import { on, type Method } from "../../room.ts";
import { readFiles } from "../attachments.ts";
import { FailedReply } from "../egress.ts";
import { invalid } from "../refusals.ts";
import { chatMessage, sessionRow, type ModelOf } from "../rows.ts";
import { authorOf, type GatewayCaller, type GatewayContext } from "../session.ts";
import type { HearAnswer } from "../spoken-answers.ts";

export interface ChatDeps {
  readonly dispatch: Dispatch;
  readonly desk: Pick<FrontDesk, "send" | "stop">;
  readonly runs: Pick<RunReports, "report">;
  readonly ids: Ids;
  readonly crew: readonly CrewMember[];
  readonly conversations: Pick<Conversations, "get">;
  readonly transcript: ReadTranscript;
  readonly modelOf: ModelOf;
}

export interface ChatMethodsDeps extends ChatDeps {
  readonly hearAnswer: HearAnswer;
}

const DEFAULT_LIMIT = 200;
const MAX_BYTES = 6 * 1024 * 1024;

export function chatMethods(deps: ChatMethodsDeps): readonly Method<GatewayCaller>[] {
  const { crew, desk } = deps;
  return [
    on(chatSend, async (params, { key: once, caller }: GatewayContext) => {
      const { sessionKey, agentId, message, idempotencyKey: runId, thinking, queueMode } = params;
      const key = resolveKey(crew, sessionKey, agentId);
      if (!key.ok) return key;
      const { text: place, handle } = key.value;
      const where = { runId, sessionKey: place, agentId: handle };
      const answered = await deps.hearAnswer(message, caller.member, where);
      if (answered !== undefined) {
        return answered.ok ? accept({ runId, status: "ok", ...answered.value } as const) : answered;
      }
      const files = readFiles(params.attachments ?? []);
      if (!files.ok) return files;
      if (message.trim() === "" && files.value.length === 0) return refuse("message.empty");
      const sent = await desk.send(
        {
          key: key.value,
          runId,
          text: message,
          from: authorOf(caller.member),
          files: files.value,
          ...(queueMode !== undefined && { mode: queueMode }),
          ...(thinking !== undefined && thinking !== "" && { thinking }),
          ...(params.sessionId !== undefined && { expectedSessionId: params.sessionId }),
          ...(params.timeoutMs !== undefined && { timeoutMs: params.timeoutMs }),
          isPlain: params.suppressCommandInterpretation === true,
        },
        once,
      );
      if (!sent.ok) return sent;
      if (!sent.value.isRepeated) return accept({ runId, status: "started" } as const);
      return again(runId, await deps.runs.report(runId));
    }),

    on(chatAbort, async ({ sessionKey, agentId, runId }, { key: once }) => {
      const key = resolveKey(crew, sessionKey, agentId);
      if (!key.ok) return key;
      const stopped = await desk.stop(key.value.text, runId ?? null, "aborted", once);
      if (!stopped.ok) return stopped;
      const runIds = [...stopped.value];
      return accept({ ok: true, aborted: runIds.length > 0, runIds } as const);
    }),

    on(chatInject, async ({ sessionKey, agentId, message, label }, { key: once }) => {
      const key = resolveKey(crew, sessionKey, agentId);
      if (!key.ok) return key;
      const done = await deps.dispatch(
        conversation,
        key.value.text,
        {
          type: "inject",
          key: key.value,
          messageId: deps.ids.next(),
          sessionId: deps.ids.next(),
          text: message,
          label: label ?? null,
        },
        once,
      );
      if (!done.ok) return done;
      const { position, events } = done.value;
      const injected = events.find((event) => event.type === "message.injected");
      return accept({ ok: true, messageId: injected?.messageId ?? "", position });
    }),

    on(chatHistory, (params) => readHistory(deps, params)),

    on(chatStartup, async ({ includeMetadata: _wanted, ...params }) => {
      const sessionKey = params.sessionKey ?? MAIN_KEY;
      const page = await readHistory(deps, { ...params, sessionKey });
      if (!page.ok) return page;
      const about = describe(deps, sessionKey, params.agentId);
      return about.ok ? accept({ ...page.value, metadata: about.value }) : about;
    }),

    on(chatMetadata, ({ sessionKey, agentId }) =>
      describe(deps, sessionKey ?? `agent:${agentId ?? DEFAULT_HANDLE}:main`, agentId),
    ),
  ];
}

type HistoryPage = ResultOf<typeof chatHistory>;

async function readHistory(
  deps: ChatDeps,
  params: ParamsOf<typeof chatHistory>,
): Promise<Outcome<HistoryPage>> {
  const { sessionKey, agentId, limit = DEFAULT_LIMIT, offset = 0, maxChars, cursor } = params;
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
  if (row === undefined) return accept(empty);
  const since = cursor === undefined ? undefined : readCursor(cursor, row);
  if (since === "bad") return refuse("cursor.unreadable", cursor);
  if (since === "reset") return accept({ ...empty, kind: "reset" });
  const wanted =
    since === undefined ? { limit, offset } : { limit: row.messages - since, offset: 0 };
  const page =
    wanted.limit > 0 ? await deps.transcript(row.key, wanted) : { messages: [], hasMore: false };
  const first = row.messages - wanted.offset - page.messages.length + 1;
  const model = deps.modelOf(row.handle);
  const messages = page.messages.map((message, index) =>
    chatMessage(message, model, first + index, maxChars),
  );
  const kept = fit(messages, params.maxBytes ?? MAX_BYTES);
  const hasMore = page.hasMore || kept.length < messages.length;
  return accept({
    ...empty,
    sessionId: row.sessionId,
    ...(since !== undefined && { kind: "delta" }),
    messages: kept,
    deltaCursor: `${row.sessionId}:${row.messages}`,
    hasMore,
    ...(hasMore && { nextOffset: wanted.offset + kept.length }),
    totalMessages: row.messages,
    sessionInfo: sessionRow(row, deps.modelOf),
  });
}

/** How many messages there were when the cursor was given out. */
function readCursor(cursor: string, row: ConversationRow): number | "reset" | "bad" {
  const [, sessionId, count] = /^(.+):(\d+)$/.exec(cursor) ?? [];
  if (sessionId === undefined) return "bad";
  const seen = Number(count);
  return sessionId === row.sessionId && seen <= row.messages ? seen : "reset";
}

/** The newest that fit; at least one, so that paging goes on. */
function fit<T>(messages: readonly T[], maxBytes: number): T[] {
  let bytes = 0;
  const kept: T[] = [];
  for (const message of messages.toReversed()) {
    bytes += JSON.stringify(message).length;
    if (bytes > maxBytes && kept.length > 0) break;
    kept.push(message);
  }
  return kept.toReversed();
}

function describe(
  deps: ChatDeps,
  sessionKey: string,
  agentId: string | undefined,
): Outcome<ResultOf<typeof chatMetadata>> {
  const key = resolveKey(deps.crew, sessionKey, agentId);
  if (!key.ok) return key;
  const { handle } = key.value;
  const agentName = deps.crew.find((member) => member.handle === handle)?.name ?? handle;
  const { provider, id } = deps.modelOf(handle);
  const model = deps.conversations.get(key.value.text)?.settings.model ?? id;
  return accept({ agentId: handle, agentName, modelProvider: provider, model });
}

/** The answer to a message that had been taken before: what has become of it. */
function again(runId: string, report: RunReport | undefined): Outcome<ResultOf<typeof chatSend>> {
  if (report?.ended === undefined) return accept({ runId, status: "in_flight" });
  const endedAt = report.row.endedAt ?? undefined;
  const { ended } = report;
  switch (ended.type) {
    case "run.completed":
      return accept({ runId, status: "ok", ...(endedAt !== undefined && { endedAt }) });
    case "run.aborted":
      return accept({
        runId,
        status: "timeout",
        summary: "aborted",
        stopReason: "rpc",
        ...(endedAt !== undefined && { endedAt }),
      });
    case "run.failed": {
      const payload = { runId, status: "error", summary: ended.reason };
      const error = { ...invalid(ended.reason), code: "UNAVAILABLE" };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the room writes it out as a failure
      return accept(new FailedReply(payload, error) as never);
    }
  }
}
