/** Which repositories there are to work on: those of the settings, and those that people added. */
import type { Answerer, RepositoryDetails, RepositoryList } from "@atrium/core";
import type { ConfiguredRepository } from "./repository-settings.ts";

export interface CatalogRepository extends RepositoryDetails {
  readonly id: string;
  /** Null: it is in the settings, and only they change it. */
  readonly added: { readonly by: Answerer; readonly at: number } | null;
}

export interface RepositoryCatalog {
  find(id: string): CatalogRepository | undefined;
  list(): readonly CatalogRepository[];
}

/** The settings, which may change, win where both have an id. */
export function createRepositoryCatalog(
  settings: readonly ConfiguredRepository[],
  log: Pick<RepositoryList, "list">,
): RepositoryCatalog {
  const list = (): readonly CatalogRepository[] => {
    // What they bring is for their agents, and not for whoever looks.
    const configured = settings.map(({ mcpServers: _servers, skills: _skills, ...each }) => {
      return { ...each, added: null };
    });
    const added = log.list().map(({ by, addedAt: at, ...row }) => ({ ...row, added: { by, at } }));
    const isNew = ({ id }: CatalogRepository): boolean => !settings.some((each) => each.id === id);
    return [...configured, ...added.filter(isNew)];
  };
  return { find: (id) => list().find((each) => each.id === id), list };
}
