/**
 * Work that is finished is there to be reviewed in the same moment: nobody waits for the walk to the shelf. A change that
 * is to be checked is delivered with the results.
 */
import { accept, refuse, type Outcome } from "../../engine/refusal.ts";
import type { ProjectCommandOf } from "../model/commands.ts";
import type { Project, Task } from "../model/entities.ts";
import type { ProjectEvent } from "../model/events.ts";
import { taskOfRun, taskThatCan } from "../model/moves.ts";
import { taskOf } from "../model/parts.ts";

type Decided = Outcome<readonly ProjectEvent[]>;

export function finishWork(
  project: Project,
  { at, taskId, runId, usage, poiId, checks = [] }: ProjectCommandOf<"finish-work">,
): Decided {
  const known = taskOf(project, taskId);
  if (known?.runId === runId && (known.isCarrying || known.status === "in_review")) {
    return accept([]);
  }
  const task = taskOfRun(project, taskId, runId, "deliver");
  if (!task.ok) return task;
  const finished = { type: "project.work_finished", at, taskId, runId, usage } as const;
  const change = project.artifacts.find(
    ({ taskId: of, status, versions }) =>
      of === taskId && status === "created" && versions.at(-1)?.change !== undefined,
  );
  if (change === undefined || checks.length === 0) {
    return accept([finished, ...deliveryOf(project, task.value, poiId, at)]);
  }
  const { artifactId, version } = change;
  const started = { taskId, artifactId, version, names: checks };
  return accept([finished, { type: "project.checks_started", at, ...started }]);
}

/** For work that an earlier version left on its way to the shelf. */
export function deliver(
  project: Project,
  { at, taskId, poiId }: ProjectCommandOf<"deliver">,
): Decided {
  const task = taskThatCan(project, taskId, "deliver");
  if (!task.ok) return task;
  if (task.value.isChecking) return refuse("task.status", `${taskId} is being checked`);
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
