/**
 * Puts a worktree on another commit, with the files of a tree that was merged: files, then what the worktree
 * is known by, and last the ref that says what it starts from. Where that one is there, all of it is done,
 * and somebody may have worked since.
 */
import { join } from "node:path";
import { accept, type Outcome } from "@atrium/core";
import type { OpenWorktree } from "../access/access.ts";
import { readCommit, readCommitFacts } from "../git/commits.ts";
import { refusalOf } from "../git/git-refusal.ts";
import type { GitKit } from "../git/git-settings.ts";
import { writeRefs } from "../git/write-refs.ts";
import type { RebaseRequest } from "../port/landing.ts";
import type { TreeMoment } from "../port/workspaces.ts";
import { runInPlace } from "../snapshot/snapshot.ts";
import { branchRef, originRef, startRef } from "../store/refs.ts";
import { writeRecord, type WorktreePlace } from "../worktrees/worktree-record.ts";

interface RebasedWorktree {
  readonly place: WorktreePlace;
  readonly moment: TreeMoment;
}

export async function rebaseWorktree(
  { git }: GitKit,
  { place: before, store, chain }: OpenWorktree,
  { onto, tree, label, at }: RebaseRequest,
): Promise<Outcome<RebasedWorktree>> {
  const { workspaceId } = before;
  const { gitDir, objects } = store;
  const target = await readCommitFacts(objects, onto);
  if (!target.ok) return target;
  const place = { ...before, commit: onto, tree: target.value.tree };
  const start = await readCommit(git, gitDir, startRef(workspaceId));
  if (!start.ok) return start;
  if (start.value.commit === onto) {
    const moment = await chain.record({ label, at });
    return moment.ok ? accept({ place, moment: moment.value }) : moment;
  }
  const put = await chain.restore(tree, { label, at });
  if (!put.ok) return put;
  const own = { ...place, index: join(place.gitDir, "index") };
  const read = await runInPlace(git, own, ["read-tree", onto]);
  if (!read.ok) return refusalOf(read);
  await writeRecord(place);
  const followed = await writeRefs(git, gitDir, [
    { ref: branchRef(workspaceId), to: onto },
    { ref: originRef(workspaceId), to: null },
  ]);
  if (!followed.ok) return followed;
  const started = await writeRefs(git, gitDir, [{ ref: startRef(workspaceId), to: onto }]);
  return started.ok ? accept({ place, moment: put.value.after }) : started;
}
