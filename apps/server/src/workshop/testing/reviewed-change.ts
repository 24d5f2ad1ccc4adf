/** A change of several versions in a real store, as whoever reviews it finds it. */
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Artifact, ArtifactComment, ArtifactVersion, WorkspaceRow } from "@atrium/core";
import { systemTimers } from "../../platform/timers.ts";
import { openWorkspaces } from "../../workspaces/open-workspaces.ts";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";
import { AT, openBenchTop, value } from "../../workspaces/testing/bench-top.ts";
import { write } from "../../workspaces/testing/user-repository.ts";
import { createFindChange, type FindChange } from "../changes/find-change.ts";

/** Files to write, to rename and to remove for one version. */
export interface VersionEdit {
  readonly files?: Readonly<Record<string, string>>;
  readonly renamed?: Readonly<Record<string, string>>;
  readonly removed?: readonly string[];
  readonly flagged?: readonly string[];
  /** The version before is the conflict that this one resolves. */
  readonly resolvesConflict?: true;
}

export interface ReviewedChange extends AsyncDisposable {
  readonly spaces: Workspaces;
  readonly use: () => Promise<Workspaces>;
  readonly findChange: FindChange;
  readonly workspace: WorkspaceRow;
  /** The artifact that is found from now on. */
  comment(...comments: readonly ArtifactComment[]): void;
}

export const ARTIFACT_ID = "art_a_1";
export const DOCUMENT_ID = "art_a_2";
const TASK_ID = "task_a_1";
const ADA = { id: "ada", name: "Ada", via: "world" };

export async function openReviewedChange(
  base: Readonly<Record<string, string>>,
  ...edits: readonly VersionEdit[]
): Promise<ReviewedChange> {
  const path = process.env["PATH"] ?? "";
  const top = await openBenchTop(
    (root) => openWorkspaces({ root, path, timers: systemTimers }),
    base,
  );
  const { folder, commit, tree: start } = await top.worktree(TASK_ID);
  const versions: ArtifactVersion[] = [];
  for (const [index, edit] of edits.entries()) {
    const { files = {}, renamed = {}, removed = [], flagged = [], resolvesConflict } = edit;
    for (const [from, to] of Object.entries(renamed)) {
      renameSync(join(folder, from), join(folder, to));
    }
    for (const name of removed) rmSync(join(folder, name));
    write(folder, files);
    const label = `version ${index + 1}`;
    const { tree } = value(await top.spaces.recordMoment(TASK_ID, { label, at: AT }));
    const facts = { files: 1, added: 1, removed: 0, isCut: false, omitted: [], flagged };
    const conflictTree = resolvesConflict && versions.at(-1)?.change?.tree;
    const made = { commit, base: commit, tree, ...facts };
    const change = { ...made, ...(conflictTree !== undefined && { conflictTree }) };
    versions.push({
      ...content(`${label}.patch`),
      version: index + 1,
      runId: null,
      at: AT,
      change,
    });
  }
  const common = { taskId: TASK_ID, poiId: null, reviewer: null, instructions: null };
  const state = { checks: null, landing: null, status: "delivered" } as const;
  const document: Artifact = {
    ...common,
    ...state,
    artifactId: DOCUMENT_ID,
    name: "notes.md",
    kind: "document",
    version: 1,
    versions: [{ ...content("notes.md"), version: 1, runId: null, at: AT }],
    comments: [],
  };
  let artifact: Artifact = {
    ...common,
    ...state,
    artifactId: ARTIFACT_ID,
    name: "change",
    kind: "change",
    version: versions.length,
    versions,
    comments: [],
  };
  const workspace: WorkspaceRow = {
    workspaceId: TASK_ID,
    repositoryId: "shop",
    purpose: { type: "task", projectId: "proj_a", taskId: TASK_ID },
    forkedFrom: null,
    state: "ready",
    failure: null,
    start: { seq: 1, tree: start },
    newest: null,
    isRestored: false,
    base: commit,
    sealed: null,
    checks: [],
    talks: [],
  };
  return {
    spaces: top.spaces,
    use: async () => top.spaces,
    workspace,
    findChange: createFindChange({
      findArtifact: (id) => [artifact, document].find((each) => each.artifactId === id),
      workspaces: { get: (id) => (id === TASK_ID ? workspace : undefined) },
    }),
    comment(...comments) {
      artifact = { ...artifact, comments };
    },
    [Symbol.asyncDispose]: () => top[Symbol.asyncDispose](),
  };
}

function content(name: string) {
  return { name, mediaType: "text/x-patch", bytes: 1, digest: "d".repeat(64) };
}

export function madeComment(
  draft: Omit<ArtifactComment, "commentId" | "version" | "by" | "at" | "answer" | "resolvedBy">,
  version: number,
): ArtifactComment {
  const said = { by: ADA, at: AT, answer: null, resolvedBy: null };
  return { ...draft, ...said, commentId: `com_${draft.path}_${draft.line}`, version };
}
