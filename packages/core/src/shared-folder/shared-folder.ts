/**
 * The folder that all nodes of one log see: what the log refers to and does not hold itself. The first node names it;
 * a node with another folder would not find what the others keep, so it is refused.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse } from "../engine/refusal.ts";
import { SHARED_FOLDER_EVENTS } from "./shared-folder-shapes.ts";

export interface SharedFolder {
  /** Kept in the folder itself. */
  readonly folderId: string;
  /** Where the node that named it sees it. */
  readonly path: string;
  readonly node: string;
}

export interface ClaimSharedFolder extends SharedFolder {
  readonly type: "claim";
}

export interface SharedFolderClaimed extends SharedFolder {
  readonly type: "shared-folder.claimed";
}

export const SHARED_FOLDER = "files";

export const sharedFolder: Aggregate<
  SharedFolder | undefined,
  ClaimSharedFolder,
  SharedFolderClaimed
> = {
  name: "shared-folder",
  onlyId: SHARED_FOLDER,
  initial: undefined,
  decide(present, { folderId, path, node }) {
    if (present === undefined) {
      return accept([{ type: "shared-folder.claimed", folderId, path, node }]);
    }
    if (present.folderId === folderId) return accept([]);
    return refuse(
      "shared-folder.differs",
      `${path} has the id ${folderId}; the nodes of this log share ${present.folderId}, which ${present.node} sees as ${present.path}`,
    );
  },
  evolve: (_present, { folderId, path, node }) => ({ folderId, path, node }),
  recall: 1,
  ...createCodec<SharedFolderClaimed>(SHARED_FOLDER_EVENTS),
};
