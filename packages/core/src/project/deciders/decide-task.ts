/** A task from hand to hand: assigned, worked on, held up, finished, failed, cancelled, done again. */
import { tokensOf } from "../../conversation/usage.ts";
import { accept, refuse, type Outcome } from "../../engine/refusal.ts";
import type { DeliveredFile, ProjectCommandOf } from "../model/commands.ts";
import type { Artifact, Project, Task } from "../model/entities.ts";
import type { ProjectEvent } from "../model/events.ts";
import { brokenGuard, projectThatCan, taskOfRun, taskThatCan } from "../model/moves.ts";
import { taskOf } from "../model/parts.ts";
import { waitingFor } from "../model/task-order.ts";
import { assignAll } from "./assignment.ts";
import { partId } from "./decide-plan.ts";

type Decided = Outcome<readonly ProjectEvent[]>;

export function assign(project: Project, command: ProjectCommandOf<"assign">): Decided {
  const { at, taskId, agentId, by, isReassignment, guards } = command;
  const task = taskThatCan(project, taskId, "assign");
  if (!task.ok) return task;
  const broken = brokenGuard(project, guards, task.value);
  if (broken !== undefined) return broken;
  const able = projectThatCan(project, "work");
  if (!able.ok) return able;
  const { assignee: previous, status } = task.value;
  if (isReassignment && previous === null) {
    return refuse("task.status", `${taskId} has no assignee; assign it`);
  }
  if (!isReassignment && previous !== null && status !== "failed") {
    return refuse("task.status", `${taskId} is already assigned to ${previous}; reassign it`);
  }
  if (previous === agentId && status !== "failed") return accept([]);
  return accept([{ type: "project.task_assigned", at, taskId, agentId, previous, by }]);
}

export function autoAssign(project: Project, command: ProjectCommandOf<"auto-assign">): Decided {
  const { at, candidates, guards } = command;
  const broken = brokenGuard(project, guards);
  if (broken !== undefined) return broken;
  const able = projectThatCan(project, "work");
  if (!able.ok) return able;
  const open = project.tasks.filter(({ status }) => status === "planned");
  if (open.length === 0) return refuse("task.status", "every task has an assignee");
  const assignments = assignAll(open, candidates);
  if (assignments.length === 0) return refuse("agent.unknown", "no agent can take the task");
  return accept(
    assignments.map(({ taskId, agentId }) => ({
      type: "project.task_assigned",
      at,
      taskId,
      agentId,
      previous: null,
      by: null,
    })),
  );
}

export function startTask(
  project: Project,
  { at, taskId, runId }: ProjectCommandOf<"start-task">,
): Decided {
  const able = projectThatCan(project, "work");
  if (!able.ok) return able;
  const task = taskThatCan(project, taskId, "start");
  if (!task.ok) return task;
  const { assignee, attempts } = task.value;
  if (assignee === null) return refuse("task.status", `${taskId} has no assignee`);
  const waits = waitingFor(project, task.value);
  if (waits.length > 0) return refuse("task.waiting", `${taskId} waits for ${waits.join(", ")}`);
  if (task.value.runId === runId && task.value.status === "in_progress") return accept([]);
  const attempt = attempts + 1;
  return accept([{ type: "project.task_started", at, taskId, agentId: assignee, runId, attempt }]);
}

export function progress(project: Project, command: ProjectCommandOf<"progress">): Decided {
  const { at, taskId, runId, kind, preview } = command;
  if (command.percent !== undefined && !isPercent(command.percent)) {
    return refuse("params.invalid", `percent: ${command.percent}`);
  }
  const task = taskOfRun(project, taskId, runId, "deliver");
  if (!task.ok) return task;
  const { assignee: agentId, note, isCarrying, percent: before } = task.value;
  // What is known of it stays known until the agent tells otherwise.
  const percent = command.percent ?? before;
  // Words that come after the work was finished are about something that is done.
  if (agentId === null || isCarrying || (note === preview && percent === before)) return accept([]);
  const report = { taskId, agentId, kind, preview, ...(percent !== null && { percent }) };
  return accept([{ type: "project.task_progress", at, ...report }]);
}

function isPercent(value: number): boolean {
  return value >= 0 && value <= 100;
}

export function requestDecision(
  project: Project,
  command: ProjectCommandOf<"request-decision">,
): Decided {
  const { type: _type, ...request } = command;
  if (project.decisions.some(({ ref }) => ref === request.ref)) return accept([]);
  const decisionId = partId(project, "dec", project.decisions.length + 1);
  const requested = { type: "project.decision_requested", ...request, decisionId } as const;
  const { at, taskId, agentId } = request;
  if (taskId === null) return accept([requested]);
  const task = taskThatCan(project, taskId, "block");
  if (!task.ok) return task;
  return accept([requested, { type: "project.task_blocked", at, taskId, agentId, decisionId }]);
}

export function settleDecision(
  project: Project,
  { at, ref, choice, note, by }: ProjectCommandOf<"settle-decision">,
): Decided {
  const decision = project.decisions.find((each) => each.ref === ref);
  if (decision === undefined) return refuse("decision.missing", ref);
  const { decisionId, taskId, status } = decision;
  if (status !== "open") return refuse("decision.settled", `${decisionId} is ${status}`);
  return accept([{ type: "project.decision_resolved", at, decisionId, taskId, choice, note, by }]);
}

export function createArtifact(
  project: Project,
  { at, taskId, runId, made }: ProjectCommandOf<"create-artifact">,
): Decided {
  const task = taskOfRun(project, taskId, runId, "deliver");
  if (!task.ok) return task;
  const earlier = revised(project, taskId, made);
  const { kind, content, change } = made;
  const artifactId = earlier?.artifactId ?? partId(project, "art", project.artifacts.length + 1);
  const version = (earlier?.version ?? 0) + 1;
  const { assignee: agentId } = task.value;
  return accept([
    {
      type: "project.artifact_created",
      at,
      artifactId,
      taskId,
      agentId,
      version,
      kind,
      runId,
      ...content,
      ...(change !== undefined && { change }),
    },
  ]);
}

/** What a new piece of work is a new version of: the same name, the same kind of change, or the one thing that was to change. */
function revised(
  project: Project,
  taskId: string,
  { name, change }: DeliveredFile,
): Artifact | undefined {
  const open = project.artifacts.filter(
    ({ taskId: of, status }) => of === taskId && status !== "approved" && status !== "split",
  );
  const [wanted, ...others] = open.filter(({ status }) => status === "changes_requested");
  const sameName = open.find((each) =>
    change === undefined ? each.name === name : each.versions.at(-1)?.change !== undefined,
  );
  return sameName ?? (others.length === 0 ? wanted : undefined);
}

/** Spent is spent, whatever became of the work. */
export function countUsage(
  project: Project,
  { at, taskId, runId, usage }: ProjectCommandOf<"count-usage">,
): Decided {
  if (taskId !== null && taskOf(project, taskId) === undefined) {
    return refuse("task.missing", taskId);
  }
  if (tokensOf(usage) === 0 && usage.cost === undefined) return accept([]);
  return accept([{ type: "project.usage_counted", at, taskId, runId, usage }]);
}

export function failTask(
  project: Project,
  { at, taskId, runId, reason }: ProjectCommandOf<"fail-task">,
): Decided {
  const task = taskOfRun(project, taskId, runId, "fail");
  if (!task.ok) return task;
  const { assignee: agentId } = task.value;
  return accept([{ type: "project.task_failed", at, taskId, agentId, runId, reason }]);
}

export function cancelTask(project: Project, command: ProjectCommandOf<"cancel-task">): Decided {
  const { at, taskId, by, guards } = command;
  const task = movable(project, taskId, "cancel", guards);
  if (!task.ok) return task;
  const { assignee: agentId, runId } = task.value;
  return accept([{ type: "project.task_cancelled", at, taskId, agentId, runId, by }]);
}

export function rerunTask(project: Project, command: ProjectCommandOf<"rerun-task">): Decided {
  const { at, taskId, by, guards } = command;
  const able = projectThatCan(project, "work");
  if (!able.ok) return able;
  const task = movable(project, taskId, "rerun", guards);
  if (!task.ok) return task;
  const { assignee: agentId } = task.value;
  return accept([{ type: "project.task_rerun", at, taskId, agentId, by }]);
}

function movable(
  project: Project,
  taskId: string,
  move: "cancel" | "rerun",
  guards: ProjectCommandOf<"cancel-task">["guards"],
): Outcome<Task> {
  const task = taskThatCan(project, taskId, move);
  if (!task.ok) return task;
  return brokenGuard(project, guards, task.value) ?? task;
}
