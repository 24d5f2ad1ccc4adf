/**
 * What a run works on: the task or build whose conversation it is in.
 *
 * Chats work on no files. Nor does planning: a plan is words, and what its tasks start from is decided when
 * they start.
 */
import {
  hasEnded,
  type Builds,
  type ForkOrigin,
  type Project,
  type Projects,
  type Task,
  type WorkspacePurpose,
} from "@atrium/core";
import { buildIdOfKey } from "../builds/build-key.ts";
import { taskIdOfKey } from "../projects/work/work-keys.ts";
import type { RunOrigin } from "../runs/run-driver.ts";

export interface WorkOfRun {
  /** The task's or the build's. */
  readonly workspaceId: string;
  readonly purpose: WorkspacePurpose;
  /** The one that was named; null: it has one of its own. */
  readonly repository: string | null;
  /** Of the repository that is its own. */
  readonly ownerId: string;
  /** What it starts from, instead of the base. */
  readonly forkedFrom: ForkOrigin | null;
}

export interface WorkDeps {
  readonly projects: Pick<Projects, "ofTask">;
  readonly builds: Pick<Builds, "get">;
}

/** Only in the conversation of whoever has the task now: two agents in one folder would undo each other's work. */
export function workOf(deps: WorkDeps, { key, agentId }: RunOrigin): WorkOfRun | undefined {
  const taskId = taskIdOfKey(key);
  if (taskId !== undefined) return workOfTask(deps, taskId, agentId);
  const buildId = buildIdOfKey(key);
  const build = buildId === undefined ? undefined : deps.builds.get(buildId)?.build;
  if (buildId === undefined || build === undefined) return undefined;
  if (build.conversationKey !== key || hasEnded(build)) return undefined;
  const purpose = { type: "build", buildId } as const;
  const { repository, forkedFrom = null } = build;
  return { workspaceId: buildId, purpose, repository, ownerId: buildId, forkedFrom };
}

function workOfTask(
  { projects }: WorkDeps,
  taskId: string,
  agentId: string,
): WorkOfRun | undefined {
  const found = projects.ofTask(taskId);
  if (found === undefined || found.task.assignee !== agentId || isOver(found)) return undefined;
  const { projectId, repository } = found.project;
  const purpose = { type: "task", projectId, taskId } as const;
  const { forkedFrom } = found.task;
  return { workspaceId: taskId, purpose, repository, ownerId: projectId, forkedFrom };
}

/** Whether nobody will work on it again, unless someone asks for that. What nobody knows any more is over. */
export function isWorkOver({ projects, builds }: WorkDeps, workspaceId: string): boolean {
  const found = projects.ofTask(workspaceId);
  if (found !== undefined) return isOver(found);
  const build = builds.get(workspaceId)?.build;
  return build === undefined || hasEnded(build);
}

const ENDED: ReadonlySet<Project["status"]> = new Set(["completed", "failed", "cancelled"]);

function isOver({ project, task }: { readonly project: Project; readonly task: Task }): boolean {
  return ENDED.has(project.status) || task.status === "cancelled" || task.status === "done";
}
