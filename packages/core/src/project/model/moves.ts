/** Whether something can be done now, and if not, what can. */
import { accept, refuse, type Outcome, type Refusal } from "../../engine/refusal.ts";
import type { Guards } from "./commands.ts";
import {
  ARTIFACT_MOVES,
  PROJECT_MOVES,
  TASK_MOVES,
  type Artifact,
  type ArtifactMove,
  type Project,
  type ProjectMove,
  type Task,
  type TaskMove,
} from "./entities.ts";
import { taskOf } from "./parts.ts";

export function projectThatCan(project: Project, move: ProjectMove): Outcome<Project> {
  const { status, projectId } = project;
  const moves = PROJECT_MOVES[status];
  return moves.includes(move)
    ? accept(project)
    : refuse("project.status", whatCan(projectId, status, moves));
}

export function taskThatCan(project: Project, taskId: string, move: TaskMove): Outcome<Task> {
  const task = taskOf(project, taskId);
  if (task === undefined) return refuse("task.missing", taskId);
  const moves = TASK_MOVES[task.status];
  return moves.includes(move)
    ? accept(task)
    : refuse("task.status", whatCan(taskId, task.status, moves));
}

/** Of the run that works on it now: what an earlier one says comes too late. */
export function taskOfRun(
  project: Project,
  taskId: string,
  runId: string,
  move: TaskMove,
): Outcome<Task> {
  const task = taskThatCan(project, taskId, move);
  if (!task.ok || task.value.runId === runId) return task;
  return refuse("task.stale", `${taskId} is worked on by another run`);
}

export function artifactThatCan(
  project: Project,
  artifactId: string,
  move: ArtifactMove,
): Outcome<Artifact> {
  const artifact = project.artifacts.find((each) => each.artifactId === artifactId);
  if (artifact === undefined) return refuse("artifact.missing", artifactId);
  const { status } = artifact;
  const moves = ARTIFACT_MOVES[status];
  return moves.includes(move)
    ? accept(artifact)
    : refuse("artifact.status", whatCan(artifactId, status, moves));
}

/** Nobody judges what they have not seen: a verdict on an earlier version is none on the newest. */
export function supersededVersion(
  { version }: Artifact,
  { expectedVersion = version }: Guards = {},
): Refusal | undefined {
  if (expectedVersion === version) return undefined;
  const why =
    expectedVersion < version
      ? `version ${version} is there by now`
      : `there is no version ${expectedVersion} yet; the newest is version ${version}`;
  return refuse("artifact.superseded", why);
}

/** What the asker took for granted, if it is not so. */
export function brokenGuard(
  project: Project,
  { expectedTaskStatus, expectedProjectStatus }: Guards = {},
  task?: Task,
): Refusal | undefined {
  if (expectedProjectStatus !== undefined && expectedProjectStatus !== project.status) {
    const { projectId, status } = project;
    return refuse("guard.broken", `${projectId} is ${status}, not ${expectedProjectStatus}`);
  }
  if (
    task !== undefined &&
    expectedTaskStatus !== undefined &&
    expectedTaskStatus !== task.status
  ) {
    return refuse("guard.broken", `${task.taskId} is ${task.status}, not ${expectedTaskStatus}`);
  }
  return undefined;
}

function whatCan(id: string, status: string, moves: readonly string[]): string {
  return moves.length === 0
    ? `${id} is ${status}; nothing more can be done with it`
    : `${id} is ${status}; possible now: ${moves.join(", ")}`;
}
