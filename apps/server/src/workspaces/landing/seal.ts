/**
 * Seals what is in a worktree: a moment of all of it, the documents that were delivered, and one commit on
 * the worktree's base. What moments leave out is in no change either, and named beside it. Each sealed
 * commit has a ref, so it is there as long as the task is.
 */
import { accept, refuse, type Outcome } from "@atrium/core";
import type { OpenWorktree } from "../access/access.ts";
import { authorLine, draftCommit, readCommit } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import { writeObjects } from "../git/loose-object.ts";
import { writeRefs } from "../git/write-refs.ts";
import { compareTrees } from "../history/compare-trees.ts";
import type { SealedChange, SealEditsRequest, SealRequest } from "../port/landing.ts";
import type { OmittedPath, RepositoryBase } from "../port/workspaces.ts";
import { originRef, sealedRefs, startRef } from "../store/refs.ts";
import { putFiles, type FileEdit } from "./sealed-files.ts";

interface SealedTree {
  readonly tree: string;
  readonly omitted: readonly OmittedPath[];
}

const LABEL = "Sealed";

export async function seal(
  git: Git,
  worktree: OpenWorktree,
  request: SealRequest,
): Promise<Outcome<SealedChange>> {
  const { at, delivered = [] } = request;
  const moment = await worktree.chain.record({ label: LABEL, at });
  if (!moment.ok) return moment;
  const { tree, omitted } = moment.value;
  const files = await bringIn(worktree, tree, delivered, at);
  if (!files.ok) return files;
  const all = [...omitted, ...files.value.omitted];
  return commit(git, worktree, request, { tree: files.value.tree, omitted: all });
}

export async function sealEdits(
  git: Git,
  worktree: OpenWorktree,
  request: SealEditsRequest,
): Promise<Outcome<SealedChange>> {
  const { tree, edits, at } = request;
  const found = await worktree.store.objects.header(tree);
  if (!found.ok) return found;
  if (found.value.type !== "tree") return refuse("moment.missing", tree);
  const files = await bringIn(worktree, tree, edits, at, true);
  return files.ok ? commit(git, worktree, request, files.value) : files;
}

/** `isWanted`: the folder has to have the tree in any case. */
async function bringIn(
  { chain, store }: OpenWorktree,
  tree: string,
  files: readonly FileEdit[],
  at: number,
  isWanted = false,
): Promise<Outcome<SealedTree>> {
  const put = await putFiles(store.objects, tree, files);
  if (!put.ok) return put;
  const { id, drafts, omitted } = put.value;
  if (id === tree && !isWanted) return accept({ tree, omitted });
  await writeObjects(store.gitDir, drafts);
  const followed = await chain.restore(id, { label: LABEL, at });
  return followed.ok ? accept({ tree: id, omitted }) : followed;
}

async function commit(
  git: Git,
  { store, place }: OpenWorktree,
  { message, author, at }: SealRequest,
  { tree, omitted }: SealedTree,
): Promise<Outcome<SealedChange>> {
  const { gitDir } = store;
  const base = await readBase(git, gitDir, place.workspaceId);
  if (!base.ok) return base;
  const parents = [base.value.commit];
  const isEmpty = tree === base.value.tree;
  const draft = draftCommit({ tree, parents, message, at, author: authorLine(author, at) });
  if (!isEmpty) {
    await writeObjects(gitDir, [draft]);
    const ref = `${sealedRefs(place.workspaceId)}${draft.id}`;
    const kept = await writeRefs(git, gitDir, [{ ref, to: draft.id }]);
    if (!kept.ok) return kept;
  }
  const compared = await compareTrees(git, gitDir, base.value.tree, tree);
  if (!compared.ok) return compared;
  const { files, isCut } = compared.value;
  const sum = (of: "added" | "removed"): number =>
    files.reduce((total, file) => total + (file[of] ?? 0), 0);
  return accept({
    commit: isEmpty ? base.value.commit : draft.id,
    base: base.value.commit,
    tree,
    files,
    added: sum("added"),
    removed: sum("removed"),
    omitted,
    isCut,
    isEmpty,
  });
}

/** What a change is compared with: of a fork, not the files that it was given. */
async function readBase(
  git: Git,
  gitDir: string,
  workspaceId: string,
): Promise<Outcome<RepositoryBase>> {
  const origin = await readCommit(git, gitDir, originRef(workspaceId));
  if (origin.ok || origin.code !== "moment.missing") return origin;
  return readCommit(git, gitDir, startRef(workspaceId));
}
