import {
  accept,
  conversation,
  DEFAULT_HANDLE,
  MAIN_KEY,
  refuse,
  resolveKey,
  type Dispatch,
  type Ids,
  type Outcome,
} from "@atrium/core";
import type { ResultOf } from "@atrium/wire";
import {
  chatAbort,
  chatHistory,
  chatInject,
  chatMetadata,
  chatSend,
  chatStartup,
} from "@atrium/wire/gateway";
import type { MessageIntake } from "../../../runs/message-intake.ts";
import type { RunStatus, RunStatuses } from "../../../runs/run-statuses.ts";
import { FailedReply } from "../frames/encode.ts";
import { invalid } from "../frames/error-shape.ts";
import { type GatewayMethod, authorOf, serve } from "../frames/peer.ts";
import type { ApproveByText } from "../params/approve-by-text.ts";
import { readFiles } from "../params/attachments.ts";
import { readHistory, type HistoryDeps } from "./chat-history.ts";

export interface ChatDeps extends HistoryDeps {
  readonly dispatch: Dispatch;
  readonly intake: Pick<MessageIntake, "send" | "stop">;
  readonly runs: Pick<RunStatuses, "get" | "wait">;
  readonly ids: Ids;
  readonly now: () => number;
}

export function chatMethods(
  deps: ChatDeps,
  approveByText: ApproveByText,
): readonly GatewayMethod[] {
  const { crew, intake } = deps;
  return [
    serve(chatSend, async (params, { key: once, caller }) => {
      const { sessionKey, agentId, message, idempotencyKey: runId, thinking, queueMode } = params;
      const key = resolveKey(crew, sessionKey, agentId);
      if (!key.ok) return key;
      const { text: place, handle } = key.value;
      const where = { runId, sessionKey: place, agentId: handle };
      const answered = await approveByText(message, caller.member, where);
      if (answered !== undefined) {
        return answered.ok ? accept({ runId, status: "ok", ...answered.value } as const) : answered;
      }
      const files = readFiles(params.attachments ?? []);
      if (!files.ok) return files;
      if (message.trim() === "" && files.value.length === 0) return refuse("message.empty");
      const sent = await intake.send(
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
      return again(runId, await deps.runs.get(runId));
    }),

    serve(chatAbort, async ({ sessionKey, agentId, runId }, { key: once }) => {
      const key = resolveKey(crew, sessionKey, agentId);
      if (!key.ok) return key;
      const stopped = await intake.stop(key.value.text, runId ?? null, "aborted", once);
      if (!stopped.ok) return stopped;
      const runIds = [...stopped.value];
      return accept({ ok: true, aborted: runIds.length > 0, runIds } as const);
    }),

    serve(chatInject, async ({ sessionKey, agentId, message, label }, { key: once }) => {
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

    serve(chatHistory, (params) => readHistory(deps, params)),

    serve(chatStartup, async ({ includeMetadata: _wanted, ...params }) => {
      const sessionKey = params.sessionKey ?? MAIN_KEY;
      const page = await readHistory(deps, { ...params, sessionKey });
      if (!page.ok) return page;
      const about = describe(deps, sessionKey, params.agentId);
      return about.ok ? accept({ ...page.value, metadata: about.value }) : about;
    }),

    serve(chatMetadata, ({ sessionKey, agentId }) =>
      describe(deps, sessionKey ?? `agent:${agentId ?? DEFAULT_HANDLE}:main`, agentId),
    ),
  ];
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

/** The answer to a repeated message: the state of its run. */
function again(runId: string, report: RunStatus | undefined): Outcome<ResultOf<typeof chatSend>> {
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
