/** The files of a project as its prompts need them: what people committed, and what a task has come to. */
import {
  isOwnRepository,
  ownRepositoryId,
  type Project,
  type Task,
  type WorkspacesProjection,
} from "@atrium/core";
import type { Timers } from "../../platform/timers.ts";
import type { RepositoryCatalog } from "../../repositories/repository-catalog.ts";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";

export type TreeReader = Pick<
  Workspaces,
  "openRepository" | "syncBase" | "findLine" | "listFolder" | "readFile" | "compareTrees"
>;

export interface ProjectFilesDeps {
  readonly useWorkspaces: () => Promise<TreeReader>;
  readonly repositories: Pick<RepositoryCatalog, "find">;
  readonly workspaces: Pick<WorkspacesProjection, "get">;
  readonly timers: Timers;
  readonly note: (what: string, context: Readonly<Record<string, unknown>>) => void;
}

export interface ProjectFiles {
  readonly git: TreeReader;
  readonly repositoryId: string;
  /** Of the repository that people attached, as it is now; null: the project has one of its own. */
  readonly base: string | null;
  /** What a task has come to, else what it starts from. */
  readonly tree: string;
}

type FilesOwner = Pick<Project, "projectId" | "repository" | "line">;

/** A disk that does not answer keeps nobody from being asked. */
const MAX_WAIT_MS = 20_000;

/** Undefined: there are none yet, or they cannot be read soon; whoever is to work on them is told why. */
export async function openProjectFiles(
  deps: ProjectFilesDeps,
  of: FilesOwner,
  task: Pick<Task, "taskId"> | null,
): Promise<ProjectFiles | undefined> {
  const late = Promise.withResolvers<undefined>();
  const leaveOut = (problem: string): undefined => {
    deps.note("a prompt says nothing of the files", { project: of.projectId, problem });
    return undefined;
  };
  const opening = open(deps, of, task).catch((cause: unknown) => leaveOut(String(cause)));
  const cancel = deps.timers.after(MAX_WAIT_MS, () =>
    late.resolve(leaveOut(`the repository did not answer within ${MAX_WAIT_MS / 1_000} s`)),
  );
  try {
    return await Promise.race([opening, late.promise]);
  } finally {
    cancel();
  }
}

async function open(
  deps: ProjectFilesDeps,
  of: FilesOwner,
  task: Pick<Task, "taskId"> | null,
): Promise<ProjectFiles | undefined> {
  const newest = task === null ? undefined : deps.workspaces.get(task.taskId)?.newest?.tree;
  const repositoryId = of.repository ?? ownRepositoryId(of.projectId);
  const hasOwn = of.repository === null || isOwnRepository(repositoryId);
  if (hasOwn && newest === undefined && of.line === null) return undefined;
  const git = await deps.useWorkspaces();
  const base = hasOwn ? null : await baseOf(deps, git, repositoryId);
  if (base === undefined) return undefined;
  const found = await git.findLine(repositoryId, of.projectId);
  const line = found.ok ? found.value?.tree : undefined;
  const tree = newest ?? line ?? base;
  return tree === null ? undefined : { git, repositoryId, base, tree };
}

async function baseOf(
  { repositories }: ProjectFilesDeps,
  git: TreeReader,
  id: string,
): Promise<string | undefined> {
  const found = repositories.find(id);
  if (found === undefined) return undefined;
  const opened = await git.openRepository({ id, path: found.path, base: found.base });
  if (!opened.ok) return undefined;
  const synced = await git.syncBase(id);
  return synced.ok ? synced.value.tree : undefined;
}
