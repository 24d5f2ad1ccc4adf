/** A zone as it stands in the address, who is in it, and what can be done with them. Pure. */
import type { WorldProject, WorldTask } from "@atrium/wire/world";
import { isWithin, type Bounds } from "../../../office/marks/floor-marks.ts";
import type { Figure } from "../../../office/people/figures.ts";

export function zoneText({ x, z, width, depth }: Bounds): string {
  return [x, z, width, depth].join(",");
}

export function readZone(text: string): Bounds | undefined {
  const numbers = text.split(",").map(Number);
  const [x, z, width, depth] = numbers;
  if (numbers.length !== 4 || !numbers.every(Number.isFinite)) return undefined;
  if (x === undefined || z === undefined || width === undefined || depth === undefined) {
    return undefined;
  }
  return width < 0 || depth < 0 ? undefined : { x, z, width, depth };
}

export function peopleIn(bounds: Bounds, figures: readonly Figure[]): readonly Figure[] {
  return figures.filter(({ whereabouts: { pos } }) => isWithin({ x: pos[0], z: pos[2] }, bounds));
}

export function waitingTasks(tasks: readonly WorldTask[]): readonly WorldTask[] {
  return tasks.filter(({ status, assignee }) => status === "planned" && assignee === undefined);
}

const AT_HAND: ReadonlySet<WorldTask["status"]> = new Set(["assigned", "in_progress", "blocked"]);

/** Who gets which: always the one with the least to do, the first of them when they are even. */
export function distributeTasks(
  taskIds: readonly string[],
  agentIds: readonly string[],
  tasks: readonly WorldTask[],
): readonly { readonly taskId: string; readonly agentId: string }[] {
  const load = new Map(
    agentIds.map((agentId) => [
      agentId,
      tasks.filter(({ assignee, status }) => assignee === agentId && AT_HAND.has(status)).length,
    ]),
  );
  return taskIds.flatMap((taskId) => {
    const [least] = [...load].toSorted(([, one], [, other]) => one - other);
    if (least === undefined) return [];
    const [agentId, count] = least;
    load.set(agentId, count + 1);
    return [{ taskId, agentId }];
  });
}

/** What these people have at hand, of which projects. */
export function projectsOf(
  agentIds: ReadonlySet<string>,
  tasks: readonly WorldTask[],
  projects: readonly WorldProject[],
): readonly WorldProject[] {
  const ids = new Set(
    tasks
      .filter(({ assignee, status }) => agentIds.has(assignee ?? "") && AT_HAND.has(status))
      .map(({ project_id }) => project_id),
  );
  return projects.filter(
    ({ project_id, status }) =>
      ids.has(project_id) && (status === "executing" || status === "paused"),
  );
}
