/** What the work in a workspace started from, read from where the log first says so. */
import type { Log } from "@atrium/log";
import { streamOf } from "../engine/dispatch.ts";
import { workspace, type WorkspaceStart } from "./workspace.ts";

/** Undefined: it never was ready. */
export async function findWorkspaceStart(
  log: Pick<Log, "read">,
  workspaceId: string,
): Promise<WorkspaceStart | undefined> {
  for await (const entry of log.read({ stream: streamOf(workspace, workspaceId) })) {
    const event = workspace.read(entry);
    if (event.type !== "workspace.ready") continue;
    const { base, tree, ms } = event;
    return { base, tree, ms };
  }
  return undefined;
}
