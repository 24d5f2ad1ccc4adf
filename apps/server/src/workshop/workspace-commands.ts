/** What people ask of a workspace, whichever door they come by. */
import { createForkWork, type ForkWork, type ForkWorkDeps } from "./fork-work.ts";
import { createRestoreFiles, type RestoreFiles, type RestoreFilesDeps } from "./restore-files.ts";

export interface WorkspaceCommands {
  readonly restore: RestoreFiles;
  readonly fork: ForkWork;
}

export function createWorkspaceCommands(deps: RestoreFilesDeps & ForkWorkDeps): WorkspaceCommands {
  return { restore: createRestoreFiles(deps), fork: createForkWork(deps) };
}
