/** The commit that a workspace stood on at a position of the log. */
import type { Log } from "@atrium/log";
import { streamOf } from "../engine/dispatch.ts";
import { workspace } from "./workspace.ts";

/** Undefined: it was not ready by then. */
export async function findWorkspaceBase(
  log: Pick<Log, "read">,
  workspaceId: string,
  seq: number,
): Promise<string | undefined> {
  const stream = streamOf(workspace, workspaceId);
  for await (const entry of log.read({ stream, before: seq + 1, backwards: true })) {
    const event = workspace.read(entry);
    if (event.type === "workspace.ready" || event.type === "workspace.rebased") return event.base;
  }
  return undefined;
}
