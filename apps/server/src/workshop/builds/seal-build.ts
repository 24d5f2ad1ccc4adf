/**
 * What a build hands over: one commit of all that is in its folder, with the files it delivered.
 *
 * The same files are handed over once, however often it is asked for. Whoever calls this holds the folder.
 */
import {
  accept,
  workspace,
  type Builds,
  type BuildRow,
  type CrewMember,
  type Dispatch,
  type Outcome,
  type WorkspaceRow,
  type WorkspacesProjection,
} from "@atrium/core";
import type { ReadBuildFiles } from "../../builds/read-build-files.ts";
import type { Blobs } from "../../platform/blobs.ts";
import type { SealedChange, SealedFile } from "../../workspaces/port/landing.ts";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";
import { agentAuthor, commitMessage } from "../changes/seal-message.ts";

export interface SealBuildDeps {
  readonly dispatch: Dispatch;
  readonly builds: Pick<Builds, "get">;
  readonly rows: Pick<WorkspacesProjection, "get">;
  readonly use: () => Promise<Pick<Workspaces, "openWorktree" | "seal">>;
  readonly readFiles: ReadBuildFiles;
  readonly blobs: Pick<Blobs, "get">;
  readonly crew: readonly CrewMember[];
}

/** Undefined: it works on no files. */
export type SealBuild = (buildId: string) => Promise<Outcome<SealedChange | undefined>>;

export function createSealBuild(deps: SealBuildDeps): SealBuild {
  const { dispatch, builds, rows, use } = deps;
  return async (buildId) => {
    const of = builds.get(buildId);
    const row = rows.get(buildId);
    if (of === undefined || row?.state !== "ready") return accept(undefined);
    const { repositoryId } = row;
    const spaces = await use();
    const at = of.updatedAt;
    // A folder that somebody has deleted is made again, from its newest files.
    const opened = await spaces.openWorktree({ repositoryId, workspaceId: buildId, at });
    if (!opened.ok) return opened;
    const { prompt, agentId, turn } = of.build;
    const sealed = await spaces.seal(buildId, {
      message: commitMessage(firstLine(prompt), "", [
        `Atrium-Build: ${buildId}`,
        `Atrium-Run: ${turn.runId}`,
      ]),
      author: agentAuthor(deps.crew, agentId),
      at,
      delivered: await deliveredIn(of, deps),
    });
    if (!sealed.ok || sealed.value.isEmpty || isKnown(row, sealed.value)) return sealed;
    const { commit, tree, base } = sealed.value;
    const seal = { type: "seal", commit, tree, base, runId: turn.runId, by: null } as const;
    const entry = await dispatch(workspace, buildId, seal);
    return entry.ok ? sealed : entry;
  };
}

function isKnown({ sealed }: WorkspaceRow, { tree, base }: SealedChange): boolean {
  return sealed !== null && sealed.tree === tree && sealed.base === base;
}

async function deliveredIn(
  of: BuildRow,
  { readFiles, blobs }: Pick<SealBuildDeps, "readFiles" | "blobs">,
): Promise<readonly SealedFile[]> {
  const files = await readFiles(of);
  return Promise.all(
    files.map(async ({ name, digest }) => ({ path: name, content: await blobs.get(digest) })),
  );
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
