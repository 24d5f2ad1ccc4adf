/**
 * Applies what reviewers suggest: the lines of a suggestion take the place of those it is about, in a version of its
 * own that a person has made.
 *
 *   newest version -> edited files -> commit (git) -> sealed (log) -> the next version, up for review
 */
import {
  accept,
  findUndecidable,
  project,
  refuse,
  workspace,
  type Answerer,
  type Clock,
  type Dispatch,
  type Guards,
  type Outcome,
  type Projects,
  type WorkspacesProjection,
} from "@atrium/core";
import type { Key, Log } from "@atrium/log";
import type { SealedWork } from "../../projects/work/changes.ts";
import type { SealedChange } from "../../workspaces/port/landing.ts";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";
import type { FindChange, FoundChange } from "../changes/find-change.ts";
import { keepChange, type KeepChangeDeps } from "../changes/keep-change.ts";
import { authorOf, commitMessage } from "../changes/seal-message.ts";
import type { LineRemark } from "../comments/anchor-comments.ts";
import { editLines, editsOf, type FileEdits } from "./edit-lines.ts";

export interface SuggestionWish {
  readonly artifactId: string;
  readonly expectedVersion: number;
  readonly comments: readonly LineRemark[];
  readonly by: Answerer;
  readonly guards?: Guards;
}

export interface RevisionReceipt {
  readonly version: number;
  readonly seq: number;
}

export type ApplySuggestions = (
  wish: SuggestionWish,
  once?: Key,
) => Promise<Outcome<RevisionReceipt>>;

export interface ApplySuggestionsDeps extends KeepChangeDeps {
  readonly dispatch: Dispatch;
  readonly log: Pick<Log, "findKey">;
  readonly rows: Pick<WorkspacesProjection, "get">;
  readonly projects: Pick<Projects, "ofTask">;
  readonly findChange: FindChange;
  readonly use: () => Promise<Workspaces>;
  /** Undefined while somebody works there. */
  readonly holdIfFree: (workspaceId: string) => Promise<(() => void) | undefined>;
  readonly clock: Clock;
}

const MAX_FILE_BYTES = 10 * 1024 * 1024;

export function createApplySuggestions(deps: ApplySuggestionsDeps): ApplySuggestions {
  const { log, findChange, holdIfFree } = deps;
  return async (wish, once) => {
    const undecided = findUndecidable({ by: wish.by });
    if (undecided !== undefined) return refuse(undecided);
    const found = findChange(wish.artifactId);
    if (!found.ok) return found;
    const { artifact, change } = found.value;
    // Its answer was lost: the version that was made then is what is answered.
    if (once !== undefined && (await log.findKey(once.id)) !== undefined) {
      const content = artifact.versions.at(-1);
      return content === undefined
        ? refuse("artifact.missing", wish.artifactId)
        : revise(deps, found.value, wish, { change, content }, once);
    }
    if (artifact.version !== wish.expectedVersion) {
      return refuse("artifact.superseded", `version ${artifact.version} is there by now`);
    }
    if (artifact.status !== "delivered") {
      return refuse("artifact.status", `${wish.artifactId} is ${artifact.status}`);
    }
    const release = await holdIfFree(artifact.taskId);
    if (release === undefined) return refuse("workspace.busy", artifact.taskId);
    try {
      const sealed = await seal(deps, found.value, wish);
      if (!sealed.ok) return sealed;
      const row = deps.rows.get(artifact.taskId);
      if (row === undefined) return refuse("workspace.missing", artifact.taskId);
      const about = { title: titleOf(deps, found.value), text: "", isUnfinished: false };
      const made = await keepChange(deps, row, sealed.value, about);
      return made.ok ? await revise(deps, found.value, wish, made.value, once) : made;
    } finally {
      release();
    }
  };
}

function titleOf({ projects }: ApplySuggestionsDeps, { artifact }: FoundChange): string {
  return projects.ofTask(artifact.taskId)?.task.title ?? artifact.name;
}

async function readEdits(
  { use }: ApplySuggestionsDeps,
  { repositoryId, change }: FoundChange,
  comments: readonly LineRemark[],
): Promise<Outcome<readonly FileEdits[]>> {
  const wanted = editsOf(comments);
  if (!wanted.ok) return wanted;
  const spaces = await use();
  const files: FileEdits[] = [];
  for (const [path, edits] of wanted.value) {
    const file = await spaces.readFile(repositoryId, change.tree, path, MAX_FILE_BYTES);
    if (!file.ok) return file;
    const { content, type } = file.value;
    if (content === null) return refuse("file.large", path);
    if (type === "link") return refuse("params.invalid", `${path} is a link`);
    const edited = editLines(path, content, edits);
    if (!edited.ok) return edited;
    files.push(edited.value);
  }
  return accept(files);
}

async function seal(
  deps: ApplySuggestionsDeps,
  found: FoundChange,
  { comments, by }: SuggestionWish,
): Promise<Outcome<SealedChange>> {
  const { dispatch, use, clock } = deps;
  const { artifact, version, repositoryId, change } = found;
  const { taskId: workspaceId, artifactId } = artifact;
  const edits = await readEdits(deps, found, comments);
  if (!edits.ok) return edits;
  if (edits.value.length === 0) return refuse("params.invalid", "there is nothing to apply");
  const spaces = await use();
  const at = clock.now();
  const opened = await spaces.openWorktree({ repositoryId, workspaceId, at });
  if (!opened.ok) return opened;
  const trailers = [
    `Atrium-Task: ${workspaceId}`,
    `Atrium-Change: ${artifactId} version ${version + 1}`,
  ];
  const sealed = await spaces.sealEdits(workspaceId, {
    tree: change.tree,
    edits: edits.value,
    message: commitMessage(titleOf(deps, found), "With what its reviewer suggested.", trailers),
    author: authorOf(by.name, "people@atrium.invalid"),
    at,
  });
  if (!sealed.ok) return sealed;
  const { commit, tree, base, isEmpty } = sealed.value;
  if (isEmpty) return refuse("params.invalid", "the suggestions undo the whole change");
  const entry = { commit, tree, base, runId: null, by };
  const done = await dispatch(workspace, workspaceId, { type: "seal", ...entry });
  return done.ok ? sealed : done;
}

async function revise(
  { dispatch, projects, clock }: ApplySuggestionsDeps,
  { artifact: { artifactId, taskId } }: FoundChange,
  { by, expectedVersion, guards }: SuggestionWish,
  { change, content }: SealedWork,
  once?: Key,
): Promise<Outcome<RevisionReceipt>> {
  const projectId = projects.ofTask(taskId)?.project.projectId;
  if (projectId === undefined) return refuse("task.missing", taskId);
  const { name, mediaType, bytes, digest } = content;
  const made = { name, kind: "change", content: { name, mediaType, bytes, digest }, change };
  const wish = { artifactId, made, by, guards: { ...guards, expectedVersion } };
  const command = { type: "revise-artifact", at: clock.now(), ...wish } as const;
  const done = await dispatch(project, projectId, command, once);
  if (!done.ok) return done;
  const { events, position } = done.value;
  const created = events.find(({ type }) => type === "project.artifact_created");
  const version = created?.type === "project.artifact_created" ? created.version : expectedVersion;
  return accept({ version, seq: position.seq });
}
