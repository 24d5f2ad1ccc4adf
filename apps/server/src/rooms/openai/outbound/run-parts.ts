/**
 * The answer of a run in parts: one, or several with calls in between that its client makes. Each part ends with such
 * calls, the last one with the run.
 */
import { NOTHING_USED, type ReadRun, type Usage } from "@atrium/core";
import type { Blobs } from "../../../platform/blobs.ts";
import { readPause, type KeptPause } from "../../../runs/client-calls/kept-calls.ts";
import type { RunStatus, RunStatuses } from "../../../runs/run-statuses.ts";

/** Where a part begins. */
export interface PartStart {
  /** Characters of the whole answer before it. */
  readonly textLength: number;
  /** Of the run until then. */
  readonly usage: Usage;
}

export interface RunPart {
  readonly start: PartStart;
  /** Undefined: there is no such run. */
  readonly status: RunStatus | undefined;
  /** What the client is to do; left out: the run has ended, or nobody waits any longer. */
  readonly pause?: KeptPause & Pick<PartStart, "usage">;
}

export interface RunParts {
  /** Parts are counted from 0. */
  startOf(runId: string, part: number): Promise<PartStart>;
  isOver(runId: string, part: number): boolean;
  /** The part once it is whole, or as it stands when the signal says to wait no longer. */
  wait(runId: string, part: number, signal: AbortSignal): Promise<RunPart>;
}

export interface RunPartsDeps {
  readonly statuses: Pick<RunStatuses, "get" | "wait" | "pausesOf">;
  readonly readRun: Pick<ReadRun, "calls">;
  readonly blobs: Pick<Blobs, "get">;
}

const BEGINNING: PartStart = { textLength: 0, usage: NOTHING_USED };

export function createRunParts({ statuses, readRun, blobs }: RunPartsDeps): RunParts {
  const startIn = async (status: RunStatus | undefined, part: number): Promise<PartStart> =>
    (status && part > 0 ? await readRun.calls(status.row, part) : undefined) ?? BEGINNING;

  return {
    startOf: async (runId, part) => startIn(await statuses.get(runId), part),
    isOver: (runId, part) => statuses.pausesOf(runId) > part,
    async wait(runId, part, signal) {
      const status = await statuses.wait(runId, signal, part + 1);
      const start = await startIn(status, part);
      const requested = status && (await readRun.calls(status.row, part + 1));
      if (requested === undefined) return { start, status };
      const { usage, digest } = requested;
      return { start, status, pause: { ...(await readPause(blobs, digest)), usage } };
    },
  };
}
