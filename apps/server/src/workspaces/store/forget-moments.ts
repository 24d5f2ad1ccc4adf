/**
 * Drops what nothing refers to any more, once the refs of a task are gone. Whoever calls it is alone in the
 * store: what is being written has no ref yet.
 *
 * What is in an index of ours and in no moment, because one was cut short, is given a ref meanwhile. Packs
 * that are shared with the repository a person attached, or are large as only its history is, stay as they
 * are: to write them anew would copy all of it.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { accept, type Outcome } from "@atrium/core";
import { gitIn } from "../git/commits.ts";
import type { GitSite } from "../git/enclosed-git.ts";
import { outcomeOf, refusalOf } from "../git/git-refusal.ts";
import { textOf, type Git } from "../git/git.ts";
import { writeRefs } from "../git/write-refs.ts";
import { branchRef, CONFLICTS, momentsRef, originRef, sealedRefs, startRef } from "./refs.ts";

const KEPT = "refs/atrium/kept/";
const MAX_REWRITTEN_BYTES = 128 * 1024 * 1024;

export async function dropRefs(
  git: Git,
  gitDir: string,
  workspaceId: string,
): Promise<Outcome<unknown>> {
  const sealed = await listRefs(git, gitDir, [sealedRefs(workspaceId)]);
  if (!sealed.ok) return sealed;
  const contained = sealed.value.map((ref) => `--contains=${ref}`);
  const none: Outcome<readonly string[]> = accept([]);
  const conflicts =
    contained.length === 0 ? none : await listRefs(git, gitDir, [...contained, CONFLICTS]);
  if (!conflicts.ok) return conflicts;
  const own = [momentsRef, startRef, originRef, branchRef].map((refOf) => refOf(workspaceId));
  const refs = [...own, ...sealed.value, ...conflicts.value];
  return writeRefs(
    git,
    gitDir,
    refs.map((ref) => ({ ref, to: null })),
  );
}

async function listRefs(
  git: Git,
  gitDir: string,
  which: readonly string[],
): Promise<Outcome<readonly string[]>> {
  const listed = await git.run(gitIn(gitDir, "for-each-ref", "--format=%(refname)", ...which));
  if (!listed.ok) return refusalOf(listed);
  return accept(
    textOf(listed.stdout)
      .split("\n")
      .filter((ref) => ref !== ""),
  );
}

/** `sites`: the worktrees of this store. */
export async function pruneStore(
  git: Git,
  gitDir: string,
  sites: readonly GitSite[],
): Promise<Outcome<unknown>> {
  const kept: { readonly ref: string; readonly to: string }[] = [];
  for (const [at, site] of sites.entries()) {
    const tree = await git.run(["write-tree"], { site });
    if (!tree.ok) return refusalOf(tree);
    kept.push({ ref: `${KEPT}${at}`, to: textOf(tree.stdout) });
  }
  const held = await writeRefs(git, gitDir, kept);
  if (!held.ok) return held;
  const dropped = await drop(git, gitDir);
  const freed = await writeRefs(
    git,
    gitDir,
    kept.map(({ ref }) => ({ ref, to: null })),
  );
  return dropped.ok ? freed : dropped;
}

async function drop(git: Git, gitDir: string): Promise<Outcome<unknown>> {
  const large = (await packsToKeep(gitDir)).map((name) => `--keep-pack=${name}`);
  const repack = gitIn(gitDir, "repack", "-a", "-d", "-l", "--quiet", ...large);
  const packed = await git.run(repack);
  if (!packed.ok) return refusalOf(packed);
  return outcomeOf(await git.run(gitIn(gitDir, "prune", "--expire=now")));
}

async function packsToKeep(gitDir: string): Promise<readonly string[]> {
  const folder = join(gitDir, "objects/pack");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".pack"));
  const abouts = await Promise.all(names.map((name) => stat(join(folder, name))));
  return names.filter((_, at) => {
    const about = abouts[at];
    return about !== undefined && (about.nlink > 1 || about.size > MAX_REWRITTEN_BYTES);
  });
}
