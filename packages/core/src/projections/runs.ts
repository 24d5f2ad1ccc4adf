/**
 * Which runs there are: all that have not ended, and the latest that have. Where a run's request and its
 * end stand in the log is kept instead of what they say.
 */
import { conversation } from "../conversation/conversation.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { BoundedMap } from "../engine/bounded-map.ts";
import { idIn } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";

export type RunState =
  | "queued"
  | "running"
  | "stopping"
  | "completed"
  | "failed"
  | "aborted"
  | "merged";

export interface RunRow {
  readonly runId: string;
  /** The conversation it belongs to. */
  readonly key: string;
  readonly state: RunState;
  /** The run that answers its message, once it is merged. */
  readonly into: string | null;
  readonly collects: readonly string[];
  readonly requestedAt: number;
  readonly requestSeq: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly endSeq: number | null;
  /** Where it asked its client to make calls, in order; left out: it never did. */
  readonly pauseSeqs?: readonly number[];
  /** The calls that it waits for. */
  readonly awaiting?: readonly string[];
}

interface Saved {
  readonly rows: readonly RunRow[];
  readonly ended: readonly string[];
}

export interface RunsProjection extends Projection<Saved> {
  get(runId: string): RunRow | undefined;
  /** Those that have not ended, oldest first. */
  open(): readonly RunRow[];
  /** The one that waits for its client to make that call. */
  awaiting(callId: string): RunRow | undefined;
}

const MAX_ENDED = 5_000;

export function createRuns(): RunsProjection {
  let rows = new Map<string, RunRow>();
  // Insertion order is the order of ending, so the oldest is forgotten first.
  const ended = new BoundedMap<string, true>(MAX_ENDED, {
    onEvict: (runId) => void rows.delete(runId),
  });

  return {
    name: "runs",
    version: 1,
    get: (runId) => rows.get(runId),
    open: () => [...rows.values()].filter(({ endedAt }) => endedAt === null),
    awaiting: (callId) => {
      for (const row of rows.values()) if (row.awaiting?.includes(callId) === true) return row;
      return undefined;
    },
    apply(entry) {
      const key = idIn(conversation, entry.stream);
      if (key === undefined) return;
      const event = conversation.read(entry);
      if (!("runId" in event)) return;
      if (event.type === "run.requested") {
        const { at: requestedAt, seq: requestSeq } = entry;
        const times = { requestedAt, requestSeq, startedAt: null, endedAt: null, endSeq: null };
        rows.set(event.runId, {
          runId: event.runId,
          key,
          state: "queued",
          into: null,
          collects: [],
          ...times,
        });
        return;
      }
      const row = rows.get(event.runId);
      if (row === undefined) return;
      const next = change(row, event, entry.at, entry.seq);
      rows.set(event.runId, next);
      if (next.endedAt !== null) ended.set(event.runId, true);
    },
    save: () => ({ rows: [...rows.values()], ended: [...ended.keys()] }),
    load(kept) {
      rows = new Map(kept.rows.map((row) => [row.runId, row]));
      ended.clear();
      for (const runId of kept.ended) ended.set(runId, true);
    },
  };
}

function change(row: RunRow, event: ConversationEvent, at: number, seq: number): RunRow {
  const endedHere = {
    endedAt: at,
    endSeq: seq,
    ...(row.awaiting !== undefined && { awaiting: [] }),
  };
  switch (event.type) {
    case "run.started":
      return { ...row, state: "running", startedAt: at, collects: event.collects };
    case "run.stopping":
      return { ...row, state: "stopping" };
    case "run.completed":
      return { ...row, ...endedHere, state: "completed" };
    case "run.failed":
      return { ...row, ...endedHere, state: "failed" };
    case "run.aborted":
      return { ...row, ...endedHere, state: "aborted" };
    case "run.merged":
      return { ...row, ...endedHere, state: "merged", into: event.into };
    case "run.calls.requested": {
      const { callIds: awaiting } = event;
      return { ...row, pauseSeqs: [...(row.pauseSeqs ?? []), seq], awaiting };
    }
    case "run.calls.answered":
      return { ...row, awaiting: [] };
    case "run.requested":
    case "run.tool.called":
    case "run.tool.returned":
    case "run.delivered":
    case "run.compacted":
    case "run.session.named":
    case "conversation.opened":
    case "conversation.patched":
    case "conversation.reset":
    case "conversation.deleted":
    case "message.injected":
      return row;
  }
}
