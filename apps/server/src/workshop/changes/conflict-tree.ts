/** What a change that resolves a conflict was made from: the files with marks, which its reviewers compare it with. */
import { streamOf, workspace } from "@atrium/core";
import type { Log } from "@atrium/log";

export type FindConflictTree = (workspaceId: string, base: string) => Promise<string | undefined>;

/** Undefined: it was not put onto that commit because of a conflict. */
export function createFindConflictTree(log: Pick<Log, "read">): FindConflictTree {
  return async (workspaceId, base) => {
    const stream = streamOf(workspace, workspaceId);
    for await (const entry of log.read({ stream, backwards: true })) {
      if (entry.type !== "workspace.rebased") continue;
      const event = workspace.read(entry);
      if (event.type !== "workspace.rebased") continue;
      return event.base === base ? event.tree : undefined;
    }
    return undefined;
  };
}
