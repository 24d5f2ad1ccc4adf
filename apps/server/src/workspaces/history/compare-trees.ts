/** What differs between two trees: an overview of all files, and the patch of one. */
import { accept, refuse, type Outcome } from "@atrium/core";
import { gitIn } from "../git/commits.ts";
import { refusalOf } from "../git/git-refusal.ts";
import { splitNul, type Git } from "../git/git.ts";
import { isObjectId } from "../git/object-reader.ts";
import type { WholePatch } from "../port/landing.ts";
import type { FileChange, FilePatch, PatchRequest, TreeComparison } from "../port/workspaces.ts";

const MAX_FILES = 5_000;
const MAX_OVERVIEW_BYTES = 32 * 1024 * 1024;
const MAX_PATCH_BYTES = 512 * 1024;
const MAX_WHOLE_PATCH_BYTES = 32 * 1024 * 1024;
const MAX_PATCH_LINES = 5_000;
const MAX_LINE_CHARACTERS = 5_000;
/** Beyond so many candidates renames are told as removed and added. */
const RENAMES = ["-M", "-l400"];

const HOW: ReadonlyMap<string, FileChange["how"]> = new Map([
  ["A", "added"],
  ["D", "removed"],
  ["M", "changed"],
  ["R", "renamed"],
  ["T", "retyped"],
]);

interface WholePatchRequest {
  readonly from: string;
  readonly to: string;
  readonly maxBytes: number;
}

export async function compareTrees(
  git: Git,
  gitDir: string,
  from: string,
  to: string,
): Promise<Outcome<TreeComparison>> {
  const wrong = [from, to].find((id) => !isObjectId(id));
  if (wrong !== undefined) return refuse("moment.missing", wrong.slice(0, 80));
  const args = ["diff-tree", "-r", "-z", ...RENAMES, "--raw", "--numstat", from, to];
  const result = await git.run(gitIn(gitDir, ...args), { maxBytes: MAX_OVERVIEW_BYTES });
  if (!result.ok) return refusalOf(result, "moment.missing");
  const files = parseChanges(splitNul(result.stdout));
  return accept({ files: files.slice(0, MAX_FILES), isCut: files.length > MAX_FILES });
}

/** All raw records come first, then the counts of the same files in the same order. */
function parseChanges(fields: readonly string[]): FileChange[] {
  const files: FileChange[] = [];
  let at = 0;
  for (; fields[at]?.startsWith(":") === true;) {
    const status = fields[at]?.split(" ").at(-1)?.charAt(0) ?? "";
    const isPair = status === "R" || status === "C";
    const from = isPair ? (fields[at + 1] ?? "") : null;
    const path = fields[at + (isPair ? 2 : 1)] ?? "";
    files.push({ path, from, how: HOW.get(status) ?? "changed", added: null, removed: null });
    at += isPair ? 3 : 2;
  }
  return files.map((file) => {
    const [added = "-", removed = "-"] = (fields[at] ?? "").split("\t");
    at += file.from === null ? 1 : 3;
    return { ...file, added: countOf(added), removed: countOf(removed) };
  });
}

const countOf = (text: string): number | null => (/^\d+$/.test(text) ? Number(text) : null);

export async function readPatch(
  git: Git,
  gitDir: string,
  { from, to, path, isWhole = false }: PatchRequest,
): Promise<Outcome<FilePatch>> {
  const compared = await compareTrees(git, gitDir, from, to);
  if (!compared.ok) return compared;
  const change = compared.value.files.find((file) => file.path === path);
  if (change === undefined) return refuse("file.missing", path.slice(0, 200));
  const lines = (change.added ?? 0) + (change.removed ?? 0);
  if (!isWhole && lines > MAX_PATCH_LINES) return accept({ type: "large", bytes: 0 });
  const paths = change.from === null ? [path] : [change.from, path];
  const args = ["diff-tree", "-p", "-M", "-U5", "--no-ext-diff", "--no-textconv", from, to, "--"];
  const maxBytes = isWhole ? MAX_WHOLE_PATCH_BYTES : MAX_PATCH_BYTES;
  const result = await git.run(gitIn(gitDir, ...args, ...paths), { maxBytes });
  if (!result.ok) {
    return result.why === "large"
      ? accept({ type: "large", bytes: maxBytes })
      : refusalOf(result, "moment.missing");
  }
  const text = result.stdout.toString("utf8");
  const isLong = text.split("\n").some((line) => line.length > MAX_LINE_CHARACTERS);
  if (!isWhole && isLong) return accept({ type: "large", bytes: result.stdout.length });
  return accept({ type: "patch", text });
}

/** Cut after a whole line. */
export async function readWholePatch(
  git: Git,
  gitDir: string,
  { from, to, maxBytes }: WholePatchRequest,
): Promise<Outcome<WholePatch>> {
  const wrong = [from, to].find((id) => !isObjectId(id));
  if (wrong !== undefined) return refuse("moment.missing", wrong.slice(0, 80));
  const args = ["diff-tree", "-p", "-M", "--binary", "--no-ext-diff", "--no-textconv", from, to];
  const result = await git.run(gitIn(gitDir, ...args), { maxBytes });
  if (result.ok) return accept({ text: result.stdout.toString("utf8"), isCut: false });
  if (result.why !== "large") return refusalOf(result, "moment.missing");
  const end = result.stdout.lastIndexOf("\n") + 1;
  return accept({ text: result.stdout.toString("utf8", 0, end), isCut: true });
}
