/** What people say to what was delivered: good, other, or too much at once. */
import { accept, refuse, type Outcome } from "../../engine/refusal.ts";
import type { ProjectCommandOf } from "../model/commands.ts";
import type { Artifact, Project } from "../model/entities.ts";
import type { ProjectEvent } from "../model/events.ts";
import { evolve } from "../model/evolve.ts";
import { artifactThatCan, brokenGuard, supersededVersion } from "../model/moves.ts";
import { taskOf } from "../model/parts.ts";
import { numberedComments } from "./decide-comments.ts";
import { numbered, planProblem, tooManyTasks } from "./decide-plan.ts";

type Decided = Outcome<readonly ProjectEvent[]>;

export function approve(project: Project, command: ProjectCommandOf<"approve">): Decided {
  const artifact = reviewable(project, command, "approve");
  if (!artifact.ok) return artifact;
  const { at, by } = command;
  const { artifactId, taskId } = artifact.value;
  return withTaskDone(project, taskId, [
    { type: "project.review_approved", at, artifactId, taskId, by },
  ]);
}

export function requestChanges(
  project: Project,
  command: ProjectCommandOf<"request-changes">,
): Decided {
  const artifact = reviewable(project, command, "change");
  if (!artifact.ok) return artifact;
  const { at, by, instructions, comments: drafts = [] } = command;
  if (instructions.trim() === "" && drafts.length === 0) {
    return refuse("request.empty", "say what should change");
  }
  const { artifactId, taskId } = artifact.value;
  if (taskOf(project, taskId)?.status !== "in_review") {
    return refuse("task.status", `${taskId} is already in work`);
  }
  const wish = { artifactId, taskId, instructions, by };
  const comments = numberedComments(project, drafts);
  const remarks = comments.length === 0 ? {} : { comments };
  return accept([{ type: "project.review_changes_requested", at, ...wish, ...remarks }]);
}

/** Nobody works on it meanwhile: what is in review is people's. */
export function reviseArtifact(
  project: Project,
  command: ProjectCommandOf<"revise-artifact">,
): Decided {
  const artifact = reviewable(project, command, "approve");
  if (!artifact.ok) return artifact;
  const { at, by, made } = command;
  const { artifactId, taskId, poiId, version: before } = artifact.value;
  if (taskOf(project, taskId)?.status !== "in_review") {
    return refuse("task.status", `${taskId} is already in work`);
  }
  const { kind, content, change } = made;
  const version = before + 1;
  const about = { at, artifactId, taskId, agentId: null, version };
  const facts = change === undefined ? {} : { change };
  return accept([
    { type: "project.artifact_created", ...about, kind, runId: null, ...content, ...facts, by },
    { type: "project.artifact_delivered", ...about, poiId: poiId ?? "" },
    { type: "project.review_requested", at, taskId, artifactIds: [artifactId] },
  ]);
}

export function split(project: Project, command: ProjectCommandOf<"split">): Decided {
  const artifact = reviewable(project, command, "split");
  if (!artifact.ok) return artifact;
  const { at, by, titles } = command;
  const { artifactId, taskId, name } = artifact.value;
  const role = taskOf(project, taskId)?.role ?? null;
  const description = `Part of what was delivered as ${name}.`;
  const drafts = titles.map((title) => ({ title: title.trim(), description, role }));
  const flaw = planProblem(drafts);
  if (flaw !== undefined) return refuse("plan.malformed", flaw);
  const full = tooManyTasks(project, drafts.length);
  if (full !== undefined) return full;
  return withTaskDone(project, taskId, [
    { type: "project.review_split", at, artifactId, taskId, by },
    {
      type: "project.tasks_created",
      at,
      title: null,
      tasks: numbered(project, drafts),
      artifactId,
    },
  ]);
}

function reviewable(
  project: Project,
  {
    artifactId,
    guards,
  }: ProjectCommandOf<"approve" | "request-changes" | "split" | "revise-artifact">,
  move: "approve" | "change" | "split",
): Outcome<Artifact> {
  const seen = project.artifacts.find((each) => each.artifactId === artifactId);
  // Before anything else: how things stand with the newest version says nothing about the one that was seen.
  const superseded = seen && supersededVersion(seen, guards);
  if (superseded !== undefined) return superseded;
  const artifact = artifactThatCan(project, artifactId, move);
  if (!artifact.ok) return artifact;
  if (project.status === "paused") {
    return refuse("project.status", `${project.projectId} is paused; possible now: resume`);
  }
  return brokenGuard(project, guards, taskOf(project, artifact.value.taskId)) ?? artifact;
}

/** A task is done once nothing of it waits for a verdict, and what was approved is merged. */
export function withTaskDone(
  project: Project,
  taskId: string,
  events: readonly ProjectEvent[],
): Decided {
  const after = events.reduce<Project | null>(evolve, project);
  const isOpen = after?.artifacts.some(
    ({ taskId: of, status, landing }) =>
      of === taskId &&
      ((status !== "approved" && status !== "split" && status !== "withdrawn") ||
        landing?.state === "pending"),
  );
  const at = events[0]?.at ?? 0;
  return accept(isOpen === true ? events : [...events, { type: "project.task_done", at, taskId }]);
}
