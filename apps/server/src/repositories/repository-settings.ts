/** Repositories that people attach in the settings. */
import { resolve } from "node:path";
import { findCheckProblem, type RepositoryDetails } from "@atrium/core";
import { Type, type Static } from "@atrium/schema";
import { REPOSITORY_DETAILS } from "@atrium/wire/repository";
import type { Brought } from "../agents/settings/brought-settings.ts";
import { McpServers, mcpServersProblem } from "../agents/settings/mcp-server-settings.ts";
import { SkillFolders, settleSkills } from "../agents/settings/skill-settings.ts";
import { ConfigError } from "../platform/config-error.ts";

const Repository = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      description: "The repository, or any folder; relative to where the server was started.",
    }),
    ...REPOSITORY_DETAILS,
    mcpServers: Type.Optional(McpServers),
    skills: Type.Optional(SkillFolders),
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

/** What it brings is for whoever works in it. */
export interface ConfiguredRepository extends RepositoryDetails, Brought {
  readonly id: string;
}

export function repositoriesIn(
  table: RepositoryTable,
  workingFolder: string,
): readonly ConfiguredRepository[] {
  return Object.entries(table).map(([id, { skills: folders, ...details }]) => {
    const problem = findCheckProblem(details.checks ?? []);
    if (problem !== undefined) throw new ConfigError(`repositories.${id}.checks: ${problem}`);
    const taken = mcpServersProblem(details.mcpServers);
    if (taken !== undefined) throw new ConfigError(`repositories.${id}: ${taken}`);
    const skills = folders && {
      skills: settleSkills(`repositories.${id}`, folders, workingFolder),
    };
    return { id, ...details, ...skills, path: resolve(workingFolder, details.path) };
  });
}
