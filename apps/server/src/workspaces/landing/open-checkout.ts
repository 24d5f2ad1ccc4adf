/**
 * A folder with the files of one commit and nothing else. It is never recorded as finished, so one that a
 * killed life left is cleared away by the next.
 */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { accept, type Outcome } from "@atrium/core";
import type { WorkspaceAccess } from "../access/access.ts";
import { gitIn, readCommitFacts } from "../git/commits.ts";
import { refusalOf } from "../git/git-refusal.ts";
import type { Checkout } from "../port/landing.ts";
import { runInPlace } from "../snapshot/snapshot.ts";
import type { Store } from "../store/store.ts";
import { checkCase } from "../worktrees/case-clash.ts";
import { removeFolder } from "../worktrees/remove-folder.ts";

export async function openCheckout(
  access: WorkspaceAccess,
  { id, gitDir: store, objects }: Store,
  commit: string,
): Promise<Outcome<Checkout>> {
  const { git, places } = access.kit;
  const found = await readCommitFacts(objects, commit);
  if (!found.ok) return found;
  const { tree } = found.value;
  const fits = await checkCase(access.kit, store, tree);
  if (!fits.ok) return fits;
  const name = `check-${randomUUID()}`;
  const folder = join(places.worktrees, name);
  const gitDir = join(store, "worktrees", name);
  const remove = async (): Promise<void> => {
    await removeFolder(folder, places.trash);
    await rm(gitDir, { recursive: true, force: true });
  };
  const args = ["worktree", "add", "--force", "--no-checkout", "--detach", folder, commit];
  const added = await access.inRepository(id, () => git.run(gitIn(store, ...args)));
  const site = { folder, gitDir, index: join(gitDir, "index"), store };
  const filled = added.ok
    ? await runInPlace(git, site, ["read-tree", "--reset", "-u", tree])
    : added;
  if (!filled.ok) {
    await remove();
    return refusalOf(filled);
  }
  const gitFile = join(folder, ".git");
  return accept({ folder, gitFile, store, commit, tree, [Symbol.asyncDispose]: remove });
}
