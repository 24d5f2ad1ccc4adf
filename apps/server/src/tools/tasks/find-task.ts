/** A task of a project, by its id or by its number in the plan. */
import type { Project, Task } from "@atrium/core";
import { oneLine } from "./describe-artifact.ts";

export const NO_PROJECT = "You do not work on a task of a project.";

export function findTask({ tasks }: Project, wanted: string): Task | undefined {
  return (
    tasks.find((each) => each.taskId === wanted) ??
    tasks.find((_each, at) => String(at + 1) === wanted)
  );
}

export function unknownTask({ tasks }: Project): string {
  const lines = tasks.map(
    ({ taskId, title, status }, at) => `${at + 1}. ${oneLine(title)} (${taskId}, ${status})`,
  );
  return `The project has no such task. Its tasks:\n${lines.join("\n")}`;
}
