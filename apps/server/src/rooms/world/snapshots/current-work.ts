/** What each agent has in hand, as far as its pose is concerned. */
import type { AgentState, Project, Task, Work } from "@atrium/core";

export interface CurrentWork {
  readonly work: Work;
  readonly taskId: string | null;
}

/** What counts when an agent has more than one thing to do: the first of these. */
const URGENCY: readonly Work[] = ["carrying", "working", "blocked", "meeting", "paused", "none"];

export function currentWork(projects: Iterable<Project>): ReadonlyMap<string, CurrentWork> {
  const byAgent = new Map<string, CurrentWork>();
  const note = (agentId: string, next: CurrentWork): void => {
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
export function workIn(state: AgentState, isGuest: boolean): Work {
  switch (state) {
    case "thinking":
    case "acting":
      return "working";
    case "waiting":
      return "blocked";
    case "error":
      // One of the crew whose answer failed is free for the next; a guest that says so is stuck until it says otherwise.
      return isGuest ? "blocked" : "none";
    case "idle":
    case "done":
      return "none";
  }
}

export interface WorkStanding {
  /** It has asked for something, and nobody has answered. */
  readonly isAsking: boolean;
  readonly hasFailed: boolean;
  readonly isInReview: boolean;
}

const NOTHING: WorkStanding = { isAsking: false, hasFailed: false, isInReview: false };

/** What became of the work of each, and whether it waits for an answer. */
export function standingsIn(projects: Iterable<Project>): (agentId: string) => WorkStanding {
  const byAgent = new Map<string, WorkStanding>();
  const note = (agentId: string | null, change: Partial<WorkStanding>): void => {
    if (agentId === null) return;
    byAgent.set(agentId, { ...(byAgent.get(agentId) ?? NOTHING), ...change });
  };
  for (const { endedAt, tasks, decisions } of projects) {
    if (endedAt !== null) continue;
    for (const { status, assignee } of tasks) {
      if (status === "failed") note(assignee, { hasFailed: true });
      else if (status === "in_review") note(assignee, { isInReview: true });
    }
    for (const { status, agentId } of decisions) {
      if (status === "open") note(agentId, { isAsking: true });
    }
  }
  return (agentId) => byAgent.get(agentId) ?? NOTHING;
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
