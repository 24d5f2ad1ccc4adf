/**
 * The person's own branch, moved on to the line: only where nothing of the person's could be lost or mixed
 * up, and the answer says what is in the way. Where it is checked out, git itself moves it, with that
 * person's settings and hooks.
 */
import { access, lstat } from "node:fs/promises";
import { resolve } from "node:path";
import { accept, refuse, type Outcome, type Refusal } from "@atrium/core";
import { gitIn } from "../git/commits.ts";
import { refusalOf } from "../git/git-refusal.ts";
import { splitNul, textOf, type Git } from "../git/git.ts";
import type { DeliveryTools } from "./deliver.ts";
import { isOfAnother } from "./give-to-owner.ts";
import type { LineOffer } from "./offer.ts";
import { fetchInto, isBehind, readBranches, readHead } from "./person-repository.ts";

/** What git leaves while something is under way, and what it is. */
const UNDER_WAY: readonly (readonly [string, string])[] = [
  ["MERGE_HEAD", "a merge"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["BISECT_LOG", "a bisection"],
];

const unsafe = (why: string): Refusal => refuse("delivery.unsafe", why);

/** The branch. */
export async function fastForward(
  tools: DeliveryTools,
  offer: LineOffer,
): Promise<Outcome<string>> {
  const { kit, person, store, line, path } = tools;
  const head = await readHead(kit.git, path);
  if (!head.ok) return head;
  const branch = tools.base ?? head.value;
  if (branch === undefined) return unsafe(`no branch is checked out in ${path}`);
  const branches = await readBranches(kit.git, path);
  if (!branches.ok) return branches;
  const known = branches.value.get(branch);
  if (known === undefined) return unsafe(`there is no branch ${branch} in ${path}`);
  if (known.commit === line.commit) return accept(branch);
  const grows = await isBehind(kit.git, store, known.commit, line.commit);
  if (!grows.ok) return grows;
  if (!grows.value) {
    return unsafe(`${branch} has moved on; bring the project up to date first`);
  }
  if (known.folder === null) {
    const fetched = await fetchInto(kit.git, path, offer, branch);
    return fetched.ok ? accept(branch) : fetched;
  }
  const isClean = await checkFolder(person.git, known.folder);
  if (!isClean.ok) return isClean;
  const isClear = await checkNewFiles(tools, known.folder, known.commit);
  if (!isClear.ok) return isClear;
  const fetched = await fetchInto(kit.git, path, offer);
  if (!fetched.ok) return fetched;
  const how = ["merge", "--quiet", "--ff-only", "--no-autostash", line.commit];
  const merged = await person.git.run(["-C", known.folder, "-c", "gc.auto=0", ...how]);
  return merged.ok ? accept(branch) : refusalOf(merged, "delivery.unsafe");
}

async function checkFolder(git: Git, folder: string): Promise<Outcome<void>> {
  if (await isOfAnother(folder)) {
    return unsafe(`${folder} belongs to another user than the server; deliver a branch`);
  }
  const names = UNDER_WAY.flatMap(([name]) => ["--git-path", name]);
  const paths = await git.run(["-C", folder, "rev-parse", ...names]);
  if (!paths.ok) return refusalOf(paths, "delivery.unsafe");
  for (const [at, file] of textOf(paths.stdout).split("\n").entries()) {
    const isThere = await access(resolve(folder, file)).then(
      () => true,
      () => false,
    );
    if (isThere) return unsafe(`${UNDER_WAY[at]?.[1]} is under way in ${folder}; end it first`);
  }
  const status = await git.run(["-C", folder, "status", "--porcelain", "--untracked-files=no"]);
  if (!status.ok) return refusalOf(status, "delivery.unsafe");
  return status.stdout.length === 0
    ? accept(undefined)
    : unsafe(`${folder} has changes that are not committed; commit or stash them first`);
}

/** Git would put them over files of the same name that it was told to ignore. */
async function checkNewFiles(
  { kit, store, line }: DeliveryTools,
  folder: string,
  from: string,
): Promise<Outcome<void>> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", "--diff-filter=A"];
  const listed = await kit.git.run(gitIn(store.gitDir, ...args, from, line.commit));
  if (!listed.ok) return refusalOf(listed);
  for (const path of splitNul(listed.stdout, "latin1")) {
    const file = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]);
    const about = await lstat(file).catch(() => undefined);
    if (about !== undefined && !about.isDirectory()) {
      return unsafe(`${file.toString("utf8")} is in the way; move it first`);
    }
  }
  return accept(undefined);
}
