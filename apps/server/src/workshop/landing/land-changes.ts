/**
 * Puts approved changes on their project's line, and takes them off again.
 *
 *   approved -> line opened -> merged (git) -> landed
 *                                  `-> conflict: folder put onto the line, with marks (git) -> rebased (log)
 *
 * The commit follows from the entry that asks for it: whoever repeats it after a crash gets the same answer.
 */
import {
  accept,
  ownRepositoryId,
  workspace,
  type Dispatch,
  type Outcome,
  type Projects,
  type WorkspaceRow,
  type WorkspacesProjection,
} from "@atrium/core";
import type { ApprovedChange, Changes, UpdateEnd } from "../../projects/work/changes.ts";
import type { Conflict } from "../../workspaces/port/landing.ts";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";
import { authorOf, commitMessage } from "../changes/seal-message.ts";

export interface LandChangesDeps {
  readonly dispatch: Dispatch;
  readonly projects: Pick<Projects, "get">;
  readonly rows: Pick<WorkspacesProjection, "get">;
  readonly use: () => Promise<Workspaces>;
  /** Waits until nobody works there. */
  readonly hold: (workspaceId: string) => Promise<() => void>;
}

export function createLandChanges(
  deps: LandChangesDeps,
): Pick<Changes, "land" | "revert" | "update"> {
  const { projects, rows, use } = deps;

  const repositoryOf = (projectId: string, taskId?: string): string =>
    rows.get(taskId ?? "")?.repositoryId ??
    projects.get(projectId)?.repository ??
    ownRepositoryId(projectId);

  return {
    async land(approved) {
      const { projectId, taskId, artifactId, version, commit, at } = approved;
      const spaces = await use();
      const repositoryId = repositoryOf(projectId, taskId);
      // Work of an earlier version was begun before there was a line.
      const line = await spaces.openLine(repositoryId, projectId);
      if (!line.ok) return line;
      const done = await spaces.land(repositoryId, projectId, {
        change: commit,
        landingId: `land-${artifactId}-${version}`,
        message: commitMessage(approved.title, "", trailersOf(approved)),
        at,
      });
      if (!done.ok) return done;
      if (done.value.type === "landed") return accept(landedIn(done.value));
      // Of a task that was cancelled meanwhile, nobody has the folder any more.
      const row = rows.get(taskId);
      if (row?.state !== "ready") return accept(conflictIn(done.value));
      const put = await putOnto(deps, approved, row, done.value);
      return put.ok ? accept(conflictIn(done.value)) : put;
    },
    async revert(landed) {
      const { projectId, taskId, artifactId, version, commit, at, by } = landed;
      const done = await (
        await use()
      ).revertLanded(repositoryOf(projectId, taskId), projectId, {
        landed: commit,
        landingId: `revert-${artifactId}-${version}`,
        message: commitMessage(
          `Revert “${landed.title}”`,
          `This reverts commit ${commit}.`,
          trailersOf(landed),
        ),
        author: authorOf(by, "people@atrium.invalid"),
        at,
      });
      if (!done.ok) return done;
      return accept(done.value.type === "landed" ? landedIn(done.value) : conflictIn(done.value));
    },
    async update({ projectId, at, seq }): Promise<Outcome<UpdateEnd>> {
      const done = await (
        await use()
      ).updateLine(repositoryOf(projectId), projectId, {
        landingId: `update-${seq}`,
        message: commitMessage("Bring the project up to date", "", [
          `Atrium-Project: ${projectId}`,
        ]),
        at,
      });
      if (!done.ok) return done;
      switch (done.value.type) {
        case "conflict":
          return accept(conflictIn(done.value));
        case "landed":
          return accept({ ...landedIn(done.value), base: done.value.base });
        case "up-to-date":
          return accept({ type: "current", base: done.value.base });
      }
    },
  };
}

function trailersOf({
  projectId,
  taskId,
  runId,
  artifactId,
  version,
  by,
}: ApprovedChange): readonly string[] {
  return [
    `Atrium-Project: ${projectId}`,
    `Atrium-Task: ${taskId}`,
    ...(runId === null ? [] : [`Atrium-Run: ${runId}`]),
    `Atrium-Change: ${artifactId} version ${version}`,
    `Approved-by: ${authorOf(by, "").name}`,
  ];
}

function landedIn({ commit, before }: { readonly commit: string; readonly before: string }) {
  return { type: "landed", commit, before } as const;
}

function conflictIn({ with: tip, paths }: Conflict) {
  return { type: "conflict", with: tip, paths } as const;
}

/** Its agent gets both sides in one folder: what has landed, with its own work merged in and marks where both changed. */
async function putOnto(
  { dispatch, hold, use }: Pick<LandChangesDeps, "dispatch" | "hold" | "use">,
  { taskId, artifactId, version, seq, at }: ApprovedChange,
  { repositoryId }: WorkspaceRow,
  { with: base, tree, paths }: Conflict,
): Promise<Outcome<unknown>> {
  const release = await hold(taskId);
  try {
    const spaces = await use();
    const opened = await spaces.openWorktree({ repositoryId, workspaceId: taskId, at });
    if (!opened.ok) return opened;
    const label = `Conflict of ${artifactId} version ${version}`;
    const put = await spaces.rebaseWorktree(taskId, { onto: base, tree, label, at });
    if (!put.ok) return put;
    const rebase = { base, tree, paths: paths.map(({ path }) => path) };
    const once = { id: `react:${seq}:rebase:${taskId}`, digest: taskId };
    return await dispatch(workspace, taskId, { type: "rebase", ...rebase }, once);
  } finally {
    release();
  }
}
