/** Trying it another way: a task that starts where another one was at some moment. */
import { accept, refuse, type Outcome } from "../../engine/refusal.ts";
import type { ProjectCommandOf } from "../model/commands.ts";
import type { Project } from "../model/entities.ts";
import type { ProjectEvent } from "../model/events.ts";
import { brokenGuard, projectThatCan } from "../model/moves.ts";
import { taskOf } from "../model/parts.ts";
import { MAX_TITLE_CHARS, numbered, tooManyTasks } from "./decide-plan.ts";

const MARK = " (fork)";

/** Whoever has the other one gets this one too, and starts on it when there is time. */
export function forkTask(
  project: Project,
  { at, taskId, from, instructions, by, guards }: ProjectCommandOf<"fork-task">,
): Outcome<readonly ProjectEvent[]> {
  const task = taskOf(project, taskId);
  if (task === undefined) return refuse("task.missing", taskId);
  const able = brokenGuard(project, guards, task) ?? projectThatCan(project, "work");
  if (!able.ok) return able;
  const full = tooManyTasks(project, 1);
  if (full !== undefined) return full;
  const { role, assignee } = task;
  const title = `${task.title.slice(0, MAX_TITLE_CHARS - MARK.length)}${MARK}`;
  const description = [task.description, instructions ?? ""].filter((text) => text !== "");
  const draft = { title, description: description.join("\n\n"), role };
  const [planned] = numbered(project, [draft]);
  if (planned === undefined) return accept([]);
  const tasks = [{ ...planned, forkedFrom: from }];
  const created = {
    type: "project.tasks_created",
    at,
    title: null,
    tasks,
    artifactId: null,
  } as const;
  if (assignee === null) return accept([created]);
  const given = { taskId: planned.taskId, agentId: assignee, previous: null, by };
  return accept([created, { type: "project.task_assigned", at, ...given }]);
}
