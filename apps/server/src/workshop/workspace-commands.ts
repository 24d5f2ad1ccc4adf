/** What people ask of a workspace, whichever door they come by. */
import type { ForkWork } from "./fork-work.ts";
import type { RestoreFiles } from "./restore-files.ts";

export interface WorkspaceCommands {
  readonly restore: RestoreFiles;
  readonly fork: ForkWork;
}
