/** Which checks a change has to pass: those of its repository, and those its task was given. */
import type { Projects, RepositoryCheck, WorkspacesProjection } from "@atrium/core";
import type { ChangeCheck } from "../../projects/work/changes.ts";
import type { RepositoryCatalog } from "../../repositories/repository-catalog.ts";

export interface ChecksOfDeps {
  readonly projects: Pick<Projects, "ofTask">;
  readonly rows: Pick<WorkspacesProjection, "get">;
  readonly repositories: Pick<RepositoryCatalog, "find">;
}

export type ChecksOf = (taskId: string) => readonly ChangeCheck[];

export function createChecksOf({ projects, rows, repositories }: ChecksOfDeps): ChecksOf {
  return (taskId) => {
    const repositoryId = rows.get(taskId)?.repositoryId ?? "";
    const house = (repositories.find(repositoryId)?.checks ?? []).map(asChangeCheck);
    const names = new Set(house.map(({ name }) => name));
    const commands = new Set(house.map(({ command }) => command));
    const own = (projects.ofTask(taskId)?.task.verify ?? []).filter((line) => !commands.has(line));
    return [
      ...house,
      ...[...new Set(own)].map((command) => {
        // Results are told by name, so no two have the same.
        const name = names.has(command) ? `${command} (task)` : command;
        return { name, command, argv: ["/bin/sh", "-c", command], isRequired: true };
      }),
    ];
  };
}

export function asChangeCheck({
  name,
  command: argv,
  required = false,
}: RepositoryCheck): ChangeCheck {
  return { name, command: argv.map(quoted).join(" "), argv, isRequired: required };
}

/** As one would type it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
