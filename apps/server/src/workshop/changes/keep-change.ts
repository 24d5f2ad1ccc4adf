/** A sealed commit as the log has it: counts, paths, and the patch beside it, for whoever has no git. */
import { accept, type ChangeFacts, type Outcome, type WorkspaceRow } from "@atrium/core";
import type { Blobs } from "../../platform/blobs.ts";
import type { FinishedRun, SealedWork } from "../../projects/work/changes.ts";
import type { SealedChange } from "../../workspaces/port/landing.ts";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";
import type { FindConflictTree } from "./conflict-tree.ts";
import { flagOf } from "./flag-of.ts";

export interface KeepChangeDeps {
  readonly use: () => Promise<Pick<Workspaces, "readWholePatch">>;
  readonly blobs: Pick<Blobs, "put">;
  readonly findConflictTree: FindConflictTree;
  /** Of the checks that the change has to pass. */
  readonly commandsOf: (workspaceId: string) => readonly string[];
}

const MAX_PATCH_BYTES = 2 * 1024 * 1024;
const MAX_PATHS = 200;
const MAX_SUMMARY_CHARS = 4_000;
const MAX_NAME_CHARS = 48;

export async function keepChange(
  { use, blobs, findConflictTree, commandsOf }: KeepChangeDeps,
  { workspaceId, repositoryId }: WorkspaceRow,
  sealed: SealedChange,
  { title, text, isUnfinished }: Pick<FinishedRun, "title" | "text" | "isUnfinished">,
): Promise<Outcome<SealedWork>> {
  const { commit, base, tree, files, added, removed, omitted, isCut } = sealed;
  const trees = { from: base, to: commit, maxBytes: MAX_PATCH_BYTES };
  const patch = await (await use()).readWholePatch(repositoryId, trees);
  if (!patch.ok) return patch;
  const conflictTree = await findConflictTree(workspaceId, base);
  const bytes = Buffer.from(patch.value.text);
  const commands = commandsOf(workspaceId);
  const flagged = files.map(({ path }) => path).filter((path) => flagOf(path, commands));
  const change: ChangeFacts = {
    commit,
    base,
    tree,
    files: files.length,
    added,
    removed,
    omitted: omitted.slice(0, MAX_PATHS),
    isCut: isCut || patch.value.isCut || omitted.length > MAX_PATHS,
    flagged: flagged.slice(0, MAX_PATHS),
    ...(conflictTree !== undefined && { conflictTree }),
    ...(isUnfinished && { isUnfinished }),
    ...(text !== "" && { summary: cutTo(text) }),
  };
  const digest = await blobs.put(bytes);
  const name = `${slugOf(title)}.patch`;
  return accept({
    change,
    content: { name, mediaType: "text/x-patch", bytes: bytes.length, digest },
  });
}

/** The end of a long answer says what became of it. */
function cutTo(text: string): string {
  return text.length <= MAX_SUMMARY_CHARS ? text : `…${text.slice(-MAX_SUMMARY_CHARS)}`;
}

/** Of letters and digits, for a file or a branch. */
export function slugOf(title: string, otherwise = "change"): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, MAX_NAME_CHARS)
    .replace(/-+$/, "");
  return words === "" ? otherwise : words;
}
