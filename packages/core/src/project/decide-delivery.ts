/** Work that is finished is there to be reviewed in the same moment: nobody waits for the walk to the shelf. */
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { ProjectCommandOf } from "./commands.ts";
import type { Project, Task } from "./entities.ts";
import type { ProjectEvent } from "./events.ts";
import { taskOf } from "./evolve.ts";
import { taskOfRun, taskThatCan } from "./moves.ts";

type Decided = Outcome<readonly ProjectEvent[]>;

export function finishWork(
  project: Project,
  { at, taskId, runId, usage, poiId }: ProjectCommandOf<"finish-work">,
): Decided {
  const known = taskOf(project, taskId);
  if (known?.runId === runId && (known.isCarrying || known.status === "in_review")) {
    return accept([]);
  }
  const task = taskOfRun(project, taskId, runId, "deliver");
  if (!task.ok) return task;
  const finished = { type: "project.work_finished", at, taskId, runId, usage } as const;
  return accept([finished, ...deliveryOf(project, task.value, poiId, at)]);
}

/** For work that an earlier version left on its way to the shelf. */
export function deliver(
  project: Project,
  { at, taskId, poiId }: ProjectCommandOf<"deliver">,
): Decided {
  const task = taskThatCan(project, taskId, "deliver");
  if (!task.ok) return task;
  const events = task.value.isCarrying ? deliveryOf(project, task.value, poiId, at) : [];
  return events.length === 0
    ? refuse("task.status", `${taskId} has nothing to deliver`)
    : accept(events);
}

/** What was made for a task and not delivered yet, put on the shelf and up for review. */
export function deliveryOf(
  { artifacts }: Project,
  { taskId, assignee: agentId }: Task,
  poiId: string,
  at: number,
): readonly ProjectEvent[] {
  const made = artifacts.filter((each) => each.taskId === taskId && each.status === "created");
  if (made.length === 0) return [];
  const artifactIds = made.map(({ artifactId }) => artifactId);
  return [
    ...made.map(({ artifactId, version }) => {
      const delivery = { artifactId, taskId, agentId, version, poiId };
      return { type: "project.artifact_delivered", at, ...delivery } as const;
    }),
    { type: "project.review_requested", at, taskId, artifactIds },
  ];
}
