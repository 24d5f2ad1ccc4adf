/** Tasks by how they stand, in the order of work; empty columns are left out. Pure. */
import type { WorldTask } from "@atrium/wire/world";

const ORDER: readonly WorldTask["status"][] = [
  "blocked",
  "planned",
  "assigned",
  "in_progress",
  "in_review",
  "failed",
  "done",
  "cancelled",
];

export interface Column {
  readonly status: WorldTask["status"];
  readonly tasks: readonly WorldTask[];
}

export function columnsOf(tasks: readonly WorldTask[]): readonly Column[] {
  return ORDER.map((status) => ({
    status,
    tasks: tasks.filter((task) => task.status === status),
  })).filter((column) => column.tasks.length > 0);
}

const GIVABLE: ReadonlySet<WorldTask["status"]> = new Set([
  "planned",
  "assigned",
  "in_progress",
  "blocked",
  "failed",
]);

/** Whether it can still be given to someone; what failed is begun again by whoever gets it. */
export function isGivable({ status }: WorldTask): boolean {
  return GIVABLE.has(status);
}
