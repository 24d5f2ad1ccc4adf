/** An approved change on its way into the project's line, and out of it again. What is told here has happened in git. */
import { accept, refuse, type Outcome } from "../../engine/refusal.ts";
import { MAX_CONFLICT_ROUNDS, type ConflictPath, type ChangeLanding } from "../model/change.ts";
import type { ProjectCommandOf } from "../model/commands.ts";
import type { Artifact, Project } from "../model/entities.ts";
import type { ProjectEvent } from "../model/events.ts";
import { taskOf } from "../model/parts.ts";
import { withTaskDone } from "./decide-review.ts";

type Decided = Outcome<readonly ProjectEvent[]>;

/** Also of a task that was cancelled meanwhile: what was approved and merged is in the line. */
export function landChange(
  project: Project,
  { at, artifactId, version, commit, before }: ProjectCommandOf<"land-change">,
): Decided {
  const artifact = inLanding(project, artifactId, "pending");
  if (!artifact.ok) return artifact;
  const { taskId } = artifact.value;
  const landed = { taskId, artifactId, version, commit, before };
  const events: readonly ProjectEvent[] = [{ type: "project.change_landed", at, ...landed }];
  return taskOf(project, taskId)?.status === "in_review"
    ? withTaskDone(project, taskId, events)
    : accept(events);
}

/** The agent gets both sides, at most twice; then the task waits for a person. A cancelled one stays cancelled. */
export function conflictChange(
  project: Project,
  { at, artifactId, version, with: tip, paths }: ProjectCommandOf<"conflict-change">,
): Decided {
  const artifact = inLanding(project, artifactId, "pending");
  if (!artifact.ok) return artifact;
  const { taskId } = artifact.value;
  const conflict = { taskId, artifactId, version, with: tip, paths };
  const conflicted = { type: "project.change_conflicted", at, ...conflict } as const;
  const task = taskOf(project, taskId);
  const isTried = task?.status === "in_review" && task.conflictRounds >= MAX_CONFLICT_ROUNDS;
  if (!isTried) return accept([conflicted]);
  const { assignee: agentId, runId } = task;
  const reason = `Merging conflicts with other approved work in ${listed(paths)}. It was tried ${task.conflictRounds} times; retry it or give it to someone else.`;
  return accept([conflicted, { type: "project.task_failed", at, taskId, agentId, runId, reason }]);
}

/** It is not approved any more: whoever takes the task up again makes the next version. */
export function failLanding(
  project: Project,
  { at, artifactId, version, reason }: ProjectCommandOf<"fail-landing">,
): Decided {
  const artifact = inLanding(project, artifactId, "pending");
  if (!artifact.ok) return artifact;
  const { taskId } = artifact.value;
  const task = taskOf(project, taskId);
  if (task?.status !== "in_review") {
    // Cancelled or taken up again meanwhile: only the merge is over.
    return accept([{ type: "project.landing_failed", at, taskId, artifactId, version, reason }]);
  }
  const { assignee: agentId, runId } = task;
  return accept([{ type: "project.task_failed", at, taskId, agentId, runId, reason }]);
}

export function requestRevert(
  project: Project,
  { at, artifactId, by }: ProjectCommandOf<"request-revert">,
): Decided {
  const artifact = inLanding(project, artifactId, "landed");
  if (!artifact.ok) return artifact;
  const { taskId } = artifact.value;
  return accept([{ type: "project.revert_requested", at, taskId, artifactId, by }]);
}

export function revertChange(
  project: Project,
  { at, artifactId, commit, before }: ProjectCommandOf<"revert-change">,
): Decided {
  const artifact = inLanding(project, artifactId, "reverting");
  if (!artifact.ok) return artifact;
  const { taskId } = artifact.value;
  return accept([{ type: "project.change_reverted", at, taskId, artifactId, commit, before }]);
}

export function refuseRevert(
  project: Project,
  { at, artifactId, reason, paths }: ProjectCommandOf<"refuse-revert">,
): Decided {
  const artifact = inLanding(project, artifactId, "reverting");
  if (!artifact.ok) return artifact;
  const { taskId } = artifact.value;
  return accept([{ type: "project.revert_failed", at, taskId, artifactId, reason, paths }]);
}

function inLanding(
  project: Project,
  artifactId: string,
  wanted: ChangeLanding["state"],
): Outcome<Artifact> {
  const artifact = project.artifacts.find((each) => each.artifactId === artifactId);
  if (artifact === undefined) return refuse("artifact.missing", artifactId);
  const state = artifact.landing?.state ?? "not merged";
  return state === wanted
    ? accept(artifact)
    : refuse("artifact.status", `${artifactId} is ${state}; this takes one that is ${wanted}`);
}

const SHOWN_PATHS = 5;

function listed(paths: readonly ConflictPath[]): string {
  const names = paths.slice(0, SHOWN_PATHS).map(({ path }) => path);
  const left = paths.length - names.length;
  return left > 0 ? `${names.join(", ")} and ${left} more` : names.join(", ");
}
