/** Whom the tasks of a plan would go to, as the server hands them out; and their numbers in the plan. Pure. */
import type { Snapshot } from "@atrium/client";
import { assignAll } from "@atrium/core";
import type { WorldAgent, WorldTask } from "@atrium/wire/world";

/** By task. */
export type People = ReadonlyMap<string, string>;

const TO_DO: ReadonlySet<string> = new Set(["assigned", "in_progress", "blocked"]);
const FRONT_DESK = "agent_bd";

/** Of those that wait to be handed out. */
export function proposedPeople(
  tasks: readonly WorldTask[],
  { agents, tasks: all }: Pick<Snapshot, "agents" | "tasks">,
): People {
  const waiting = tasks
    .filter(isUnassigned)
    .map(({ task_id: taskId, role = null }) => ({ taskId, role }));
  const candidates = workersOf(agents).map(({ agent_id: agentId, role }) => ({
    agentId,
    role,
    load: all.filter(({ assignee, status }) => assignee === agentId && TO_DO.has(status)).length,
  }));
  return new Map(assignAll(waiting, candidates).map(({ taskId, agentId }) => [taskId, agentId]));
}

export function isUnassigned({ status, assignee }: WorldTask): boolean {
  return status === "planned" && assignee === undefined;
}

/** The front desk has people to talk to, and works only where there is nobody else. */
function workersOf(agents: readonly WorldAgent[]): readonly WorldAgent[] {
  const crew = agents.filter(({ is_visitor }) => is_visitor !== true);
  const desk = crew.find(({ agent_id }) => agent_id === FRONT_DESK) ?? crew[0];
  return crew.length > 1 ? crew.filter((each) => each !== desk) : crew;
}

/** Counted from 1, in the order of the plan. */
export function numbersOf(tasks: readonly WorldTask[]): ReadonlyMap<string, number> {
  return new Map(tasks.map(({ task_id }, at) => [task_id, at + 1]));
}

/** In its place: `task` moved to where `target` is. */
export function movedTo(ids: readonly string[], task: string, target: string): readonly string[] {
  const to = ids.indexOf(target);
  const others = ids.filter((id) => id !== task);
  return to === -1 || task === target ? ids : others.toSpliced(to, 0, task);
}
