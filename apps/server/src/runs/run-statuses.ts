/** What became of a run, for whoever asks or waits. A run that was merged is answered by another. */
import {
  conversation,
  readEnd,
  idIn,
  owns,
  type BatchListener,
  type ReadRun,
  type RunEnded,
  type RunRow,
  type RunsProjection,
} from "@atrium/core";
import type { Entry, Log } from "@atrium/log";

export interface RunStatus {
  readonly row: RunRow;
  readonly ended?: Exclude<RunEnded, { readonly type: "run.merged" }>;
}

export interface RunStatuses {
  readonly onBatch: BatchListener;
  get(runId: string): Promise<RunStatus | undefined>;
  /**
   * The report once the run has ended, or as it stands when the signal says to wait no longer. With `pauses`, also once it
   * has waited for calls of its client so many times.
   */
  wait(runId: string, signal: AbortSignal, pauses?: number): Promise<RunStatus | undefined>;
  /** How often it has waited for calls of its client. */
  pausesOf(runId: string): number;
  /** The run that waits for that call of its client. */
  awaiting(callId: string): RunRow | undefined;
}

export interface RunStatusesDeps {
  readonly runs: Pick<RunsProjection, "get" | "awaiting">;
  readonly readRun: Pick<ReadRun, "end" | "findEnd">;
  readonly findKey: Log["findKey"];
}

/** The idempotency key under which a run was asked for. */
export function runKey(runId: string): string {
  return `run:${JSON.stringify(runId)}`;
}

export function createRunStatuses({ runs, readRun, findKey }: RunStatusesDeps): RunStatuses {
  const waiting = new Map<string, Set<() => void>>();

  async function report(runId: string): Promise<RunStatus | undefined> {
    const row = runs.get(runId);
    if (row === undefined) return forgotten(runId);
    if (row.into !== null) return report(row.into);
    const ended = await readRun.end(row);
    return ended === undefined || ended.type === "run.merged" ? { row } : { row, ended };
  }

  /** A run that ended so long ago that only the log remembers it. */
  async function forgotten(runId: string): Promise<RunStatus | undefined> {
    const record = await findKey(runKey(runId));
    const request = record?.entries.find(({ stream }) => owns(conversation, stream));
    const key = request && idIn(conversation, request.stream);
    if (request === undefined || key === undefined) return undefined;
    const found = await readRun.findEnd(key, runId, request.seq);
    if (found === undefined) return undefined;
    const { ended, at, pauseSeqs } = found;
    if (ended.type === "run.merged") return report(ended.into);
    const times = { requestedAt: at, requestSeq: request.seq, startedAt: null };
    const end = { endedAt: at, endSeq: null, into: null, collects: [] };
    return { row: { runId, key, state: STATES[ended.type], ...times, ...end, pauseSeqs }, ended };
  }

  const pausesOf = (runId: string): number => runs.get(runId)?.pauseSeqs?.length ?? 0;

  function nextStop(runId: string, signal: AbortSignal, pauses: number): Promise<void> {
    // It may have stopped while its report was read.
    const row = runs.get(runId);
    if (row === undefined || row.endedAt !== null || pausesOf(runId) >= pauses) {
      return Promise.resolve();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const others = waiting.get(runId) ?? new Set();
    waiting.set(runId, others.add(resolve));
    const giveUp = (): void => resolve();
    signal.addEventListener("abort", giveUp, { once: true });
    return promise.finally(() => {
      signal.removeEventListener("abort", giveUp);
      others.delete(resolve);
      if (others.size === 0) waiting.delete(runId);
    });
  }

  return {
    onBatch(entries) {
      if (waiting.size === 0) return;
      for (const entry of entries) {
        if (!owns(conversation, entry.stream)) continue;
        const stopped = readEnd(entry) ?? readPaused(entry);
        if (stopped === undefined) continue;
        for (const resolve of waiting.get(stopped.runId) ?? []) resolve();
      }
    },
    get: report,
    async wait(runId, signal, pauses = Number.POSITIVE_INFINITY) {
      for (;;) {
        const known = await report(runId);
        if (known === undefined || known.ended !== undefined || signal.aborted) return known;
        if ((known.row.pauseSeqs?.length ?? 0) >= pauses) return known;
        await nextStop(known.row.runId, signal, pauses);
      }
    },
    pausesOf,
    awaiting: (callId) => runs.awaiting(callId),
  };
}

function readPaused(entry: Entry): { readonly runId: string } | undefined {
  if (entry.type !== "run.calls.requested") return undefined;
  const event = conversation.read(entry);
  return event.type === "run.calls.requested" ? event : undefined;
}

const STATES = {
  "run.completed": "completed",
  "run.failed": "failed",
  "run.aborted": "aborted",
} as const;
