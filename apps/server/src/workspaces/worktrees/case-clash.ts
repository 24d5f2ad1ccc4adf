/** Disks that do not tell upper from lower case cannot hold every tree. */
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { accept, refuse, type Outcome } from "@atrium/core";
import { gitIn } from "../git/commits.ts";
import { refusalOf } from "../git/git-refusal.ts";
import type { GitKit } from "../git/git-settings.ts";
import { splitNul } from "../git/git.ts";

export async function checkCase(
  { git, places }: GitKit,
  store: string,
  tree: string,
): Promise<Outcome<unknown>> {
  // The name of a folder of ours, in capitals: only such a disk finds it.
  const shouted = join(dirname(places.stores), "STORES");
  const isBlind = await stat(shouted).then(
    () => true,
    () => false,
  );
  if (!isBlind) return accept(undefined);
  const listed = await git.run(gitIn(store, "ls-tree", "-r", "-t", "-z", "--name-only", tree));
  if (!listed.ok) return refusalOf(listed);
  const seen = new Map<string, string>();
  for (const path of splitNul(listed.stdout)) {
    const key = path.toLowerCase();
    const other = seen.get(key);
    if (other !== undefined) {
      return refuse("repository.unreadable", `this disk cannot hold ${other} beside ${path}`);
    }
    seen.set(key, path);
  }
  return accept(undefined);
}
