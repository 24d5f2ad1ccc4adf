/** Which tasks have files by a moment, and which of them the work is on then. Pure. */
import type { WorldTask } from "@atrium/wire/world";
import type { Moment } from "../../../world/moments.ts";

/** What is told of a task by someone who is at its files. */
const AT_WORK: ReadonlySet<string> = new Set([
  "task_started",
  "task_progress",
  "task_blocked",
  "artifact_created",
  "work_finished",
  "files_restored",
]);

/** The task of the newest work by then: the last one in `moments` up to and with `until`. */
export function workedOn(moments: readonly Moment[], until: number): string | undefined {
  for (let at = Math.min(until, moments.length - 1); at >= 0; at -= 1) {
    const event = moments[at]?.event;
    if (event !== undefined && AT_WORK.has(event.name) && "task_id" in event) return event.task_id;
  }
  return undefined;
}

/** Nobody has worked on what was only planned or handed out. */
export function withFiles(tasks: readonly WorldTask[]): readonly WorldTask[] {
  return tasks.filter(({ attempts, forked_from }) => attempts > 0 || forked_from !== undefined);
}
