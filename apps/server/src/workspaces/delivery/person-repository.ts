/**
 * The repository that a person attached, as delivery sees it: its branches, where each is checked out, and a
 * fetch that adds to one branch and changes nothing else. Nothing is forced, and none of its hooks runs.
 */
import { accept, refuse, type Outcome } from "@atrium/core";
import { isAncestor } from "../git/commits.ts";
import { refusalOf } from "../git/git-refusal.ts";
import { textOf, type Git } from "../git/git.ts";
import type { Store } from "../store/store.ts";
import { giveToOwner } from "./give-to-owner.ts";
import type { LineOffer } from "./offer.ts";

export interface PersonBranch {
  readonly commit: string;
  /** Where it is checked out; null: nowhere. */
  readonly folder: string | null;
}

const QUIETLY = [
  "core.hooksPath=/dev/null",
  "fetch.unpackLimit=1",
  "user.name=Atrium",
  "user.email=atrium@agents.invalid",
].flatMap((setting) => ["-c", setting]);
const NOTHING_ELSE = [
  "--quiet",
  "--no-tags",
  "--no-prune",
  "--no-write-fetch-head",
  "--no-recurse-submodules",
  "--no-auto-maintenance",
  "--no-write-commit-graph",
];
const MAX_NAME_CHARACTERS = 200;
const FORMAT = "--format=%(objectname)%00%(refname:lstrip=2)%00%(worktreepath)%00";

export async function readBranches(
  git: Git,
  path: string,
): Promise<Outcome<ReadonlyMap<string, PersonBranch>>> {
  const listed = await git.run(["-C", path, "for-each-ref", FORMAT, "refs/heads/"]);
  if (!listed.ok) return refusalOf(listed, "repository.unreadable");
  const branches = new Map<string, PersonBranch>();
  for (const line of textOf(listed.stdout).split("\0\n")) {
    const [commit = "", name = "", folder = ""] = line.split("\0");
    if (name !== "") branches.set(name, { commit, folder: folder || null });
  }
  return accept(branches);
}

/** The branch that is checked out; undefined: none is. */
export async function readHead(git: Git, path: string): Promise<Outcome<string | undefined>> {
  const found = await git.run(["-C", path, "symbolic-ref", "--quiet", "--short", "HEAD"]);
  if (found.ok) return accept(textOf(found.stdout));
  return found.code === 1 ? accept(undefined) : refusalOf(found, "repository.unreadable");
}

/** Whether a branch of a person's can grow to be ours. What the store does not know is not behind it. */
export async function isBehind(
  git: Git,
  { gitDir, objects }: Store,
  theirs: string,
  ours: string,
): Promise<Outcome<boolean>> {
  const known = await objects.header(theirs);
  return known.ok ? isAncestor(git, gitDir, theirs, ours) : accept(false);
}

/** Into this branch; without one, the commits alone. */
export async function fetchInto(
  git: Git,
  path: string,
  { gitDir, ref }: LineOffer,
  branch?: string,
): Promise<Outcome<void>> {
  const spec = branch === undefined ? ref : `${ref}:refs/heads/${branch}`;
  const args = ["-C", path, ...QUIETLY, "fetch", ...NOTHING_ELSE, "--", gitDir, spec];
  const fetched = await git.run(args);
  if (!fetched.ok) return refusalOf(fetched, "delivery.unsafe");
  await giveToOwner(git, path, branch);
  return accept(undefined);
}

/** What git names may be, and a branch of them. */
export async function checkBranchName(git: Git, name: string): Promise<Outcome<void>> {
  const isShort = name.length <= MAX_NAME_CHARACTERS && !name.startsWith("-");
  const found = isShort && (await git.run(["check-ref-format", `refs/heads/${name}`])).ok;
  return found
    ? accept(undefined)
    : refuse("delivery.impossible", `${name.slice(0, 80)} is no name of a branch`);
}
