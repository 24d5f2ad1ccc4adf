/** How people and programs are shown a repository: what was said of it, and what git says now. */
import type { Outcome } from "@atrium/core";
import { visibleText, type ResultOf } from "@atrium/wire";
import type { repositoriesList } from "@atrium/wire/gateway";
import type { CatalogRepository } from "../../../repositories/repository-catalog.ts";
import type { RepositoryFacts } from "../../../workspaces/port/workspaces.ts";

export type RepositoryView = ResultOf<typeof repositoriesList>["repositories"][number];

export function viewOf(
  { added, path, setup, checks, ...details }: CatalogRepository,
  facts: Outcome<RepositoryFacts>,
): RepositoryView {
  return {
    ...details,
    path: visibleText(path),
    ...(setup !== undefined && { setup: [...setup] }),
    ...(checks !== undefined && {
      checks: checks.map((each) => ({ ...each, command: [...each.command] })),
    }),
    ...(added === null
      ? { origin: "settings" }
      : { origin: "added", addedBy: added.by.name || added.by.id, addedAtMs: added.at }),
    ...(facts.ok
      ? { kind: facts.value.kind, commit: facts.value.commit }
      : { problem: facts.detail ?? facts.code }),
  };
}
