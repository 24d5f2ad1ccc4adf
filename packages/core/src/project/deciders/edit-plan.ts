/** A plan in people's hands: tasks added, reworded, removed and put in another order, before and while it runs. */
import { accept, refuse, type Outcome, type Refusal } from "../../engine/refusal.ts";
import type { ProjectCommandOf } from "../model/commands.ts";
import type { Project, Task } from "../model/entities.ts";
import type { ProjectEvent } from "../model/events.ts";
import { brokenGuard, projectThatCan, taskThatCan } from "../model/moves.ts";
import { taskOf } from "../model/parts.ts";
import { cycleIn } from "../model/task-order.ts";
import { numbered, planProblem, tooManyTasks } from "./decide-plan.ts";

type Decided = Outcome<readonly ProjectEvent[]>;

export function addTask(
  project: Project,
  { at, draft, after, before, by, guards }: ProjectCommandOf<"add-task">,
): Decided {
  const able = brokenGuard(project, guards) ?? projectThatCan(project, "work");
  if (!able.ok) return able;
  const flaw = planProblem([draft]);
  if (flaw !== undefined) return refuse("plan.malformed", flaw);
  const unknown = [...after, ...(before === null ? [] : [before])].find(
    (taskId) => taskOf(project, taskId) === undefined,
  );
  if (unknown !== undefined) return refuse("task.missing", unknown);
  const full = tooManyTasks(project, 1);
  if (full !== undefined) return full;
  const tasks = numbered(project, [draft]).map((task) => ({ ...task, after: [...new Set(after)] }));
  const created = { title: null, tasks, artifactId: null, by };
  const events: ProjectEvent[] = [{ type: "project.tasks_created", at, ...created }];
  if (before !== null) {
    const ids = project.tasks.map(({ taskId }) => taskId);
    const taskIds = ids.toSpliced(ids.indexOf(before), 0, ...tasks.map(({ taskId }) => taskId));
    events.push({ type: "project.tasks_reordered", at, taskIds, by });
  }
  return accept(events);
}

export function editTask(
  project: Project,
  { at, taskId, changes, by, guards }: ProjectCommandOf<"edit-task">,
): Decided {
  const task = editable(project, taskId, "edit", guards);
  if (!task.ok) return task;
  const flaw = planProblem([{ ...task.value, ...changes, after: [] }]);
  if (flaw !== undefined) return refuse("plan.malformed", flaw);
  if (changes.after !== undefined) {
    const wrong = orderProblem(project, task.value, changes.after);
    if (wrong !== undefined) return wrong;
  }
  return accept([{ type: "project.task_edited", at, taskId, changes, by }]);
}

export function removeTask(
  project: Project,
  { at, taskId, by, guards }: ProjectCommandOf<"remove-task">,
): Decided {
  const task = editable(project, taskId, "remove", guards);
  if (!task.ok) return task;
  if (task.value.attempts > 0) {
    return refuse("task.status", `${taskId} was worked on already; cancel it`);
  }
  if (project.tasks.length === 1) {
    return refuse("plan.malformed", "it is the only task; cancel the project");
  }
  return accept([{ type: "project.task_removed", at, taskId, by }]);
}

export function reorderTasks(
  project: Project,
  { at, taskIds, by, guards }: ProjectCommandOf<"reorder-tasks">,
): Decided {
  const able = brokenGuard(project, guards) ?? projectThatCan(project, "work");
  if (!able.ok) return able;
  const wanted = new Set(taskIds);
  const isWhole =
    wanted.size === taskIds.length &&
    taskIds.length === project.tasks.length &&
    project.tasks.every(({ taskId }) => wanted.has(taskId));
  if (!isWhole) return refuse("plan.malformed", "name every task of the project once");
  return accept([{ type: "project.tasks_reordered", at, taskIds, by }]);
}

function editable(
  project: Project,
  taskId: string,
  move: "edit" | "remove",
  guards: ProjectCommandOf<"edit-task">["guards"],
): Outcome<Task> {
  const able = projectThatCan(project, "work");
  if (!able.ok) return able;
  const task = taskThatCan(project, taskId, move);
  if (!task.ok) return task;
  return brokenGuard(project, guards, task.value) ?? task;
}

function orderProblem(project: Project, task: Task, after: readonly string[]): Refusal | undefined {
  if (task.attempts > 0) {
    return refuse("task.status", `${task.taskId} has started; it can no longer wait for others`);
  }
  const unknown = after.find((taskId) => taskOf(project, taskId) === undefined);
  if (unknown !== undefined) return refuse("task.missing", unknown);
  const order = new Map(project.tasks.map((each) => [each.taskId, each.after]));
  const cycle = cycleIn(order.set(task.taskId, after));
  return cycle && refuse("plan.malformed", `these tasks wait for each other: ${cycle.join(", ")}`);
}
