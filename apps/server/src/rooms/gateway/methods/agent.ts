import { accept, DEFAULT_HANDLE, refuse, resolveKey, type Outcome } from "@atrium/core";
import type { ResultOf } from "@atrium/wire";
import { agentRun, agentWait } from "@atrium/wire/gateway";
import { DeferredResult } from "../../../pipeline/method-router.ts";
import type { RunStatus } from "../../../runs/run-statuses.ts";
import { FailedReply } from "../frames/encode.ts";
import { invalid } from "../frames/error-shape.ts";
import { type GatewayMethod, authorOf, serve } from "../frames/peer.ts";
import { readFiles } from "../params/attachments.ts";
import { instructionsWith } from "../params/internal-events.ts";
import { tokenUsage } from "../rows/conversation-rows.ts";
import type { ChatDeps } from "./chat.ts";

const DEFAULT_WAIT_MS = 30_000;
const MAX_WAIT_MS = 24 * 60 * 60_000;
const MS_PER_SECOND = 1_000;

export function agentMethods(deps: ChatDeps): readonly GatewayMethod[] {
  const { crew, intake, runs, now } = deps;
  return [
    serve(agentRun, async (params, { key: once, caller }) => {
      const { message, agentId, idempotencyKey: runId, thinking, model, timeout } = params;
      const sessionKey = nameOf(params);
      const key = resolveKey(crew, sessionKey, agentId);
      if (!key.ok) return key;
      const files = readFiles(params.attachments ?? []);
      if (!files.ok) return files;
      if (message.trim() === "" && files.value.length === 0) return refuse("message.empty");
      const expected = params.expectedExistingSessionId;
      const instructions = instructionsWith(params.extraSystemPrompt, params.internalEvents);
      const sent = await intake.send(
        {
          key: key.value,
          runId,
          text: message,
          from: authorOf(caller.member),
          files: files.value,
          // The caller wants a run of its own, not to be merged into one in progress.
          mode: "followup",
          ...(thinking !== undefined && thinking !== "" && { thinking }),
          ...(model !== undefined && model !== "" && { model }),
          ...(expected !== undefined && { expectedSessionId: expected }),
          ...(instructions !== undefined && { instructions }),
          ...(timeout !== undefined && { timeoutMs: timeout * MS_PER_SECOND }),
        },
        once,
      );
      if (!sent.ok) return sent;
      const { text, handle } = key.value;
      const accepted = { runId, sessionKey: text, agentId: handle, acceptedAt: now() };
      const last = runs.wait(runId, new AbortController().signal).then((report) => {
        return finished(runId, report, deps);
      });
      return accept(new DeferredResult({ ...accepted, status: "accepted" }, last));
    }),

    serve(agentWait, async ({ runId, timeoutMs = DEFAULT_WAIT_MS }) => {
      const signal = AbortSignal.timeout(Math.min(timeoutMs, MAX_WAIT_MS));
      const report = await runs.wait(runId, signal);
      return accept(waited(runId, report));
    }),
  ];
}

/** The conversation, by the most specific name that was given. */
function nameOf(params: {
  readonly sessionKey?: string;
  readonly to?: string;
  readonly agentId?: string;
}): string {
  const { sessionKey, to, agentId } = params;
  if (sessionKey !== undefined && sessionKey !== "") return sessionKey;
  const handle = agentId ?? DEFAULT_HANDLE;
  const name = to?.trim().toLowerCase().replaceAll(/\s+/g, "-");
  return `agent:${handle}:${name === undefined || name === "" ? "main" : `to:${name}`}`;
}

function finished(
  runId: string,
  report: RunStatus | undefined,
  { conversations, modelOf }: ChatDeps,
): Outcome<unknown> {
  const ended = report?.ended;
  if (report === undefined || ended === undefined) return refuse("run.missing", runId);
  if (ended.type === "run.failed") {
    const payload = { runId, status: "error", summary: ended.reason };
    return accept(new FailedReply(payload, { ...invalid(ended.reason), code: "UNAVAILABLE" }));
  }
  const { row } = report;
  const conversation = conversations.get(row.key);
  const { provider, id } = modelOf(conversation?.handle ?? DEFAULT_HANDLE);
  const isAborted = ended.type === "run.aborted";
  return accept({
    runId,
    status: isAborted ? "timeout" : "ok",
    summary: isAborted ? "aborted" : "completed",
    ...(isAborted && { stopReason: "rpc" }),
    result: {
      payloads: ended.text === "" ? [] : [{ text: ended.text, mediaUrl: null }],
      meta: {
        durationMs: Math.max(0, (row.endedAt ?? 0) - (row.startedAt ?? row.requestedAt)),
        aborted: isAborted,
        agentMeta: {
          sessionId: conversation?.sessionId ?? "none",
          provider,
          model: id,
          usage: tokenUsage(ended.usage),
        },
      },
    },
  });
}

function waited(runId: string, report: RunStatus | undefined): ResultOf<typeof agentWait> {
  if (report === undefined) return { runId, status: "timeout", pending: false };
  const { row, ended } = report;
  const startedAt = row.startedAt === null ? {} : { startedAt: row.startedAt };
  if (ended === undefined) return { runId, status: "timeout", pending: true, ...startedAt };
  const times = { ...startedAt, ...(row.endedAt !== null && { endedAt: row.endedAt }) };
  switch (ended.type) {
    case "run.completed": {
      const terminalReply = { disposition: "visible", text: ended.text } as const;
      return { runId, status: "ok", ...times, stopReason: ended.stopReason, terminalReply };
    }
    case "run.aborted":
      return { runId, status: "error", ...times, error: "aborted", stopReason: "rpc" };
    case "run.failed":
      return { runId, status: "error", ...times, error: ended.reason };
  }
}
