/** A project as its events make it. Events that cannot apply leave it as it is: a fold never throws. */
import { addUsage, NOTHING_USED } from "../conversation/usage.ts";
import type {
  Artifact,
  ArtifactStatus,
  Decision,
  Project,
  ProjectStatus,
  Task,
  TaskStatus,
} from "./entities.ts";
import type { ProjectEvent, ProjectEventOf } from "./events.ts";

export type ProjectState = Project | null;

export function evolve(state: ProjectState, event: ProjectEvent): ProjectState {
  if (event.type === "project.request_submitted") return begun(event);
  return state === null ? null : advance(state, event);
}

function begun(event: ProjectEventOf<"project.request_submitted">): Project {
  const { type: _type, at, repository = null, ...request } = event;
  return {
    ...request,
    repository,
    status: "submitted",
    pausedFrom: null,
    failure: null,
    participants: [],
    summary: null,
    planAttempts: 0,
    planRunId: null,
    draft: null,
    used: NOTHING_USED,
    createdAt: at,
    endedAt: null,
    tasks: [],
    artifacts: [],
    decisions: [],
  };
}

function advance(
  project: Project,
  event: Exclude<ProjectEvent, { type: "project.request_submitted" }>,
): Project {
  switch (event.type) {
    case "project.request_accepted":
      return { ...project, status: "accepted" };
    case "project.kickoff_started":
      // Also of one that had failed: it goes on.
      return {
        ...project,
        status: "kickoff",
        participants: event.participants,
        planRunId: null,
        draft: null,
        failure: null,
        endedAt: null,
      };
    case "project.planning_started": {
      const planAttempts = project.planAttempts + 1;
      return { ...project, planRunId: event.runId, planAttempts, draft: null };
    }
    case "project.plan_drafted": {
      const { title, summary, tasks, tellAt } = event;
      return { ...project, draft: { title, summary, tasks, tellAt } };
    }
    case "project.tasks_created": {
      const created = event.tasks.map((task) => ({ ...NEW_TASK, ...task }));
      const title = event.title ?? project.title;
      return { ...project, title, tasks: [...project.tasks, ...created] };
    }
    case "project.kickoff_finished":
      return { ...project, status: "planned", summary: event.summary, draft: null };
    case "project.paused":
      return { ...project, status: "paused", pausedFrom: project.status };
    case "project.resumed":
      return { ...project, status: project.pausedFrom ?? "executing", pausedFrom: null };
    case "project.failed":
      return { ...ended(project, "failed", event.at), failure: event.reason };
    case "project.cancelled":
      return withoutQuestions(ended(project, "cancelled", event.at));
    case "project.completed":
      return ended(project, "completed", event.at);
    case "project.bd_said":
      return project;
    case "project.usage_counted":
      return spent(project, event);
    case "project.decision_requested":
      return { ...project, decisions: [...project.decisions, requested(event)] };
    case "project.decision_resolved":
      return resolved(project, event);
    case "project.artifact_created":
      return made(project, event);
    case "project.artifact_delivered":
      return withArtifact(project, event.artifactId, { status: "delivered", poiId: event.poiId });
    case "project.review_approved":
      return reviewed(project, event, "approved");
    case "project.review_split":
      return reviewed(project, event, "split");
    case "project.review_changes_requested": {
      const { instructions, taskId } = event;
      const changed = reviewed(project, event, "changes_requested", instructions);
      return withTask(changed, taskId, { status: "assigned", note: instructions });
    }
    case "project.task_assigned":
    case "project.task_started":
    case "project.task_progress":
    case "project.task_blocked":
    case "project.work_finished":
    case "project.review_requested":
    case "project.task_done":
    case "project.task_failed":
    case "project.task_cancelled":
    case "project.task_rerun":
      return advanceTask(project, event);
  }
}

type TaskEvent = ProjectEventOf<
  | "project.task_assigned"
  | "project.task_started"
  | "project.task_progress"
  | "project.task_blocked"
  | "project.work_finished"
  | "project.review_requested"
  | "project.task_done"
  | "project.task_failed"
  | "project.task_cancelled"
  | "project.task_rerun"
>;

function advanceTask(project: Project, event: TaskEvent): Project {
  const { taskId } = event;
  switch (event.type) {
    case "project.task_assigned": {
      const given = { assignee: event.agentId, status: "assigned", isCarrying: false } as const;
      const status = project.status === "planned" ? "executing" : project.status;
      return withTask({ ...project, status }, taskId, given);
    }
    case "project.task_started":
      return withTask(project, taskId, {
        status: "in_progress",
        runId: event.runId,
        attempts: event.attempt,
        isCarrying: false,
        note: null,
        percent: null,
      });
    case "project.task_progress":
      return withTask(project, taskId, { note: event.preview, percent: event.percent ?? null });
    case "project.task_blocked":
      return withTask(project, taskId, { status: "blocked" });
    case "project.work_finished":
      return withTask(spent(project, event), taskId, { isCarrying: true });
    case "project.review_requested":
      return withTask(project, taskId, { status: "in_review", isCarrying: false });
    case "project.task_done":
      return withTask(project, taskId, { status: "done", note: null });
    case "project.task_failed":
      return withTask(project, taskId, {
        status: "failed",
        isCarrying: false,
        note: event.reason,
      });
    case "project.task_cancelled":
      return withdrawn(
        withTask(project, taskId, { status: "cancelled", isCarrying: false }),
        taskId,
      );
    case "project.task_rerun": {
      const status: TaskStatus =
        taskOf(project, taskId)?.assignee === null ? "planned" : "assigned";
      return withTask(project, taskId, { status, note: null });
    }
  }
}

const NEW_TASK: Omit<Task, "taskId" | "title" | "description" | "role"> = {
  status: "planned",
  assignee: null,
  runId: null,
  attempts: 0,
  isCarrying: false,
  used: NOTHING_USED,
  countedRunId: null,
  note: null,
  forkedFrom: null,
  percent: null,
};

function ended(project: Project, status: ProjectStatus, at: number): Project {
  return { ...project, status, pausedFrom: null, endedAt: at };
}

/** Nobody is asked any more for what is over. */
function withoutQuestions(project: Project): Project {
  const decisions = project.decisions.map((each) =>
    each.status === "open" ? ({ ...each, status: "expired" } as const) : each,
  );
  return { ...project, decisions };
}

function requested(event: ProjectEventOf<"project.decision_requested">): Decision {
  const { type: _type, at, ...request } = event;
  return { ...request, status: "open", askedAt: at, choice: null, note: null, by: null };
}

function resolved(
  project: Project,
  { decisionId, choice, note, by }: ProjectEventOf<"project.decision_resolved">,
): Project {
  const status = choice === null ? "expired" : "resolved";
  const decisions = project.decisions.map((each) =>
    each.decisionId === decisionId ? ({ ...each, status, choice, note, by } as const) : each,
  );
  const settled = { ...project, decisions };
  const taskId = decisions.find((each) => each.decisionId === decisionId)?.taskId ?? null;
  if (taskId === null || taskOf(settled, taskId)?.status !== "blocked") return settled;
  const isStillBlocked = decisions.some(
    (each) => each.taskId === taskId && each.status === "open" && each.decisionId !== decisionId,
  );
  return isStillBlocked ? settled : withTask(settled, taskId, { status: "in_progress" });
}

function made(project: Project, event: ProjectEventOf<"project.artifact_created">): Project {
  const { artifactId, taskId, name, mediaType, bytes, digest, version, runId, at } = event;
  const content = { version, name, mediaType, bytes, digest, runId, at };
  const known = project.artifacts.find((each) => each.artifactId === artifactId);
  if (known !== undefined) {
    const versions = [...known.versions, content];
    // Whoever reviewed the version before has not seen this one.
    const fresh = { status: "created", version, versions, name, reviewer: null } as const;
    return withArtifact(project, artifactId, fresh);
  }
  const fresh: Artifact = {
    artifactId,
    taskId,
    name,
    kind: event.kind,
    status: "created",
    version,
    versions: [content],
    poiId: null,
    reviewer: null,
    instructions: null,
  };
  return { ...project, artifacts: [...project.artifacts, fresh] };
}

function reviewed(
  project: Project,
  { artifactId, by }: { readonly artifactId: string; readonly by: Artifact["reviewer"] },
  status: ArtifactStatus,
  instructions: string | null = null,
): Project {
  return withArtifact(project, artifactId, { status, reviewer: by, instructions });
}

/** What a cancelled task has made is no longer there to be reviewed. */
function withdrawn(project: Project, taskId: string): Project {
  const artifacts = project.artifacts.map((each) =>
    each.taskId === taskId && each.status !== "approved" && each.status !== "split"
      ? ({ ...each, status: "withdrawn" } as const)
      : each,
  );
  return { ...project, artifacts };
}

function spent(
  project: Project,
  { taskId, runId, usage }: ProjectEventOf<"project.work_finished" | "project.usage_counted">,
): Project {
  const counted = { ...project, used: addUsage(project.used, usage) };
  const task = taskId === null ? undefined : taskOf(project, taskId);
  if (task === undefined) return counted;
  const used = addUsage(task.used, usage);
  return withTask(counted, task.taskId, { used, countedRunId: runId });
}

function withTask(project: Project, taskId: string, change: Partial<Task>): Project {
  const tasks = project.tasks.map((task) =>
    task.taskId === taskId ? { ...task, ...change } : task,
  );
  return { ...project, tasks };
}

function withArtifact(project: Project, artifactId: string, change: Partial<Artifact>): Project {
  const artifacts = project.artifacts.map((artifact) =>
    artifact.artifactId === artifactId ? { ...artifact, ...change } : artifact,
  );
  return { ...project, artifacts };
}

export function taskOf(project: Project, taskId: string): Task | undefined {
  return project.tasks.find((task) => task.taskId === taskId);
}
