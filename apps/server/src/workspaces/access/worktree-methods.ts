/** Worktrees and their moments: opened, recorded, restored, removed, forgotten. */
import { stat } from "node:fs/promises";
import { accept, refuse, type Outcome } from "@atrium/core";
import { refusalOfFile } from "../git/git-refusal.ts";
import type { Workspaces, Worktree, WorktreeRequest } from "../port/workspaces.ts";
import { dropRefs, pruneStore } from "../store/forget-moments.ts";
import { repackIfLoose } from "../store/repack.ts";
import type { Store } from "../store/store.ts";
import { openWorktree } from "../worktrees/open-worktree.ts";
import { removeWorktree } from "../worktrees/remove-worktree.ts";
import type { WorktreePlace } from "../worktrees/worktree-record.ts";
import type { WorkspaceAccess } from "./access.ts";

type WorktreeMethods = Pick<
  Workspaces,
  | "openWorktree"
  | "findWorktree"
  | "listWorktrees"
  | "removeWorktree"
  | "forgetMoments"
  | "recordMoment"
  | "restoreMoment"
>;

export function createWorktrees(access: WorkspaceAccess): WorktreeMethods {
  const { kit } = access;
  return {
    openWorktree: (request) =>
      access.inTurn(request.workspaceId, () =>
        access.inStore(request.repositoryId, (store) => open(access, request, store)),
      ),
    async findWorktree(workspaceId) {
      const found = await access.find(workspaceId);
      return found.ok ? accept(outside(found.value.place)) : found;
    },
    listWorktrees: () =>
      access.whenReady(async () =>
        accept(Array.from((await access.worktrees()).values(), ({ place }) => outside(place))),
      ),
    removeWorktree: (workspaceId) =>
      access.inTurn(workspaceId, async () => {
        const found = await access.find(workspaceId);
        // What is not there is gone already.
        if (!found.ok) return accept(undefined);
        const { place } = found.value;
        const removed = await remove(access, place);
        if (!removed.ok) return removed;
        // Not waited for; where it fails, the next one does it.
        void access.inRepository(place.repositoryId, () =>
          repackIfLoose(kit.git, place.store).catch(refusalOfFile),
        );
        return accept(undefined);
      }),
    forgetMoments: (repositoryId, workspaceId) =>
      access.inTurn(workspaceId, async () => {
        const store = await access.repositories.find(repositoryId);
        // What is not there is forgotten already.
        if (!store.ok) return store.code === "repository.missing" ? accept(undefined) : store;
        return store.value.gate.alone(() => forget(access, store.value, workspaceId));
      }),
    recordMoment: (workspaceId, request) =>
      access.inWorktree(workspaceId, ({ chain }) => chain.record(request)),
    restoreMoment: (workspaceId, tree, request) =>
      access.inWorktree(workspaceId, ({ chain }) => chain.restore(tree, request)),
  };
}

async function open(
  access: WorkspaceAccess,
  request: WorktreeRequest,
  store: Store,
): Promise<Outcome<Worktree>> {
  const { workspaceId, repositoryId } = request;
  const worktrees = await access.worktrees();
  const known = worktrees.get(workspaceId)?.place;
  if (known !== undefined && known.repositoryId !== repositoryId) {
    return refuse("workspace.taken", `${workspaceId} is a worktree of ${known.repositoryId}`);
  }
  if (known !== undefined) {
    if (await isFolder(known.folder)) return accept(outside(known));
    // Somebody took the folder away; it is made again from its last moment.
    const removed = await removeWorktree(access.kit, known);
    if (!removed.ok) return removed;
    worktrees.delete(workspaceId);
  }
  const made = await openWorktree(access.kit, request, (work) =>
    access.inRepository(repositoryId, work),
  );
  if (!made.ok) return made;
  worktrees.set(workspaceId, access.inUse(store, made.value));
  return accept(outside(made.value));
}

async function remove(access: WorkspaceAccess, place: WorktreePlace): Promise<Outcome<unknown>> {
  (await access.worktrees()).delete(place.workspaceId);
  return removeWorktree(access.kit, place);
}

async function forget(
  access: WorkspaceAccess,
  { id, gitDir, objects }: Store,
  workspaceId: string,
): Promise<Outcome<void>> {
  const { git } = access.kit;
  const known = await access.worktrees();
  const place = known.get(workspaceId)?.place;
  if (place?.repositoryId === id) {
    const removed = await remove(access, place);
    if (!removed.ok) return removed;
  }
  const dropped = await dropRefs(git, gitDir, workspaceId);
  if (!dropped.ok) return dropped;
  const sites = [...known.values()].map((each) => each.place);
  const own = sites.filter(({ repositoryId }) => repositoryId === id);
  const pruned = await access.inRepository(id, () => pruneStore(git, gitDir, own));
  // The git that reads objects has files open that are gone.
  objects.close();
  return pruned.ok ? accept(undefined) : pruned;
}

function outside(place: WorktreePlace): Worktree {
  const { repositoryId, workspaceId, folder, gitFile, store, programs, commit, tree } = place;
  return { repositoryId, workspaceId, folder, gitFile, store, programs, commit, tree };
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
