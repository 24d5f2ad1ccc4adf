import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { SharedFolderClaimed } from "./shared-folder.ts";

export const SHARED_FOLDER_EVENTS: EventDeclarations<SharedFolderClaimed> = {
  "shared-folder.claimed": v1({ folderId: "string", path: "string", node: "string" }),
};
