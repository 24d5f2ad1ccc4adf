/** Repositories that people attach in the settings. */
import { findCheckProblem, type RepositoryDetails } from "@atrium/core";
import { Type, type Static } from "@atrium/schema";
import { REPOSITORY_DETAILS } from "@atrium/wire/repository";
import { ConfigError } from "../platform/config-error.ts";

const Repository = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      description: "The repository, or any folder; relative to where the server was started.",
    }),
    ...REPOSITORY_DETAILS,
  },
  { additionalProperties: false },
);

export const RepositoryTable = Type.Record(
  // Ids that begin with own- are those of projects and builds.
  Type.String({ pattern: "^(?![Oo][Ww][Nn]-)[A-Za-z0-9][A-Za-z0-9_-]{0,63}$" }),
  Repository,
  {
    description:
      "Git repositories to make worktrees from, by id. Atrium reads them and keeps its own copy.",
    additionalProperties: false,
  },
);
export type RepositoryTable = Static<typeof RepositoryTable>;

export interface ConfiguredRepository extends RepositoryDetails {
  readonly id: string;
}

export function repositoriesIn(
  table: RepositoryTable,
  resolve: (path: string) => string,
): readonly ConfiguredRepository[] {
  return Object.entries(table).map(([id, details]) => {
    const problem = findCheckProblem(details.checks ?? []);
    if (problem !== undefined) throw new ConfigError(`repositories.${id}.checks: ${problem}`);
    return { id, ...details, path: resolve(details.path) };
  });
}
