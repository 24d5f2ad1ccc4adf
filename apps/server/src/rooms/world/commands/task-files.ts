/** What people ask of the files of a task: that they are as they were, or another try from there. */
import { brokenGuard, refuse, type Projects } from "@atrium/core";
import { cleanText } from "../../../platform/clean-text.ts";
import type { WorkspaceCommands } from "../../../workshop/workspace-commands.ts";
import { guardsOf, type CommandHandlers } from "./command-context.ts";

export interface TaskFilesDeps {
  readonly projects: Pick<Projects, "ofTask">;
  readonly workspaceCommands: WorkspaceCommands;
}

type TaskFilesCommands = Pick<CommandHandlers, "restore_files" | "fork_task">;

export function createTaskFilesCommands(deps: TaskFilesDeps): TaskFilesCommands {
  const { projects, workspaceCommands } = deps;
  return {
    restore_files(data, { by, key }) {
      const { task_id: workspaceId, seq } = data;
      const found = projects.ofTask(workspaceId);
      if (found === undefined) return refuse("task.missing", workspaceId);
      const broken = brokenGuard(found.project, guardsOf(data), found.task);
      return broken ?? workspaceCommands.restore({ workspaceId, seq }, by, key);
    },
    fork_task(data, { by, key }) {
      const { task_id: workspaceId, seq, instructions = "" } = data;
      if (projects.ofTask(workspaceId) === undefined) return refuse("task.missing", workspaceId);
      const wish = cleanText(instructions) || null;
      const guards = guardsOf(data);
      return workspaceCommands.fork({ workspaceId, seq, instructions: wish, guards }, by, key);
    },
  };
}
