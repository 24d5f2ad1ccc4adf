import type { WorldTask } from "@atrium/wire/world";
import { useWorld } from "../../../app/app.ts";

/** Another one when something may have been written for the task since. */
export function useFilesVersion({ task_id: taskId, status }: WorldTask): string {
  const lastResult = useWorld(
    ({ calls }) =>
      calls.findLast(({ event }) => event.task_id === taskId && event.name === "tool_returned")
        ?.seq,
  );
  return `${status} ${lastResult}`;
}
