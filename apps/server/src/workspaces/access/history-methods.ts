import { compareTrees, readPatch, readWholePatch } from "../history/compare-trees.ts";
import { listFolder, readFile } from "../history/read-history.ts";
import type { Workspaces } from "../port/workspaces.ts";
/** The past of a store, by the ids of its trees. */
import type { WorkspaceAccess } from "./access.ts";

type HistoryMethods = Pick<
  Workspaces,
  "listFolder" | "readFile" | "compareTrees" | "readPatch" | "readWholePatch"
>;

export function createHistory(access: WorkspaceAccess): HistoryMethods {
  const { git } = access.kit;
  const { repositories } = access;
  return {
    async listFolder(repositoryId, tree, path) {
      const store = await repositories.find(repositoryId);
      if (!store.ok) return store;
      const { gate, objects } = store.value;
      return gate.among(() => listFolder(objects, tree, path));
    },
    async readFile(repositoryId, tree, path, maxBytes) {
      const store = await repositories.find(repositoryId);
      if (!store.ok) return store;
      const { gate, objects } = store.value;
      return gate.among(() => readFile(objects, tree, path, maxBytes));
    },
    async compareTrees(repositoryId, from, to) {
      const store = await repositories.find(repositoryId);
      return store.ok ? compareTrees(git, store.value.gitDir, from, to) : store;
    },
    async readPatch(repositoryId, request) {
      const store = await repositories.find(repositoryId);
      return store.ok ? readPatch(git, store.value.gitDir, request) : store;
    },
    async readWholePatch(repositoryId, request) {
      const store = await repositories.find(repositoryId);
      return store.ok ? readWholePatch(git, store.value.gitDir, request) : store;
    },
  };
}
