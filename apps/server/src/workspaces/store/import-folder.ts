/**
 * A folder that is no repository, as a commit of the store. The folder gets no `.git` and nothing in it
 * changes; secrets and large files stay out, as in every moment.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { accept, type Outcome } from "@atrium/core";
import { commitTree, gitIn, readCommit } from "../git/commits.ts";
import { outcomeOf } from "../git/git-refusal.ts";
import type { GitKit } from "../git/git-settings.ts";
import { ObjectReader } from "../git/object-reader.ts";
import { takeSnapshot } from "../snapshot/snapshot.ts";
import { BASE_REF } from "./refs.ts";

export async function importFolder(
  { git, timers }: GitKit,
  gitDir: string,
  folder: string,
): Promise<Outcome<unknown>> {
  const index = join(gitDir, "import.index");
  // Made anew each time: what has gone from the folder has to go from the base.
  await rm(index, { force: true });
  const objects = new ObjectReader(git, gitDir, timers);
  try {
    const taken = await takeSnapshot({ git, objects }, { gitDir, folder, index });
    if (!taken.ok) return taken;
    const { tree } = taken.value;
    const known = await readCommit(git, gitDir, BASE_REF);
    if (known.ok && known.value.tree === tree) return accept(undefined);
    const parents = known.ok ? [known.value.commit] : [];
    const commit = await commitTree(gitDir, { tree, parents, message: "As found", at: 0 });
    return outcomeOf(await git.run(gitIn(gitDir, "update-ref", BASE_REF, commit)));
  } finally {
    objects.close();
    await rm(index, { force: true });
  }
}
