/**
 * Makes a worktree, in steps that are one process each and can be killed:
 *
 *   refs (base, moments, branch) -> git's data without files -> the files -> the record that it is done
 *
 * `worktree add` with files would start a second git that goes on when the first is killed. The folder
 * has a name that was never used, so nothing that still runs writes into it.
 */
import { randomUUID } from "node:crypto";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { accept, refuse, type Outcome } from "@atrium/core";
import { commitTree, gitIn, readCommit } from "../git/commits.ts";
import { outcomeOf, refusalOf, refusalOfFile } from "../git/git-refusal.ts";
import type { GitKit } from "../git/git-settings.ts";
import { isObjectId } from "../git/object-reader.ts";
import { nothingLike, writeRefs } from "../git/write-refs.ts";
import type { RepositoryBase, WorktreeRequest } from "../port/workspaces.ts";
import { runInPlace } from "../snapshot/snapshot.ts";
import { readLine } from "../store/lines.ts";
import { BASE_REF, branchRef, momentsRef, originRef, startRef } from "../store/refs.ts";
import { storeFolder } from "../store/store.ts";
import { checkCase } from "./case-clash.ts";
import { removeWorktree } from "./remove-worktree.ts";
import { placeWorktree, writeRecord, type WorktreePlace } from "./worktree-record.ts";

/**
 * Runs it when nobody else does in this store: a git that looks through the worktrees fails on one that
 * another is just making.
 */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

export async function openWorktree(
  kit: GitKit,
  request: WorktreeRequest,
  inTurn: InTurn,
): Promise<Outcome<WorktreePlace>> {
  const { repositoryId, workspaceId } = request;
  const store = storeFolder(kit.places, repositoryId);
  const start = await readStart(kit, store, request);
  if (!start.ok) return start;
  const newest = await readCommit(kit.git, store, momentsRef(workspaceId));
  if (!newest.ok) return newest;
  const fits = await checkCase(kit, store, newest.value.tree);
  if (!fits.ok) return fits;
  const name = `${workspaceId}-${randomUUID().slice(0, 8)}`;
  const place = placeWorktree(kit.places, repositoryId, name, { workspaceId, ...start.value });
  const made = await make(kit, place, newest.value.tree, inTurn).catch(refusalOfFile);
  if (made.ok) return accept(place);
  await removeWorktree(kit, place);
  return made;
}

/** What it starts from; the same each time it is made. */
async function readStart(
  kit: GitKit,
  store: string,
  request: WorktreeRequest,
): Promise<Outcome<RepositoryBase>> {
  const { git } = kit;
  const { workspaceId, fork } = request;
  const known = await readCommit(git, store, startRef(workspaceId));
  if (known.ok || known.code !== "moment.missing") return known;
  const base = await readBase(kit, store, request);
  if (!base.ok) return base;
  const start = fork === undefined ? base : await forkOf(kit, store, request, base.value.commit);
  if (!start.ok) return start;
  const to = start.value.commit;
  const from = nothingLike(to);
  const refs = [startRef(workspaceId), momentsRef(workspaceId)].map((ref) => ({ ref, to, from }));
  const origin = { ref: originRef(workspaceId), to: base.value.commit };
  const written = await writeRefs(git, store, fork === undefined ? refs : [origin, ...refs]);
  return written.ok ? start : written;
}

async function readBase(
  { git }: GitKit,
  store: string,
  { fork, lineId }: WorktreeRequest,
): Promise<Outcome<RepositoryBase>> {
  if (fork?.base !== undefined) {
    return isObjectId(fork.base)
      ? readCommit(git, store, fork.base)
      : refuse("moment.missing", fork.base.slice(0, 80));
  }
  if (lineId !== undefined) return readLine(git, store, lineId);
  const base = await readCommit(git, store, BASE_REF);
  return base.ok ? base : refuse("repository.missing", "it was not opened yet");
}

async function forkOf(
  { git }: GitKit,
  store: string,
  { fork, at }: WorktreeRequest,
  base: string,
): Promise<Outcome<RepositoryBase>> {
  const { tree = "", label = "" } = fork ?? {};
  const args = gitIn(store, "rev-parse", "--verify", "--quiet", "--end-of-options");
  const found = outcomeOf(await git.run([...args, `${tree}^{tree}`]), "moment.missing");
  if (!found.ok) return found;
  const commit = await commitTree(store, { tree, parents: [base], message: label, at });
  return accept({ commit, tree });
}

async function make(
  { git }: GitKit,
  place: WorktreePlace,
  tree: string,
  inTurn: InTurn,
): Promise<Outcome<unknown>> {
  const { store, folder, workspaceId, gitDir, index, commit } = place;
  const branch = branchRef(workspaceId);
  const referred = await git.run(gitIn(store, "update-ref", branch, commit));
  if (!referred.ok) return refusalOf(referred);
  const name = branch.replace("refs/heads/", "");
  const args = gitIn(store, "worktree", "add", "--force", "--no-checkout", folder, name);
  const added = await inTurn(() => git.run(args));
  if (!added.ok) return refusalOf(added);
  const filled = await runInPlace(git, place, ["read-tree", "--reset", "-u", tree]);
  if (!filled.ok) return refusalOf(filled);
  const own = join(gitDir, "index");
  if (tree === place.tree) {
    await copyFile(index, own);
  } else {
    const read = await runInPlace(git, { ...place, index: own }, ["read-tree", commit]);
    if (!read.ok) return refusalOf(read);
  }
  await writeRecord(place);
  return accept(undefined);
}
