/** Reads again what work starts from. The repository that is read stays as it is. */
import { stat } from "node:fs/promises";
import { accept, refuse, type Outcome } from "@atrium/core";
import { commitTree, gitIn, readCommit } from "../git/commits.ts";
import { outcomeOf, refusalOf } from "../git/git-refusal.ts";
import type { GitKit } from "../git/git-settings.ts";
import { textOf } from "../git/git.ts";
import { importFolder } from "./import-folder.ts";
import { BASE_REF } from "./refs.ts";
import { type StoreRecord } from "./store.ts";

const BRANCH = /^(?!-|.*(?:\.\.|@\{|\/\/|\.lock$|[/.]$))[^\s~^:?*[\\\p{Cc}]+$/u;

export async function syncStore(
  kit: GitKit,
  gitDir: string,
  record: StoreRecord,
  isElsewhere = false,
): Promise<Outcome<unknown>> {
  const { path, kind } = record;
  if (path === null) return accept(undefined);
  const isThere = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isThere) return refuse("repository.missing", `there is no folder ${path}`);
  return kind === "git"
    ? fetchBase(kit, gitDir, record, isElsewhere)
    : importFolder(kit, gitDir, path);
}

export async function fetchBase(
  { git }: GitKit,
  gitDir: string,
  { path, base }: Pick<StoreRecord, "path" | "base">,
  isElsewhere = false,
): Promise<Outcome<unknown>> {
  if (base !== null && !BRANCH.test(base)) {
    return refuse("repository.unreadable", `${base} is no name of a branch`);
  }
  const ref = base === null ? "HEAD" : `refs/heads/${base}`;
  const listed = await git.run(["ls-remote", "--", path ?? "", ref]);
  if (!listed.ok) return refusalOf(listed, "repository.unreadable");
  const lines = listed.stdout.toString("utf8").split("\n");
  const isThere = lines.some((line) => line.endsWith(`\t${ref}`));
  if (!isThere && base !== null) {
    return refuse("repository.unreadable", `${path} has no branch ${base}`);
  }
  if (!isThere) return startFromNothing({ git }, gitDir, isElsewhere);
  const options = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
  // What the repository does not have itself, we do without as well.
  const args = ["fetch", ...options, "--update-shallow", "--", path ?? "", `+${ref}:${BASE_REF}`];
  return outcomeOf(await git.run(gitIn(gitDir, ...args)), "repository.unreadable");
}

/** Of a repository without a commit; once there is a base, it stays, unless it was another folder's. */
export async function startFromNothing(
  { git }: Pick<GitKit, "git">,
  gitDir: string,
  isElsewhere = false,
): Promise<Outcome<unknown>> {
  const known = await readCommit(git, gitDir, BASE_REF);
  if (known.ok && !isElsewhere) return known;
  const made = await git.run(gitIn(gitDir, "mktree"));
  if (!made.ok) return refusalOf(made);
  const tree = textOf(made.stdout);
  const commit = await commitTree(gitDir, {
    tree,
    parents: [],
    message: "Nothing yet",
    at: 0,
  });
  return outcomeOf(await git.run(gitIn(gitDir, "update-ref", BASE_REF, commit)));
}
