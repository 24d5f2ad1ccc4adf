/** A task that a joined session takes by itself, and one that whoever has it gives back. */
import { accept, refuse, type Outcome } from "../../engine/refusal.ts";
import type { ProjectCommandOf } from "../model/commands.ts";
import type { Project } from "../model/entities.ts";
import type { ProjectEvent } from "../model/events.ts";
import { projectThatCan, taskThatCan } from "../model/moves.ts";
import { waitingFor } from "../model/task-order.ts";

type Decided = Outcome<readonly ProjectEvent[]>;

/** Only what is free: nothing is taken from anyone. */
export function takeTask(project: Project, command: ProjectCommandOf<"take-task">): Decided {
  const { at, taskId, agentId } = command;
  const task = taskThatCan(project, taskId, "assign");
  if (!task.ok) return task;
  const able = projectThatCan(project, "work");
  if (!able.ok) return able;
  const { assignee: previous, status } = task.value;
  if (previous === agentId) return accept([]);
  if (previous !== null) return refuse("task.taken", `${taskId} is assigned to ${previous}`);
  if (status !== "planned") return refuse("task.status", `${taskId} is ${status}, not open`);
  const waits = waitingFor(project, task.value);
  if (waits.length > 0) return refuse("task.waiting", `${taskId} waits for ${waits.join(", ")}`);
  return accept([{ type: "project.task_assigned", at, taskId, agentId, previous, by: null }]);
}

/** What is already checked or carried is out of its hands, and stays as it is. */
export function releaseTask(project: Project, command: ProjectCommandOf<"release-task">): Decided {
  const { at, taskId, agentId, reason } = command;
  const task = taskThatCan(project, taskId, "release");
  if (!task.ok) return task;
  const { assignee, isChecking, isCarrying } = task.value;
  if (assignee !== agentId) return refuse("task.stale", `${taskId} is not ${agentId}'s`);
  if (isChecking || isCarrying) return refuse("task.status", `${taskId} was handed over`);
  return accept([{ type: "project.task_released", at, taskId, agentId, reason }]);
}
