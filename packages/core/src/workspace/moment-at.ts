/**
 * The files of a workspace at a position of the log: the newest entry at or before it that says what they
 * were. The newest of all is known; an earlier one is found by reading backwards from there in the streams
 * that can have it, which are the workspace's own and those of the conversations in which it was worked.
 */
import type { Log } from "@atrium/log";
import { conversation } from "../conversation/conversation.ts";
import { streamOf } from "../engine/dispatch.ts";
import { workspace } from "./workspace.ts";
import { treeIn, type Moment, type WorkspaceRow } from "./workspaces.ts";

/** Undefined: there were no files yet. */
export type MomentAt = (row: WorkspaceRow, seq: number) => Promise<Moment | undefined>;

export function createMomentAt(log: Pick<Log, "read">): MomentAt {
  async function newestIn(stream: string, after: number, seq: number): Promise<Moment | undefined> {
    for await (const entry of log.read({ stream, after, before: seq + 1, backwards: true })) {
      const tree = treeIn(entry);
      if (tree !== undefined) return { seq: entry.seq, tree };
    }
    return undefined;
  }

  return async ({ workspaceId, newest, talks }, seq) => {
    if (newest === null) return undefined;
    if (newest.seq <= seq) return newest;
    let found = await newestIn(streamOf(workspace, workspaceId), 0, seq);
    for (const { key, since } of talks) {
      const after = Math.max(since - 1, found?.seq ?? 0);
      if (after < seq) found = (await newestIn(streamOf(conversation, key), after, seq)) ?? found;
    }
    return found;
  };
}
