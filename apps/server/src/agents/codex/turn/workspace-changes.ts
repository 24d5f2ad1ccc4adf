/** Which changes of files are of the workspace only. */
import { locate } from "../../../platform/folder-files.ts";
import type { PatchedFile } from "./file-changes.ts";

/** Whether all of it stays in the folder, and is none of git's data. */
export async function staysIn(folder: string, changes: readonly PatchedFile[]): Promise<boolean> {
  const paths = changes.flatMap(({ path, movedTo }) =>
    movedTo === undefined ? [path] : [path, movedTo],
  );
  try {
    for (const path of paths) await locate(folder, path);
    return true;
  } catch {
    // What leads elsewhere is for people to see.
    return false;
  }
}
