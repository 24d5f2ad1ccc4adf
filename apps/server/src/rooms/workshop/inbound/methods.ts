/** What can be wanted of workspaces, by whichever door: the gateway's sockets and plain HTTP call the same. */
import { accept, type Answerer, type Outcome } from "@atrium/core";
import { workspaceFork, workspaceRestore } from "@atrium/wire/gateway";
import { implement, type Caller, type Method } from "../../../pipeline/method-router.ts";
import type { WorkspaceReceipt } from "../../../workshop/restore-files.ts";
import type { WorkspaceCommands } from "../../../workshop/workspace-commands.ts";

export interface WorkspaceMethods<Who extends Caller> {
  readonly restore: Method<Who>;
  readonly fork: Method<Who>;
}

export function workspaceMethods<Who extends Caller>(
  commands: WorkspaceCommands,
  answererOf: (caller: Who) => Answerer,
): WorkspaceMethods<Who> {
  return {
    restore: implement<typeof workspaceRestore, Who>(
      workspaceRestore,
      async ({ workspace: workspaceId, seq }, { caller, key }) =>
        view(await commands.restore({ workspaceId, seq }, answererOf(caller), key)),
    ),
    fork: implement<typeof workspaceFork, Who>(
      workspaceFork,
      async ({ workspace: workspaceId, seq, instructions = "" }, { caller, key }) => {
        const wanted = { workspaceId, seq, instructions: instructions.trim() || null };
        return view(await commands.fork(wanted, answererOf(caller), key));
      },
    ),
  };
}

function view(done: Outcome<WorkspaceReceipt>): Outcome<{ workspace: string; seq: number }> {
  return done.ok ? accept({ workspace: done.value.workspaceId, seq: done.value.seq }) : done;
}
