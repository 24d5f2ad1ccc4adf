/**
 * Seals what a run has made: one commit of all that is in its folder, with the documents it delivered.
 *
 *   run completed -> folder held -> commit (git) -> sealed (log) -> patch (blob) -> a version of the change
 *
 * The commit follows from the entry of the run's end, so that sealing twice is sealing once.
 */
import {
  accept,
  workspace,
  type CrewMember,
  type Dispatch,
  type Outcome,
  type WorkspaceRow,
  type WorkspacesProjection,
} from "@atrium/core";
import type { Changes, FinishedRun, SealedWork } from "../../projects/work/changes.ts";
import type { SealedChange } from "../../workspaces/port/landing.ts";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";
import type { ReadDelivered } from "./delivered-documents.ts";
import { keepChange, type KeepChangeDeps } from "./keep-change.ts";
import { agentAuthor, sealMessage } from "./seal-message.ts";

export interface SealWorkDeps extends KeepChangeDeps {
  readonly dispatch: Dispatch;
  readonly rows: Pick<WorkspacesProjection, "get">;
  readonly use: () => Promise<Workspaces>;
  /** Waits until nobody works there. */
  readonly hold: (workspaceId: string) => Promise<() => void>;
  readonly readDelivered: ReadDelivered;
  readonly crew: readonly CrewMember[];
}

export function createSealWork(deps: SealWorkDeps): Changes["seal"] {
  const { dispatch, rows, use, hold, readDelivered, crew } = deps;

  async function sealed(row: WorkspaceRow, run: FinishedRun): Promise<Outcome<SealedChange>> {
    const { workspaceId, repositoryId } = row;
    const { at } = run;
    const spaces = await use();
    // A folder that somebody has deleted is made again, from its newest files.
    const opened = await spaces.openWorktree({ repositoryId, workspaceId, at });
    if (!opened.ok) return opened;
    return spaces.seal(workspaceId, {
      message: sealMessage(run),
      author: agentAuthor(crew, run.agentId),
      at,
      delivered: await readDelivered(run.key, run.runId),
    });
  }

  async function tell(
    row: WorkspaceRow,
    { commit, tree, base }: SealedChange,
    { runId, seq }: FinishedRun,
  ): Promise<Outcome<unknown>> {
    const { workspaceId } = row;
    const once = { id: `react:${seq}:seal:${workspaceId}`, digest: workspaceId };
    const seal = { commit, tree, base, runId, by: null };
    return dispatch(workspace, workspaceId, { type: "seal", ...seal }, once);
  }

  return async (run): Promise<Outcome<SealedWork | undefined>> => {
    const row = rows.get(run.taskId);
    if (row?.state !== "ready") return accept(undefined);
    const release = await hold(run.taskId);
    try {
      const made = await sealed(row, run);
      if (!made.ok) return made;
      if (made.value.isEmpty) return accept(undefined);
      const entry = await tell(row, made.value, run);
      return entry.ok ? await keepChange(deps, row, made.value, run) : entry;
    } finally {
      release();
    }
  };
}
