/** `atrium config`: the server's settings, read and changed while it runs. */
import { CliError, EXIT } from "../../command-line/cli-error.ts";
import { command, group } from "../../command-line/command.ts";
import { SERVER_OPTIONS, usageError } from "../../command-line/read-args.ts";
import { connectServer } from "../../server/connect-server.ts";
import { findServer } from "../../server/find-server.ts";
import { isRecord } from "../../server/settings.ts";
import { changeSettings } from "./change-settings.ts";
import { readKey } from "./read-key.ts";

const OPTIONS = { json: { type: "boolean", help: "print JSON" }, ...SERVER_OPTIONS } as const;

const get = command({
  name: "config get",
  calls: [["config get [PATH]", "show the settings in effect, or one of them; no secrets"]],
  options: SERVER_OPTIONS,
  examples: ["atrium config get budgets.run", "atrium config get agents.agent_eng_1.name"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const [path = ""] = positionals;
    await using client = await connectServer(await findServer(values, environment));
    const { values: shown } = await client.call("settings.get", {});
    const agents = Object.fromEntries(crewRows(shown).map((row) => [String(row["id"]), row]));
    const found = path === "" ? shown : valueAt({ ...shown, agents }, path.split("."));
    if (found === undefined) throw new CliError(`There is no setting ${path}.`);
    environment.terminal.out(
      `${typeof found === "string" ? found : JSON.stringify(found, null, 2)}\n`,
    );
    return EXIT.ok;
  },
});

const set = command({
  name: "config set",
  calls: [["config set PATH VALUE", "change a setting at once; the value is JSON or text"]],
  options: OPTIONS,
  examples: [
    "atrium config set budgets.run.cost 2",
    `atrium config set agents.agent_eng_1.skills '["/home/me/skills/review"]'`,
    `atrium config set repositories.shop.mcpServers.docs '{"command": "docs-mcp"}'`,
  ],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const [path, value, extra] = positionals;
    if (path === undefined || value === undefined || extra !== undefined) {
      throw usageError("config set", "Usage: atrium config set PATH VALUE");
    }
    await using client = await connectServer(await findServer(values, environment));
    return await changeSettings(
      client,
      { patch: patchAt(path, parse(value)) },
      environment,
      values.json,
    );
  },
});

const unset = command({
  name: "config unset",
  calls: [["config unset PATH", "remove a setting, so that its default holds"]],
  options: OPTIONS,
  examples: ["atrium config unset budgets.run.cost"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const [path, extra] = positionals;
    if (path === undefined || extra !== undefined) {
      throw usageError("config unset", "Usage: atrium config unset PATH");
    }
    await using client = await connectServer(await findServer(values, environment));
    return await changeSettings(client, { patch: patchAt(path, null) }, environment, values.json);
  },
});

const keepKey = command({
  name: "config keep-key",
  calls: [["config keep-key NAME", "keep a key with the server; it is read from standard input"]],
  options: SERVER_OPTIONS,
  examples: ["atrium config keep-key OPENAI_API_KEY < key.txt"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const [name, extra] = positionals;
    if (name === undefined || extra !== undefined) {
      // Not repeated: it may be the key.
      throw usageError("config keep-key", "Usage: atrium config keep-key NAME < FILE");
    }
    const { terminal } = environment;
    const value = await readKey("config keep-key", environment);
    await using client = await connectServer(await findServer(values, environment));
    await client.call("settings.key.set", { name, value });
    terminal.out(`${name} is kept. Runtimes that name it use it from now on.\n`);
    return EXIT.ok;
  },
});

const removeKey = command({
  name: "config remove-key",
  calls: [["config remove-key NAME", "forget a key that is kept with the server"]],
  options: SERVER_OPTIONS,
  examples: ["atrium config remove-key OPENAI_API_KEY"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const [name, extra] = positionals;
    if (name === undefined || extra !== undefined) {
      throw usageError("config remove-key", "Usage: atrium config remove-key NAME");
    }
    await using client = await connectServer(await findServer(values, environment));
    await client.call("settings.key.remove", { name });
    environment.terminal.out(`${name} is removed.\n`);
    return EXIT.ok;
  },
});

export const config = group("config", [get, set, unset, keepKey, removeKey]);

function patchAt(path: string, value: unknown): Record<string, unknown> {
  const [first = "", ...rest] = path.split(".");
  return { [first]: rest.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) };
}

function valueAt(from: unknown, path: readonly string[]): unknown {
  let found = from;
  for (const name of path) {
    if (!isRecord(found) || !Object.hasOwn(found, name)) return undefined;
    found = new Map(Object.entries(found)).get(name);
  }
  return found;
}

function crewRows(shown: Readonly<Record<string, unknown>>): readonly Record<string, unknown>[] {
  const { crew } = shown;
  if (!Array.isArray(crew)) return [];
  return crew.flatMap((row: unknown) => (isRecord(row) ? [row] : []));
}

/** A number, true, a list: whatever is JSON; anything else is text. */
function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
