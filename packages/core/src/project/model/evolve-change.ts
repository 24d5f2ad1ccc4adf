/** What checks, merges, comments and deliveries make of a project. */
import type { ArtifactComment, ChangeLanding } from "./change.ts";
import type { ArtifactStatus, Project } from "./entities.ts";
import type { ProjectEvent, ProjectEventOf } from "./events.ts";
import { taskOf, withArtifact, withTask } from "./parts.ts";

const CHANGE_EVENTS = [
  "project.checks_started",
  "project.checks_finished",
  "project.comment_answered",
  "project.comment_resolved",
  "project.change_landed",
  "project.change_conflicted",
  "project.landing_failed",
  "project.revert_requested",
  "project.change_reverted",
  "project.revert_failed",
  "project.update_requested",
  "project.line_updated",
  "project.update_failed",
  "project.delivered",
] as const satisfies readonly ProjectEvent["type"][];

export type ChangeEvent = ProjectEventOf<(typeof CHANGE_EVENTS)[number]>;

const TYPES: ReadonlySet<string> = new Set(CHANGE_EVENTS);

export function isChangeEvent(event: ProjectEvent): event is ChangeEvent {
  return TYPES.has(event.type);
}

export function evolveChange(project: Project, event: ChangeEvent): Project {
  switch (event.type) {
    case "project.checks_started": {
      const { artifactId, taskId, version, names } = event;
      const checks = { version, state: "running", names, results: [] } as const;
      return withTask(withArtifact(project, artifactId, { checks }), taskId, { isChecking: true });
    }
    case "project.checks_finished":
      return checked(project, event);
    case "project.comment_answered":
      return withComment(project, event, { answer: event.text });
    case "project.comment_resolved":
      return withComment(project, event, { resolvedBy: event.by });
    case "project.change_landed": {
      const { artifactId, commit, before, at } = event;
      const landed = { commit, before, at };
      const merged = withLanding(project, artifactId, { state: "landed", landed });
      return { ...merged, line: commit };
    }
    case "project.change_conflicted":
      return conflicted(project, event);
    case "project.landing_failed":
      return withArtifact(project, event.artifactId, {
        status: unmergedStatus(project, event.taskId),
        landing: null,
      });
    case "project.revert_requested":
      return withLanding(project, event.artifactId, { state: "reverting" });
    case "project.change_reverted": {
      const { artifactId, commit } = event;
      const without = withLanding(project, artifactId, { state: "reverted", reverted: commit });
      return { ...without, line: commit };
    }
    case "project.revert_failed":
      return withLanding(project, event.artifactId, { state: "landed" });
    case "project.update_requested":
      return { ...project, isUpdating: true };
    case "project.line_updated":
      return { ...project, isUpdating: false, line: event.commit };
    case "project.update_failed":
      return { ...project, isUpdating: false };
    case "project.delivered": {
      const { how, ref, commit, by, at } = event;
      return { ...project, deliveries: [...project.deliveries, { how, ref, commit, by, at }] };
    }
  }
}

function checked(
  project: Project,
  { artifactId, taskId, version, verdict, results, goesBack }: ChangeEventOf<"checks_finished">,
): Project {
  const names = results.map(({ name }) => name);
  const checks = { version, state: verdict, names, results };
  const after = withArtifact(project, artifactId, { checks });
  const task = taskOf(project, taskId);
  if (task === undefined) return after;
  if (!goesBack) return withTask(after, taskId, { isChecking: false });
  return withTask(after, taskId, {
    status: "assigned",
    isChecking: false,
    isCarrying: false,
    checkRounds: task.checkRounds + 1,
    note: `Failed: ${results.flatMap(({ name, verdict: of }) => (of === "passed" ? [] : [name])).join(", ")}`,
  });
}

function conflicted(
  project: Project,
  { artifactId, taskId, version, with: tip, paths }: ChangeEventOf<"change_conflicted">,
): Project {
  const conflict = { version, with: tip, paths };
  const after = withLanding(project, artifactId, { state: "conflicted", conflict });
  const reopened = withArtifact(after, artifactId, { status: unmergedStatus(project, taskId) });
  const task = taskOf(project, taskId);
  if (task?.status !== "in_review") return reopened;
  return withTask(reopened, taskId, {
    status: "assigned",
    conflictRounds: task.conflictRounds + 1,
    note: `Conflicts in ${paths.map(({ path }) => path).join(", ")}`,
  });
}

/** What was approved and is not merged: whoever works on the task makes the next version of it, if anyone does. */
function unmergedStatus(project: Project, taskId: string): ArtifactStatus {
  return taskOf(project, taskId)?.status === "cancelled" ? "withdrawn" : "changes_requested";
}

type ChangeEventOf<Name extends string> = Extract<
  ChangeEvent,
  { readonly type: `project.${Name}` }
>;

function withLanding(
  project: Project,
  artifactId: string,
  change: Partial<ChangeLanding>,
): Project {
  const landing = project.artifacts.find((each) => each.artifactId === artifactId)?.landing;
  return landing === null || landing === undefined
    ? project
    : withArtifact(project, artifactId, { landing: { ...landing, ...change } });
}

function withComment(
  project: Project,
  { artifactId, commentId }: { readonly artifactId: string; readonly commentId: string },
  change: Partial<ArtifactComment>,
): Project {
  const comments = project.artifacts
    .find((each) => each.artifactId === artifactId)
    ?.comments.map((each) => (each.commentId === commentId ? { ...each, ...change } : each));
  return comments === undefined ? project : withArtifact(project, artifactId, { comments });
}
