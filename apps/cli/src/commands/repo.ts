/** `atrium repo`: the repositories that agents may work on. */
import { resolve } from "node:path";
import type { CallResult } from "@atrium/client";
import { EXIT } from "../command-line/cli-error.ts";
import { command, group } from "../command-line/command.ts";
import type { Environment } from "../command-line/environment.ts";
import { SERVER_OPTIONS, usageError } from "../command-line/read-args.ts";
import type { CommandResult } from "../command-line/subcommands.ts";
import { connectServer } from "../server/connect-server.ts";
import { findServer } from "../server/find-server.ts";
import { columns } from "../terminal/columns.ts";
import { plainLine } from "../terminal/plain-text.ts";

type Repository = CallResult<"repositories.list">["repositories"][number];

const OPTIONS = { json: { type: "boolean", help: "print JSON" }, ...SERVER_OPTIONS } as const;
const SHORT_COMMIT = 9;
const MAX_PATH = 200;
const MAX_PROBLEM = 300;

const list = command({
  name: "repo list",
  calls: [["repo list", "list the repositories and whether each can be used"]],
  options: OPTIONS,
  examples: ["atrium repo list --json"],
  async run({ values }, environment) {
    await using client = await connectServer(await findServer(values, environment));
    const json = await client.call("repositories.list", {});
    return print(environment, values.json, {
      json,
      text(paint) {
        if (json.repositories.length === 0) {
          return "There are no repositories. Add one: atrium repo add PATH\n";
        }
        const rows = json.repositories.map((each) => [
          paint.strong(plainLine(each.id, MAX_PATH)),
          plainLine(each.path, MAX_PATH),
          each.problem === undefined
            ? paint.quiet(stateOf(each))
            : paint.bad(plainLine(each.problem, MAX_PROBLEM)),
        ]);
        return columns(rows);
      },
    });
  },
});

const add = command({
  name: "repo add",
  calls: [["repo add PATH", "let agents work on copies of a repository or folder"]],
  options: {
    id: { type: "string", takes: "ID", help: "what to call it; without it, the folder's name" },
    base: { type: "string", takes: "BRANCH", help: "where work starts; what is checked out" },
    ...OPTIONS,
  },
  examples: ["atrium repo add ../shop", "atrium repo add . --id site --base main"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const [path] = positionals;
    if (path === undefined || positionals.length > 1) {
      throw usageError("repo add", "Usage: atrium repo add PATH");
    }
    const { id, base, json: isJson } = values;
    await using client = await connectServer(await findServer(values, environment));
    const json = await client.call("repositories.add", {
      path: resolve(environment.cwd, path),
      ...(id !== undefined && { id }),
      ...(base !== undefined && { base }),
    });
    const { repository } = json;
    return print(environment, isJson, {
      json,
      text: () =>
        `${repository.id} is ${plainLine(repository.path, MAX_PATH)}. ` +
        `Agents work on copies of it.\n` +
        `To ask for work, run: atrium ask "…" --repo ${repository.id}\n`,
    });
  },
});

const remove = command({
  name: "repo remove",
  calls: [["repo remove ID", "forget one; its folder and what was made of it stay"]],
  options: OPTIONS,
  examples: ["atrium repo remove shop"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const [id] = positionals;
    if (id === undefined || positionals.length > 1) {
      throw usageError("repo remove", "Usage: atrium repo remove ID");
    }
    await using client = await connectServer(await findServer(values, environment));
    const json = await client.call("repositories.remove", { id });
    return print(environment, values.json, { json, text: () => `${json.id} is removed.\n` });
  },
});

export const repo = group("repo", [list, add, remove]);

function stateOf({ kind, commit = "", base, origin }: Repository): string {
  const start = kind === "folder" ? "without git" : `from ${commit.slice(0, SHORT_COMMIT)}`;
  const branch = base === undefined ? "" : ` on ${plainLine(base, MAX_PATH)}`;
  return `${start}${branch}${origin === "settings" ? ", in the settings" : ""}`;
}

function print(
  { terminal, now }: Environment,
  isJson: boolean | undefined,
  { json, text }: CommandResult,
): number {
  terminal.out(isJson === true ? `${JSON.stringify(json)}\n` : text(terminal.paint, now()));
  return EXIT.ok;
}
