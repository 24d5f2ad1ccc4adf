/**
 * Run: one agent turn, from the message that asks for it to its one end.
 *
 *   queued --start--> running --settle--> completed | failed | aborted
 *     |  \              \--stop--> stopping --settle--> aborted
 *     |   `--stop--> aborted
 *     `--merge, or collected by another's start--> merged
 *
 * Pure, and only ever asked through the conversation the run belongs to. What is not in the table is
 * refused: a run that has ended stays as it ended, whoever comes late with another ending.
 */
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { RequestCalls, RunCommand, Send, Settle, Start, Stop } from "./commands.ts";
import type { QueueMode, RunEnded, RunEvent } from "./events.ts";
import { NOTHING_USED } from "./usage.ts";

export interface QueuedRun {
  readonly runId: string;
  readonly mode: QueueMode;
}

export interface ActiveRun {
  readonly runId: string;
  readonly stage: "running" | "stopping";
  /** Why it is stopping. */
  readonly stopReason: string | null;
  /** Tools that were called and have not returned, by call. */
  readonly openCalls: ReadonlyMap<string, string>;
  /** The last time it asked its client to make calls; left out: it has not yet. */
  readonly pause?: RunPause;
}

export interface RunPause {
  /** Counted from 1. */
  readonly number: number;
  readonly callIds: readonly string[];
  /** Under which the results are kept; null: it waits for them. */
  readonly answer: string | null;
}

export interface Runs {
  readonly active: ActiveRun | null;
  readonly queue: readonly QueuedRun[];
}

export const noRuns: Runs = { active: null, queue: [] };

export function decideRun(runs: Runs, command: RunCommand): Outcome<readonly RunEvent[]> {
  switch (command.type) {
    case "start":
      return start(runs, command);
    case "merge": {
      const waits = runs.queue.some(({ runId }) => runId === command.runId);
      if (!waits || runs.active?.runId !== command.into) {
        return refuse("run.settled", command.runId);
      }
      return accept([{ type: "run.merged", runId: command.runId, into: command.into }]);
    }
    case "call-tool": {
      if (runs.active?.runId !== command.runId) return refuse("run.settled", command.runId);
      const { runId, messageId, callId, name, input } = command;
      return accept([{ type: "run.tool.called", runId, messageId, callId, name, input }]);
    }
    case "return-tool": {
      const { type: _type, ...returned } = command;
      const { runId, callId } = returned;
      const name = runs.active?.runId === runId ? runs.active.openCalls.get(callId) : undefined;
      if (name === undefined) return refuse("run.settled", runId);
      return accept([{ type: "run.tool.returned", ...returned, name }]);
    }
    case "deliver": {
      const { runId, artifactId, artifact } = command;
      if (runs.active?.runId !== runId) return refuse("run.settled", runId);
      return accept([{ type: "run.delivered", runId, artifactId, ...artifact }]);
    }
    case "note-compaction": {
      const { runId, compacted } = command;
      if (runs.active?.runId !== runId) return refuse("run.settled", runId);
      return accept([{ type: "run.compacted", runId, ...compacted }]);
    }
    case "note-session": {
      const { runId, runtime, session } = command;
      if (runs.active?.runId !== runId) return refuse("run.settled", runId);
      return accept([{ type: "run.session.named", runId, runtime, session }]);
    }
    case "request-calls":
      return requestCalls(runs, command);
    case "stop":
      return accept(stop(runs, command));
    case "settle":
      return settle(runs, command);
  }
}

export function evolveRuns(runs: Runs, event: RunEvent): Runs {
  switch (event.type) {
    case "run.requested":
      return { ...runs, queue: [...runs.queue, { runId: event.runId, mode: event.mode }] };
    case "run.started":
      return {
        active: { runId: event.runId, stage: "running", stopReason: null, openCalls: new Map() },
        queue: without(runs.queue, event.runId),
      };
    case "run.tool.called":
      return withActive(runs, ({ openCalls, ...active }) => ({
        ...active,
        openCalls: new Map(openCalls).set(event.callId, event.name),
      }));
    case "run.tool.returned":
      return withActive(runs, ({ openCalls, ...active }) => {
        const open = new Map(openCalls);
        open.delete(event.callId);
        return { ...active, openCalls: open };
      });
    case "run.delivered":
    case "run.compacted":
    case "run.session.named":
      return runs;
    case "run.calls.requested": {
      const { number, callIds } = event;
      return withActive(runs, (active) => ({
        ...active,
        pause: { number, callIds, answer: null },
      }));
    }
    case "run.calls.answered":
      return withActive(runs, ({ pause, ...active }) => ({
        ...active,
        ...(pause !== undefined && { pause: { ...pause, answer: event.digest } }),
      }));
    case "run.stopping":
      return withActive(runs, (active) => ({
        ...active,
        stage: "stopping",
        stopReason: event.reason,
      }));
    case "run.completed":
    case "run.failed":
    case "run.aborted":
    case "run.merged":
      return {
        active: runs.active?.runId === event.runId ? null : runs.active,
        queue: without(runs.queue, event.runId),
      };
  }
}

export function isWaitingForCalls(active: ActiveRun | null): boolean {
  return active?.stage === "running" && active.pause?.answer === null;
}

/** The run that waits for these results goes on; undefined: none does. */
export function answerCalls({ active }: Runs, { answers }: Send): RunEvent | undefined {
  const kept = answers?.kept ?? null;
  if (kept === null || active?.pause === undefined || !isWaitingForCalls(active)) return undefined;
  const { number, callIds } = active.pause;
  const given = new Set(answers?.callIds);
  if (!callIds.every((callId) => given.has(callId))) return undefined;
  return { type: "run.calls.answered", runId: active.runId, number, ...kept };
}

function requestCalls({ active }: Runs, command: RequestCalls): Outcome<readonly RunEvent[]> {
  const { runId, callIds, textLength, usage, kept } = command;
  if (active?.runId !== runId || isWaitingForCalls(active)) return refuse("run.settled", runId);
  const number = (active.pause?.number ?? 0) + 1;
  const calls = { number, callIds, textLength, usage };
  return accept([{ type: "run.calls.requested", runId, ...calls, ...kept }]);
}

/** Ends everything but one, as when the conversation itself goes away. */
export function endAll(
  runs: Runs,
  reason: string,
  messageId: string,
  except: string | null = null,
): readonly RunEnded[] {
  return [...(runs.active === null ? [] : [runs.active]), ...runs.queue]
    .filter(({ runId }) => runId !== except)
    .map(({ runId }) => aborted(runId, reason, messageId));
}

function start({ active, queue }: Runs, command: Start): Outcome<readonly RunEvent[]> {
  const [first, ...rest] = queue;
  if (active !== null || first?.runId !== command.runId) {
    return refuse("run.not-next", command.runId);
  }
  const end = rest.findIndex(({ mode }) => mode !== "collect");
  const collected = first.mode === "collect" ? rest.slice(0, end === -1 ? rest.length : end) : [];
  const collects = collected.map(({ runId }) => runId);
  return accept([
    { type: "run.started", runId: command.runId, model: command.model, collects },
    ...collects.map((runId) => ({ type: "run.merged", runId, into: command.runId }) as const),
  ]);
}

/** Stopping what has ended, or what never was, changes nothing. */
function stop({ active, queue }: Runs, command: Stop): readonly RunEvent[] {
  const isMeant = (runId: string): boolean => command.runId === null || command.runId === runId;
  const waiting = queue
    .filter(({ runId }) => isMeant(runId))
    .map(({ runId }) => aborted(runId, command.reason, command.messageId));
  if (active?.stage !== "running" || !isMeant(active.runId)) return waiting;
  return [{ type: "run.stopping", runId: active.runId, reason: command.reason }, ...waiting];
}

function settle({ active }: Runs, command: Settle): Outcome<readonly RunEvent[]> {
  const { runId, messageId, text, usage, ending } = command;
  if (active?.runId !== runId) return refuse("run.settled", runId);
  const outcome = { runId, messageId, text, usage };
  const returned = [...active.openCalls].map(([callId, name]) => ({
    type: "run.tool.returned" as const,
    runId,
    messageId: `${messageId}:${callId}`,
    callId,
    name,
    text: "The turn ended before the tool returned.",
    isError: true,
  }));
  // Whoever asked for the stop was told that it stops; how the turn would have ended is no longer news.
  const isStopped = active.stage === "stopping" && ending.how !== "aborted";
  const actual: Settle["ending"] = isStopped
    ? { how: "aborted", reason: active.stopReason ?? "stopped" }
    : ending;
  switch (actual.how) {
    case "completed": {
      const { how: _how, ...end } = actual;
      return accept([...returned, { type: "run.completed", ...outcome, ...end }]);
    }
    case "failed": {
      const { kind, reason } = actual;
      return accept([...returned, { type: "run.failed", ...outcome, kind, reason }]);
    }
    case "aborted":
      return accept([...returned, { type: "run.aborted", ...outcome, reason: actual.reason }]);
  }
}

function aborted(runId: string, reason: string, messageId: string): RunEnded {
  return {
    type: "run.aborted",
    runId,
    reason,
    messageId: `${messageId}:${runId}`,
    text: "",
    usage: NOTHING_USED,
  };
}

function without(queue: readonly QueuedRun[], runId: string): readonly QueuedRun[] {
  return queue.filter((queued) => queued.runId !== runId);
}

function withActive(runs: Runs, change: (active: ActiveRun) => ActiveRun): Runs {
  return runs.active === null ? runs : { ...runs, active: change(runs.active) };
}
