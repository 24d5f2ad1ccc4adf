/**
 * The tree of a folder as it is now: the safe way.
 *
 *   what changed + what is new -> without nested repositories, secrets, large files -> index -> tree
 *                                                                                   \-> tree, where they are few
 *
 * Never `add -A` and never a git that looks for its repository in the folder: both run what an agent
 * wrote into the configuration of a repository it made there. For the same reason no link to a
 * repository enters the index that the start did not have, also when one appears while we look.
 */
import { stat } from "node:fs/promises";
import { accept, refuse, type Outcome } from "@atrium/core";
import type { GitSite } from "../git/enclosed-git.ts";
import { refusalOf } from "../git/git-refusal.ts";
import { splitNul, textOf, type Git, type GitCall } from "../git/git.ts";
import type { ObjectDraft } from "../git/loose-object.ts";
import type { ObjectReader } from "../git/object-reader.ts";
import { findEntry } from "../git/tree-path.ts";
import type { OmittedPath } from "../port/workspaces.ts";
import { snapDirectly } from "./direct-snapshot.ts";
import { fromText, selectPaths, toBytes, toText, type Selection } from "./omissions.ts";

export interface FolderSnapshot {
  readonly tree: string;
  /** Whether the index has this tree now. */
  readonly isEntered: boolean;
  /** To be written before anyone is told of the tree. */
  readonly drafts: readonly ObjectDraft[];
  readonly omitted: readonly OmittedPath[];
}

interface SnapshotTools {
  readonly git: Git;
  readonly objects: ObjectReader;
}

/** An agent can write ignore files that take for ever. */
const TIMEOUT_MS = 3 * 60_000;
/** Files come and go while agents work; so often the list is made again. */
const MAX_TRIES = 4;
/** Beyond this, one look at the index is cheaper than one for each path. */
const MAX_SINGLE_LOOKS = 200;
/** Some ten thousand files. */
const MAX_SMALL_INDEX_BYTES = 1024 * 1024;
const ODD_PART = /^(?:|\.|\.\.|\.git)$/i;
const LINK_MODE = "160000 ";

/** What is known of the folder from before. */
export interface SnapshotStart {
  /** The tree of the last moment. */
  readonly newest: string;
  /** The tree of the index; undefined where an earlier life may have changed it. */
  readonly entered: string | undefined;
  /** Whether submodules are in it, which one way of listing tells as changed and the other does not. */
  readonly hasSubmodules: boolean;
}

/**
 * `start`: without it everything goes through the index, which has the tree of the folder afterwards.
 * `paths`: where only these may have changed.
 */
export async function takeSnapshot(
  tools: SnapshotTools,
  place: GitSite,
  start?: SnapshotStart,
  paths?: readonly string[],
): Promise<Outcome<FolderSnapshot>> {
  if (start !== undefined && paths !== undefined) {
    const chosen = await selectPaths(place.folder, paths.filter(isInside).map(fromText));
    const short = await goShort(tools, place, start.newest, chosen);
    if (short !== undefined) return accept(short);
  }
  let failure: Outcome<never> = refuse("git.failed", "the files do not stay as they are");
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const listed = await listChanges(tools.git, place, start?.hasSubmodules ?? true);
    if (!listed.ok) return listed;
    const chosen = await selectPaths(place.folder, listed.value);
    const short = await goShort(tools, place, start?.entered, chosen);
    if (short !== undefined) return accept(short);
    const { taken, gone, omitted } = chosen;
    const removed = await changeIndex(tools.git, place, ["--force-remove"], gone);
    if (!removed.ok) return removed;
    // A link that leads to itself hides from git that what was below it is gone.
    const how = ["--add", "--remove", "--replace"];
    const added = await changeIndex(tools.git, place, how, taken);
    if (added.ok) return settle(tools, place, taken, omitted);
    failure = added;
    if (added.code !== "git.failed") return added;
  }
  return failure;
}

/** From a tree that differs from the folder in these paths only; undefined where it has to be the long way. */
async function goShort(
  { objects }: SnapshotTools,
  { folder }: GitSite,
  tree: string | undefined,
  { taken, gone, omitted }: Selection,
): Promise<FolderSnapshot | undefined> {
  if (tree === undefined) return undefined;
  if (taken.length + gone.length === 0) return { tree, omitted, isEntered: false, drafts: [] };
  const found = await snapDirectly(objects, folder, tree, taken, gone);
  return found && { tree: found.id, omitted, isEntered: false, drafts: found.drafts };
}

async function settle(
  tools: SnapshotTools,
  place: GitSite,
  taken: readonly string[],
  omitted: readonly OmittedPath[],
): Promise<Outcome<FolderSnapshot>> {
  const whole = { isEntered: true, drafts: [] };
  const tree = await writeTree(tools.git, place);
  if (!tree.ok) return tree;
  const nested = await findNested(tools, place, tree.value, taken);
  if (!nested.ok) return nested;
  if (nested.value.length === 0) return accept({ ...whole, tree: tree.value, omitted });
  const left = await changeIndex(tools.git, place, ["--force-remove"], nested.value);
  if (!left.ok) return left;
  const rest = await writeTree(tools.git, place);
  if (!rest.ok) return rest;
  const named = nested.value.map((path): OmittedPath => ({ path: toText(path), why: "nested" }));
  return accept({ ...whole, tree: rest.value, omitted: [...omitted, ...named] });
}

function isInside(path: string): boolean {
  return !path.includes("\0") && !path.split("/").some((part) => ODD_PART.test(part));
}

/** A git that works in the folder and looks for nothing there. */
export function runInPlace(
  git: Git,
  site: GitSite,
  args: readonly string[],
  more: Pick<GitCall, "input" | "isConfined"> = {},
): ReturnType<Git["run"]> {
  return git.run(args, { ...more, site, timeoutMs: TIMEOUT_MS });
}

/** By one git, or by two at the same time where there is much to look at. */
async function listChanges(
  git: Git,
  place: GitSite,
  hasSubmodules: boolean,
): Promise<Outcome<string[]>> {
  const { size } = await stat(place.index).catch(() => ({ size: 0 }));
  const others = ["ls-files", "-z", "--others", "--exclude-standard"];
  const changed = ["diff-files", "-z", "--name-only", "--ignore-submodules=all"];
  const isOne = !hasSubmodules && size < MAX_SMALL_INDEX_BYTES;
  const ways = isOne ? [[...others, "--modified"]] : [changed, others];
  const results = await Promise.all(ways.map((args) => runInPlace(git, place, args)));
  const failed = results.find((result) => !result.ok);
  if (failed !== undefined && !failed.ok) return refusalOf(failed);
  const paths = results.flatMap(({ stdout }) => splitNul(stdout, "latin1"));
  return accept([...new Set(paths)]);
}

export async function changeIndex(
  git: Git,
  place: GitSite,
  how: readonly string[],
  paths: readonly string[],
): Promise<Outcome<unknown>> {
  if (paths.length === 0) return accept(undefined);
  const input = toBytes(paths.map((path) => `${path}\0`).join(""));
  // Only what is added is read.
  const isConfined = how.includes("--add");
  const args = ["update-index", "-z", ...how, "--stdin"];
  const result = await runInPlace(git, place, args, { input, isConfined });
  return result.ok ? accept(undefined) : refusalOf(result);
}

async function writeTree(git: Git, place: GitSite): Promise<Outcome<string>> {
  const result = await runInPlace(git, place, ["write-tree"]);
  return result.ok ? accept(textOf(result.stdout)) : refusalOf(result);
}

/** Repositories that stand where a file was listed a moment ago. */
async function findNested(
  { git, objects }: SnapshotTools,
  place: GitSite,
  tree: string,
  paths: readonly string[],
): Promise<Outcome<readonly string[]>> {
  if (paths.length > MAX_SINGLE_LOOKS) {
    const staged = await runInPlace(git, place, ["ls-files", "-z", "--stage"]);
    if (!staged.ok) return refusalOf(staged);
    const wanted = new Set(paths);
    const links = splitNul(staged.stdout, "latin1").filter((line) => line.startsWith(LINK_MODE));
    const names = links.map((line) => line.slice(line.indexOf("\t") + 1));
    return accept(names.filter((name) => wanted.has(name)));
  }
  const nested: string[] = [];
  for (const path of paths) {
    const found = await findEntry(objects, tree, toText(path));
    if (found.ok && found.value.type === "submodule") nested.push(path);
  }
  return accept(nested);
}
