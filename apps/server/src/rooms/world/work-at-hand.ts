/** What each agent has in hand, as far as its pose is concerned. */
import type { AgentState, Project, Task, Work } from "@atrium/core";

export interface AtHand {
  readonly work: Work;
  readonly taskId: string | null;
}

/** What counts when an agent has more than one thing to do: the first of these. */
const URGENCY: readonly Work[] = ["carrying", "working", "blocked", "meeting", "paused", "none"];

export function workAtHand(projects: Iterable<Project>): ReadonlyMap<string, AtHand> {
  const byAgent = new Map<string, AtHand>();
  const note = (agentId: string, next: AtHand): void => {
    const before = byAgent.get(agentId);
    const isMore =
      before === undefined || URGENCY.indexOf(next.work) < URGENCY.indexOf(before.work);
    if (isMore) byAgent.set(agentId, next);
  };
  for (const project of projects) {
    if (project.endedAt !== null) continue;
    if (project.status === "kickoff") {
      for (const agentId of project.participants) note(agentId, { work: "meeting", taskId: null });
    }
    for (const task of project.tasks) {
      const work = workOn(task, project.status === "paused");
      if (task.assignee !== null && work !== undefined) {
        note(task.assignee, { work, taskId: task.taskId });
      }
    }
  }
  return byAgent;
}

/** For who works on no task: a chat, a build, or whatever an agent from outside tells of itself. */
export function workIn(state: AgentState): Work {
  switch (state) {
    case "thinking":
    case "acting":
      return "working";
    case "waiting":
    case "error":
      return "blocked";
    case "idle":
    case "done":
      return "none";
  }
}

function workOn({ status, isCarrying }: Task, isPaused: boolean): Work | undefined {
  switch (status) {
    case "in_progress":
      if (isPaused) return "paused";
      return isCarrying ? "carrying" : "working";
    case "blocked":
      return isPaused ? "paused" : "blocked";
    case "planned":
    case "assigned":
    case "in_review":
    case "done":
    case "failed":
    case "cancelled":
      return undefined;
  }
}
