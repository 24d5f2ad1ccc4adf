/**
 * A server that may do everything delivers into repositories of others: what it adds must be theirs, or they
 * could not go on in it.
 */
import { chown, lstat, readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { textOf, type Git } from "../git/git.ts";

export async function giveToOwner(git: Git, path: string, branch?: string): Promise<void> {
  const self = process.getuid?.();
  const found = await git.run(["-C", path, "rev-parse", "--git-common-dir"]);
  if (!found.ok) return;
  const gitDir = resolve(path, textOf(found.stdout));
  const { uid, gid } = await stat(gitDir);
  if (self === undefined || self === uid) return;
  const packs = join(gitDir, "objects/pack");
  const made = (await readdir(packs)).map((name) => join(packs, name));
  if (branch !== undefined) {
    for (const folder of ["refs/heads", "logs/refs/heads"]) {
      const parts = branch.split("/");
      made.push(...parts.map((_, at) => join(gitDir, folder, ...parts.slice(0, at + 1))));
    }
    made.push(...["logs", "logs/refs", "logs/refs/heads"].map((name) => join(gitDir, name)));
  }
  for (const file of made) {
    const about = await lstat(file).catch(() => undefined);
    if (about?.uid === self) await chown(file, uid, gid);
  }
}

/** Whether somebody else's checkout would get files of ours. */
export async function isOfAnother(folder: string): Promise<boolean> {
  const { uid } = await stat(folder);
  return uid !== process.getuid?.();
}
