/** Lines, changes and landing, by git. */
import { accept } from "@atrium/core";
import type { WorkspaceAccess } from "../access/access.ts";
import type { Landing } from "../port/landing.ts";
import { findLine, openLine } from "../store/lines.ts";
import { land, revert, update } from "./land.ts";
import { openCheckout } from "./open-checkout.ts";
import { rebaseWorktree } from "./rebase-worktree.ts";
import { seal, sealEdits } from "./seal.ts";

export function createLanding(access: WorkspaceAccess): Omit<Landing, "readWholePatch"> {
  const { git } = access.kit;
  return {
    openLine: (repositoryId, lineId) =>
      access.onLine(repositoryId, lineId, ({ gitDir }) => openLine(git, gitDir, lineId)),
    findLine: (repositoryId, lineId) =>
      access.onLine(repositoryId, lineId, ({ gitDir }) => findLine(git, gitDir, lineId)),
    seal: (workspaceId, request) =>
      access.inWorktree(workspaceId, (worktree) => seal(git, worktree, request)),
    sealEdits: (workspaceId, request) =>
      access.inWorktree(workspaceId, (worktree) => sealEdits(git, worktree, request)),
    land: (repositoryId, lineId, request) =>
      access.onLine(repositoryId, lineId, (store) => land({ git, store, lineId }, request)),
    revertLanded: (repositoryId, lineId, request) =>
      access.onLine(repositoryId, lineId, (store) => revert({ git, store, lineId }, request)),
    updateLine: (repositoryId, lineId, request) =>
      access.onLine(repositoryId, lineId, (store) =>
        update({ git, store, lineId }, request, () =>
          access.inRepository(repositoryId, () => access.repositories.sync(repositoryId)),
        ),
      ),
    rebaseWorktree: (workspaceId, request) =>
      access.inTurn(workspaceId, async () => {
        const found = await access.find(workspaceId);
        if (!found.ok) return found;
        const { store } = found.value;
        return store.gate.among(async () => {
          const rebased = await rebaseWorktree(access.kit, found.value, request);
          if (!rebased.ok) return rebased;
          const { place, moment } = rebased.value;
          (await access.worktrees()).set(workspaceId, { ...found.value, place });
          return accept(moment);
        });
      }),
    openCheckout: (repositoryId, commit) =>
      access.inStore(repositoryId, (store) => openCheckout(access, store, commit)),
  };
}
