/** Takes a worktree away; its moments stay. What is cut short is finished at the next start. */
import { rm } from "node:fs/promises";
import type { Outcome } from "@atrium/core";
import { gitIn } from "../git/commits.ts";
import { outcomeOf } from "../git/git-refusal.ts";
import type { GitKit } from "../git/git-settings.ts";
import { branchRef } from "../store/refs.ts";
import { removeFolder } from "./remove-folder.ts";
import { removeRecord, type WorktreePlace } from "./worktree-record.ts";

/** Not by `worktree remove`, which asks the folder first whose it is, and the folder is an agent's. */
export async function removeWorktree(
  { git, places }: GitKit,
  place: Pick<WorktreePlace, "gitDir" | "folder" | "programs" | "store" | "workspaceId">,
): Promise<Outcome<unknown>> {
  await removeRecord(place);
  await removeFolder(place.folder, places.trash);
  await removeFolder(place.programs, places.trash);
  await rm(place.gitDir, { recursive: true, force: true });
  const branch = branchRef(place.workspaceId);
  return outcomeOf(await git.run(gitIn(place.store, "update-ref", "-d", branch)));
}
