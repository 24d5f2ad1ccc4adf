/** The tools that know what a task is part of: what it changed, and what the others made. */
import type { Tool } from "../toolbox.ts";
import { changesTool, type ChangesDeps } from "./changes.ts";
import { taskResultTool, type TaskResultDeps } from "./task-result.ts";

export type TaskToolsDeps = ChangesDeps & TaskResultDeps;

export function taskTools(deps: TaskToolsDeps): readonly Tool[] {
  return [changesTool(deps), taskResultTool(deps)];
}
