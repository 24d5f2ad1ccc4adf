/** Which task comes after which. */
import type { Project, Task } from "./entities.ts";

/** What a task still waits for: what it comes after and is neither done nor given up. */
export function waitingFor(
  { tasks }: Pick<Project, "tasks">,
  { after }: Pick<Task, "after">,
): readonly string[] {
  return tasks.flatMap(({ taskId, status }) => {
    const isOver = status === "done" || status === "cancelled";
    return after.includes(taskId) && !isOver ? [taskId] : [];
  });
}

/** Those that wait for each other, so that none could ever start; undefined: there are none. */
export function cycleIn<Id>(order: ReadonlyMap<Id, readonly Id[]>): readonly Id[] | undefined {
  const left = new Map(order);
  let count = 0;
  while (count !== left.size) {
    count = left.size;
    for (const [id, after] of left) {
      if (after.every((other) => !left.has(other))) left.delete(id);
    }
  }
  return count === 0 ? undefined : [...left.keys()];
}
