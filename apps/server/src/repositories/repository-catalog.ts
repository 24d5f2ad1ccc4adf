/** Which repositories people have attached, by id. */
import type { RepositorySource } from "../workspaces/port/workspaces.ts";

export interface RepositoryCatalog {
  find(id: string): RepositorySource | undefined;
  list(): readonly RepositorySource[];
}

export function createRepositoryCatalog(sources: readonly RepositorySource[]): RepositoryCatalog {
  const byId = new Map(sources.map((source) => [source.id, source]));
  return { find: (id) => byId.get(id), list: () => [...byId.values()] };
}
