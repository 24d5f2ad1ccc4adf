/** A project as its events make it. Events that cannot apply leave it as it is: a fold never throws. */
import { addUsage, NOTHING_USED } from "../../conversation/usage.ts";
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
import { evolveChange, isChangeEvent, type ChangeEvent } from "./evolve-change.ts";
import { taskOf, withArtifact, withTask } from "./parts.ts";

export type ProjectState = Project | null;

export function evolve(state: ProjectState, event: ProjectEvent): ProjectState {
  if (event.type === "project.request_submitted") return begun(event);
  if (state === null) return null;
  return isChangeEvent(event) ? evolveChange(state, event) : advance(state, event);
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
    taskCount: 0,
    artifacts: [],
    decisions: [],
    line: null,
    isUpdating: false,
    deliveries: [],
  };
}

function advance(
  project: Project,
  event: Exclude<ProjectEvent, ChangeEvent | { type: "project.request_submitted" }>,
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
    case "project.planning_started":
      return planning(project, event.runId);
    case "project.plan_drafted": {
      const { title, summary, tasks, tellAt } = event;
      return { ...project, draft: { title, summary, tasks, tellAt } };
    }
    case "project.tasks_created": {
      const created = event.tasks.map((task) => ({ ...NEW_TASK, ...task }));
      const title = event.title ?? project.title;
      const taskCount = project.taskCount + created.length;
      return { ...project, title, taskCount, tasks: [...project.tasks, ...created] };
    }
    case "project.task_edited":
      return withTask(project, event.taskId, event.changes);
    case "project.task_removed":
      return withoutTask(project, event.taskId);
    case "project.tasks_reordered":
      return reordered(project, event.taskIds);
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
      return approved(project, event);
    case "project.review_split":
      return reviewed(project, event, "split");
    case "project.review_changes_requested":
      return changesRequested(project, event);
    case "project.task_assigned":
    case "project.task_started":
    case "project.task_progress":
    case "project.task_blocked":
    case "project.work_finished":
    case "project.review_requested":
    case "project.task_done":
    case "project.task_failed":
    case "project.task_released":
    case "project.task_cancelled":
    case "project.task_rerun":
      return advanceTask(project, event);
  }
}

function planning(project: Project, planRunId: string): Project {
  return { ...project, planRunId, planAttempts: project.planAttempts + 1, draft: null };
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
  | "project.task_released"
  | "project.task_cancelled"
  | "project.task_rerun"
>;

function advanceTask(project: Project, event: TaskEvent): Project {
  const { taskId } = event;
  switch (event.type) {
    case "project.task_assigned": {
      const given = { assignee: event.agentId, status: "assigned", ...AT_REST } as const;
      const status = project.status === "planned" ? "executing" : project.status;
      return withTask({ ...project, status }, taskId, given);
    }
    case "project.task_started":
      return withTask(project, taskId, {
        status: "in_progress",
        runId: event.runId,
        attempts: event.attempt,
        ...AT_REST,
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
      return withTask(project, taskId, { status: "in_review", ...AT_REST });
    case "project.task_done":
      return withTask(project, taskId, { status: "done", note: null, ...AT_REST });
    case "project.task_failed": {
      const failure = { status: "failed", ...AT_REST, note: event.reason } as const;
      return withTask(withoutLanding(project, taskId), taskId, failure);
    }
    case "project.task_released": {
      const free = { status: "planned", assignee: null, ...AT_REST, percent: null } as const;
      return withTask(project, taskId, { ...free, note: event.reason });
    }
    case "project.task_cancelled":
      return withdrawn(withTask(project, taskId, { status: "cancelled", ...AT_REST }), taskId);
    case "project.task_rerun": {
      const status: TaskStatus =
        taskOf(project, taskId)?.assignee === null ? "planned" : "assigned";
      // Whoever asks for another try grants as many rounds as the first had.
      const rounds = { checkRounds: 0, conflictRounds: 0 };
      return withTask(project, taskId, { status, note: null, ...rounds });
    }
  }
}

/** Nobody carries what it made, and nothing checks it. */
const AT_REST = { isCarrying: false, isChecking: false } as const;

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
  after: [],
  accept: [],
  verify: [],
  kind: "change",
  isChecking: false,
  checkRounds: 0,
  conflictRounds: 0,
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
  const { artifactId, taskId, name, mediaType, bytes, digest, version, runId, at, kind } = event;
  const facts = event.change === undefined ? {} : { change: event.change };
  const content = { version, name, mediaType, bytes, digest, runId, at, ...facts };
  const known = project.artifacts.find((each) => each.artifactId === artifactId);
  if (known !== undefined) {
    const versions = [...known.versions, content];
    // Whoever reviewed the version before has not seen this one.
    const fresh = { status: "created", version, versions, name, kind, reviewer: null } as const;
    return withArtifact(project, artifactId, { ...fresh, landing: null });
  }
  const fresh: Artifact = {
    artifactId,
    taskId,
    name,
    kind,
    status: "created",
    version,
    versions: [content],
    poiId: null,
    reviewer: null,
    instructions: null,
    checks: null,
    comments: [],
    landing: null,
  };
  return { ...project, artifacts: [...project.artifacts, fresh] };
}

const NOT_LANDED = { state: "pending", landed: null, conflict: null, reverted: null } as const;

/** What was approved and cannot be merged is there to be changed. */
function withoutLanding(project: Project, taskId: string): Project {
  const artifacts = project.artifacts.map((each) =>
    each.taskId === taskId && each.landing?.state === "pending"
      ? ({ ...each, status: "changes_requested", landing: null } as const)
      : each,
  );
  return { ...project, artifacts };
}

/** A change is merged after that; anything else is done with it. */
function approved(project: Project, event: ProjectEventOf<"project.review_approved">): Project {
  const { artifactId } = event;
  const after = reviewed(project, event, "approved");
  const newest = after.artifacts.find((each) => each.artifactId === artifactId)?.versions.at(-1);
  return newest?.change === undefined
    ? after
    : withArtifact(after, artifactId, { landing: NOT_LANDED });
}

function changesRequested(
  project: Project,
  event: ProjectEventOf<"project.review_changes_requested">,
): Project {
  const { instructions, taskId } = event;
  const changed = reviewed(project, event, "changes_requested", instructions);
  const note = instructions === "" ? (event.comments?.[0]?.text ?? null) : instructions;
  return withTask(commented(changed, event), taskId, { status: "assigned", note });
}

function commented(
  project: Project,
  { artifactId, comments = [], by, at }: ProjectEventOf<"project.review_changes_requested">,
): Project {
  const artifact = project.artifacts.find((each) => each.artifactId === artifactId);
  if (artifact === undefined || comments.length === 0) return project;
  const { version } = artifact;
  const more = comments.map((each) => {
    return { ...each, version, by, at, answer: null, resolvedBy: null };
  });
  return withArtifact(project, artifactId, { comments: [...artifact.comments, ...more] });
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

function withoutTask(project: Project, taskId: string): Project {
  const tasks = project.tasks.flatMap((task) => {
    if (task.taskId === taskId) return [];
    return [{ ...task, after: task.after.filter((other) => other !== taskId) }];
  });
  return { ...project, tasks };
}

function reordered(project: Project, taskIds: readonly string[]): Project {
  const place = new Map(taskIds.map((taskId, index) => [taskId, index]));
  const placeOf = ({ taskId }: Task): number => place.get(taskId) ?? taskIds.length;
  return { ...project, tasks: project.tasks.toSorted((a, b) => placeOf(a) - placeOf(b)) };
}
