/**
 * Merges without a checkout. Renames are followed; attributes and merge drivers of the trees are not, so
 * nothing that is in them is run.
 */
import { accept, refuse, type ConflictSides, type Outcome } from "@atrium/core";
import { draftCommit, gitIn } from "../git/commits.ts";
import { refusalOf } from "../git/git-refusal.ts";
import type { Git } from "../git/git.ts";
import { writeObjects } from "../git/loose-object.ts";
import type { ConflictedPath } from "../port/landing.ts";

export interface MergedTree {
  readonly tree: string;
  /** None: it is merged. */
  readonly conflicts: readonly ConflictedPath[];
}

/** Git's own words, in the order in which they are looked for. */
const KINDS: readonly (readonly [string, ConflictedPath["kind"]])[] = [
  ["binary", "binary"],
  ["modify/delete", "delete"],
  ["rename/delete", "delete"],
  ["rename", "rename"],
  ["file/directory", "folder"],
  ["distinct", "mode"],
  ["submodule", "submodule"],
];
/** A new file goes along with a folder that was renamed beside it. */
const FOLLOWING_FOLDERS = ["-c", "merge.directoryRenames=true"];
const CONFLICT = "CONFLICT (";

export async function mergeCommits(
  git: Git,
  gitDir: string,
  ours: string,
  theirs: string,
): Promise<Outcome<MergedTree>> {
  const args = ["merge-tree", "--write-tree", "-z", "--messages", ours, theirs];
  const merged = await git.run(gitIn(gitDir, ...FOLLOWING_FOLDERS, ...args));
  const fields = merged.stdout.toString("utf8").split("\0");
  const tree = fields[0] ?? "";
  if (merged.ok) return accept({ tree, conflicts: [] });
  // What is no commit fails in the same way, and tells of no tree.
  if (merged.why !== "failed" || merged.code !== 1 || tree === "") return refusalOf(merged);
  const conflicts = parseConflicts(fields.slice(1));
  return conflicts.length === 0
    ? refuse("git.failed", "git found a conflict and did not tell where")
    : accept({ tree, conflicts });
}

/** As if `theirs` had been made of `base` and nothing else: trees, whatever their history is. */
export async function mergeTrees(
  git: Git,
  gitDir: string,
  trees: Readonly<Record<"base" | "ours" | "theirs", string>>,
): Promise<Outcome<MergedTree>> {
  const about = { message: "To be merged", at: 0 };
  const base = draftCommit({ ...about, tree: trees.base, parents: [] });
  const ours = draftCommit({ ...about, tree: trees.ours, parents: [base.id] });
  const theirs = draftCommit({ ...about, tree: trees.theirs, parents: [base.id] });
  await writeObjects(gitDir, [base, ours, theirs]);
  return mergeCommits(git, gitDir, ours.id, theirs.id);
}

/** `<mode> <id> <stage>\t<path>` for each, nothing, then for each message: n, n paths, its kind, its text. */
function parseConflicts(fields: readonly string[]): ConflictedPath[] {
  const end = fields.indexOf("");
  const kinds = new Map<string, ConflictedPath["kind"]>();
  for (let at = end + 1; at < fields.length;) {
    const count = Number(fields[at]);
    if (!(count > 0)) break;
    const paths = fields.slice(at + 1, at + 1 + count);
    const says = fields[at + 1 + count] ?? "";
    if (says.startsWith(CONFLICT)) {
      const kind = kindOf(says.slice(CONFLICT.length));
      for (const path of paths) if (!kinds.has(path)) kinds.set(path, kind);
    }
    at += count + 3;
  }
  // A message may name where a file was before; what is to be resolved is what has stages.
  return [...readStages(fields.slice(0, end))].map(([path, sides]) => {
    return { path, kind: kinds.get(path) ?? "content", sides };
  });
}

const NO_SIDES: ConflictSides = { base: null, line: null, change: null };
const STAGES = new Map<string, keyof ConflictSides>([
  ["1", "base"],
  ["2", "line"],
  ["3", "change"],
]);

function readStages(lines: readonly string[]): ReadonlyMap<string, ConflictSides> {
  const found = new Map<string, ConflictSides>();
  for (const line of lines) {
    const tab = line.indexOf("\t");
    const [, id = "", stage = ""] = line.slice(0, tab).split(" ");
    const path = line.slice(tab + 1);
    const side = STAGES.get(stage);
    const known = found.get(path) ?? NO_SIDES;
    found.set(path, side === undefined ? known : { ...known, [side]: id });
  }
  return found;
}

function kindOf(says: string): ConflictedPath["kind"] {
  return KINDS.find(([words]) => says.startsWith(words))?.[1] ?? "content";
}
