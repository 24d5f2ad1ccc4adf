/** The task that someone has and has not handed over yet. Pure. */
import type { Project, Projects, Task } from "@atrium/core";

export interface TaskInHand {
  readonly of: Project;
  readonly task: Task;
}

export function taskInHandOf(
  agentId: string,
  projects: Pick<Projects, "list">,
): TaskInHand | undefined {
  for (const of of projects.list()) {
    const task = of.tasks.find((each) => each.assignee === agentId && isInHand(each));
    if (task !== undefined) return { of, task };
  }
  return undefined;
}

/** What was handed over is out of its hands. */
function isInHand({ status, isChecking, isCarrying }: Task): boolean {
  const isUnderWay = status === "assigned" || status === "in_progress" || status === "blocked";
  return isUnderWay && !isChecking && !isCarrying;
}
