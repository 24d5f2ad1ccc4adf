/**
 * Puts the files of a workspace back as they were:
 *
 *   files as they are (git, log) -> files as they were (git) -> restored (log)
 *
 * Each step looks first and can be repeated. Cut off before the last one, or no longer the director by
 * then, the files are back and the log does not know it: whoever asks again under the same key completes it, and the
 * next run records what it finds in any case.
 */
import {
  accept,
  findUndecidable,
  refuse,
  workspace,
  type Answerer,
  type Clock,
  type Dispatch,
  type Outcome,
  type WorkspaceCommand,
} from "@atrium/core";
import type { Key, Log } from "@atrium/log";
import type { Workspaces } from "../workspaces/port/workspaces.ts";
import type { FindMoment, FoundMoment } from "./find-moment.ts";

/** Whose files, and of when. */
export interface PastFiles {
  readonly workspaceId: string;
  readonly seq: number;
}

export interface WorkspaceReceipt {
  /** Of a fork: the new one. */
  readonly workspaceId: string;
  readonly seq: number;
}

export type RestoreFiles = (
  files: PastFiles,
  by: Answerer,
  once?: Key,
) => Promise<Outcome<WorkspaceReceipt>>;

export interface RestoreFilesDeps {
  readonly dispatch: Dispatch;
  readonly log: Pick<Log, "findKey">;
  readonly findMoment: Pick<FindMoment, "ofWorkspace">;
  readonly use: () => Promise<Workspaces>;
  /** Undefined while somebody works there. */
  readonly holdIfFree: (workspaceId: string) => Promise<(() => void) | undefined>;
  readonly clock: Clock;
}

export function createRestoreFiles(deps: RestoreFilesDeps): RestoreFiles {
  const { dispatch, log, findMoment, use, holdIfFree, clock } = deps;

  const tell = (id: string, command: WorkspaceCommand, once?: Key) =>
    dispatch(workspace, id, command, once);

  async function putBack(
    { workspace: row, tree }: FoundMoment,
    seq: number,
  ): Promise<Outcome<void>> {
    const { workspaceId, repositoryId } = row;
    const spaces = await use();
    const at = clock.now();
    const opened = await spaces.openWorktree({ repositoryId, workspaceId, at });
    if (!opened.ok) return opened;
    const label = `Restored to ${seq}`;
    const before = await spaces.recordMoment(workspaceId, { label: `Before: ${label}`, at });
    if (!before.ok) return before;
    if (before.value.tree !== row.newest?.tree) {
      const moment = { tree: before.value.tree, cause: "person", runId: null } as const;
      const entry = await tell(workspaceId, { type: "record", ...moment });
      if (!entry.ok) return entry;
    }
    const restored = await spaces.restoreMoment(workspaceId, tree, { label, at });
    return restored.ok ? accept(undefined) : restored;
  }

  return async ({ workspaceId, seq }, by, once) => {
    const undecided = findUndecidable({ by });
    if (undecided !== undefined) return refuse(undecided);
    const found = await findMoment.ofWorkspace(workspaceId, seq);
    if (!found.ok) return found;
    const { workspace: row, tree } = found.value;
    const tellRestored = async (): Promise<Outcome<WorkspaceReceipt>> => {
      const entry = await tell(workspaceId, { type: "restore", tree, fromSeq: seq, by }, once);
      return entry.ok ? accept({ workspaceId, seq: entry.value.position.seq }) : entry;
    };
    // Its answer was lost: what was worked since then stays.
    if (once !== undefined && (await log.findKey(once.id)) !== undefined) return tellRestored();
    if (row.state !== "ready") return refuse("workspace.status", `it is ${row.state}`);
    const release = await holdIfFree(workspaceId);
    if (release === undefined) return refuse("workspace.busy", workspaceId);
    try {
      const put = await putBack(found.value, seq);
      return put.ok ? await tellRestored() : put;
    } finally {
      release();
    }
  };
}
