/** Repositories that people attach in the settings. */
import { Type, type Static } from "@atrium/schema";
import type { RepositorySource } from "./workspaces.ts";

const Repository = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      description: "The repository, or any folder; relative to where the server was started.",
    }),
    base: Type.Optional(
      Type.String({
        minLength: 1,
        description: "The branch that work starts from; what is checked out if absent.",
      }),
    ),
  },
  { additionalProperties: false },
);

export const RepositoryTable = Type.Record(
  Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$" }),
  Repository,
  {
    description:
      "Git repositories to make worktrees from, by id. Atrium reads them and keeps its own copy.",
    additionalProperties: false,
  },
);
export type RepositoryTable = Static<typeof RepositoryTable>;

export function sourcesIn(
  table: RepositoryTable,
  resolve: (path: string) => string,
): readonly RepositorySource[] {
  return Object.entries(table).map(([id, { path, base }]) => ({ id, path: resolve(path), base }));
}
