/**
 * Clears away what an earlier life left when it was killed: gits that still run, locks nobody holds,
 * stores and worktrees that were not finished, and folders that were on their way out.
 *
 * Only in what is ours. The locks of a repository that people attached are theirs.
 */
import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { accept, type Outcome } from "@atrium/core";
import { gitIn } from "./git/commits.ts";
import { refusalOf } from "./git/git-refusal.ts";
import type { GitKit } from "./git/git-settings.ts";
import { endOrphans } from "./git/orphans.ts";
import type { Recovery } from "./port/workspaces.ts";
import { DRAFT_PREFIX } from "./store/open-store.ts";
import { BRANCHES, branchRef } from "./store/refs.ts";
import { namesIn, readStoreIds, storeFolder } from "./store/store.ts";
import { removeFolder } from "./worktrees/remove-folder.ts";
import { nameOf, readWorktrees, type WorktreePlace } from "./worktrees/worktree-record.ts";

const LEFT_OVER = /\.lock$|^tmp_(?:obj|pack|idx|rev)_|^incoming-/;

/** `mayGoOn`: what another life, which lives, is doing. */
export async function recover(
  kit: GitKit,
  mayGoOn: (life: string) => boolean,
): Promise<Outcome<Recovery>> {
  const { places } = kit;
  const processes = await endOrphans(places.config, mayGoOn);
  const drafts = (await namesIn(places.stores)).filter((name) => name.startsWith(DRAFT_PREFIX));
  for (const name of drafts) await removeFolder(join(places.stores, name), places.trash);
  const ids = await readStoreIds(places);
  let locks = 0;
  for (const id of ids) locks += await removeLeftOvers(storeFolder(places, id));
  const { ready, unfinished } = await readWorktrees(places);
  const names = new Set(ready.map(nameOf));
  const strangers = (await namesIn(places.worktrees)).filter((name) => !names.has(name));
  for (const name of strangers) await removeFolder(join(places.worktrees, name), places.trash);
  for (const name of await namesIn(places.programs)) {
    if (!names.has(name)) await removeFolder(join(places.programs, name), places.trash);
  }
  for (const folder of unfinished) await rm(folder, { recursive: true, force: true });
  for (const folder of [places.offers, places.trash]) {
    for (const name of await namesIn(folder)) {
      await removeFolder(join(folder, name), places.trash);
    }
  }
  for (const id of ids) {
    const dropped = await dropBranches(kit, id, ready);
    if (!dropped.ok) return dropped;
  }
  const removed = new Set([...strangers, ...unfinished.map((folder) => basename(folder))]);
  return accept({ removed: [...removed, ...drafts], locks, processes });
}

async function removeLeftOvers(store: string): Promise<number> {
  const entries = await readdir(store, { recursive: true, withFileTypes: true });
  const found = entries.filter(({ name }) => LEFT_OVER.test(name));
  for (const { parentPath, name } of found) {
    await rm(join(parentPath, name), { recursive: true, force: true });
  }
  return found.length;
}

/** Of worktrees that were not finished. */
async function dropBranches(
  { git, places }: GitKit,
  id: string,
  ready: readonly WorktreePlace[],
): Promise<Outcome<unknown>> {
  const store = storeFolder(places, id);
  const listed = await git.run(gitIn(store, "for-each-ref", "--format=%(refname)", BRANCHES));
  if (!listed.ok) return refusalOf(listed);
  const used = new Set(ready.map(({ workspaceId }) => branchRef(workspaceId)));
  const lines = listed.stdout.toString("utf8").split("\n");
  const unused = lines.filter((ref) => ref !== "" && !used.has(ref));
  if (unused.length === 0) return accept(undefined);
  const input = unused.map((ref) => `delete ${ref}\0\0`).join("");
  const dropped = await git.run(gitIn(store, "update-ref", "-z", "--stdin"), { input });
  return dropped.ok ? accept(undefined) : refusalOf(dropped);
}
