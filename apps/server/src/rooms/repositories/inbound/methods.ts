/** What can be asked of repositories, at the gateway and over plain HTTP alike. */
import { accept, refuse, type Answerer, type Outcome } from "@atrium/core";
import { repositoriesAdd, repositoriesList, repositoriesRemove } from "@atrium/wire/gateway";
import { implement, type Caller, type Method } from "../../../pipeline/method-router.ts";
import type {
  CatalogRepository,
  RepositoryCatalog,
} from "../../../repositories/repository-catalog.ts";
import type { RepositoryCommands } from "../../../repositories/repository-commands.ts";
import type { RepositoryFacts, RepositorySource } from "../../../workspaces/port/workspaces.ts";
import { viewOf, type RepositoryView } from "../outbound/repository-view.ts";

export interface RepositoryMethodDeps {
  readonly catalog: RepositoryCatalog;
  readonly commands: RepositoryCommands;
  readonly openRepository: (source: RepositorySource) => Promise<Outcome<RepositoryFacts>>;
}

export interface RepositoryMethods<Who extends Caller> {
  readonly list: Method<Who>;
  readonly add: Method<Who>;
  readonly remove: Method<Who>;
}

export function repositoryMethods<Who extends Caller>(
  { catalog, commands, openRepository }: RepositoryMethodDeps,
  answererOf: (caller: Who) => Answerer,
): RepositoryMethods<Who> {
  const view = async (repository: CatalogRepository): Promise<RepositoryView> => {
    const { id, path, base } = repository;
    return viewOf(repository, await openRepository({ id, path, base }));
  };

  return {
    list: implement<typeof repositoriesList, Who>(repositoriesList, async () =>
      accept({ repositories: await Promise.all(catalog.list().map(view)) }),
    ),

    add: implement<typeof repositoriesAdd, Who>(
      repositoriesAdd,
      async ({ idempotencyKey: _key, ...request }, { caller, key }) => {
        const added = await commands.add(request, answererOf(caller), key);
        if (!added.ok) return added;
        const found = catalog.find(added.value);
        if (found === undefined) return refuse("repository.missing", added.value);
        return accept({ repository: await view(found) });
      },
    ),

    remove: implement<typeof repositoriesRemove, Who>(
      repositoriesRemove,
      async ({ id }, { caller, key }) => {
        const removed = await commands.remove(id, answererOf(caller), key);
        return removed.ok ? accept({ id: removed.value }) : removed;
      },
    ),
  };
}
