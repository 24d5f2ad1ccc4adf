/** `atrium crew`: who works here. */
import { CliError } from "../../command-line/cli-error.ts";
import { command, group } from "../../command-line/command.ts";
import { SERVER_OPTIONS, usageError } from "../../command-line/read-args.ts";
import { connectServer } from "../../server/connect-server.ts";
import { findServer } from "../../server/find-server.ts";
import { changeSettings, crewIn } from "./change-settings.ts";

const OPTIONS = { json: { type: "boolean", help: "print JSON" }, ...SERVER_OPTIONS } as const;

const add = command({
  name: "crew add",
  calls: [["crew add ID NAME", "add a member; its id has lowercase letters, digits and _"]],
  options: {
    role: { type: "string", takes: "ROLE", help: "what it does; engineer" },
    runtime: { type: "string", takes: "NAME", help: "what drives it; as the rest of the crew" },
    desk: { type: "string", takes: "NUMBER", help: "its desk, 1 to 8; the first that is free" },
    look: { type: "string", takes: "NUMBER", help: "how it looks, 1 to 999; made of its id" },
    ...OPTIONS,
  },
  examples: ['atrium crew add ops "Olga" --role operator --desk 8'],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const [id, name] = wordsOf("crew add", "ID NAME", positionals);
    const { role: does = "engineer", runtime, desk: at, look: looks } = values;
    const member = {
      name,
      role: does,
      ...(runtime !== undefined && { runtime }),
      ...(at !== undefined && { desk: numberOf(at) }),
      ...(looks !== undefined && { look: numberOf(looks) }),
    };
    await using client = await connectServer(await findServer(values, environment));
    const patch = { agents: { [agentId(id)]: member } };
    return await changeSettings(client, { patch }, environment, values.json);
  },
});

const rename = changing("rename NAME", "give a member another name", "Ada", (name) => ({ name }));
const role = changing("role ROLE", "give a member another role", "tester", (text) => ({
  role: text,
}));
const desk = changing("desk NUMBER", "give a member a desk, 1 to 8, or any", "3", (number) => ({
  desk: numberOr("any", number),
}));
const look = changing(
  "look NUMBER",
  "give a member another look, 1 to 999, or own",
  "7",
  (number) => ({ look: numberOr("own", number) }),
);

const remove = command({
  name: "crew remove",
  calls: [["crew remove ID", "take a member off the crew; its conversations stay"]],
  options: OPTIONS,
  examples: ["atrium crew remove writer_1"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const [id, extra] = positionals;
    if (id === undefined || extra !== undefined) {
      throw usageError("crew remove", "Usage: atrium crew remove ID");
    }
    await using client = await connectServer(await findServer(values, environment));
    const patch = { agents: { [agentId(id)]: null } };
    return await changeSettings(client, { patch }, environment, values.json);
  },
});

export const crew = group("crew", [add, rename, role, desk, look, remove]);

/** Null removes it, so that the usual one holds. */
function numberOr(usual: string, given: string): number | string | null {
  return given === usual ? null : numberOf(given);
}

/** What is no number is left to the server, which says what it should be. */
function numberOf(given: string): number | string {
  const number = Number(given);
  return Number.isNaN(number) ? given : number;
}

/** `call` is what is typed after `crew`, without the id. */
function changing(
  call: string,
  what: string,
  example: string,
  patchOf: (value: string) => Readonly<Record<string, unknown>>,
) {
  const [verb = "", word = ""] = call.split(" ");
  const name = `crew ${verb}`;
  return command({
    name,
    calls: [[`${name} ID ${word}`, what]],
    options: OPTIONS,
    examples: [`atrium ${name} eng_1 ${example}`],
    takesWords: true,
    async run({ values, positionals }, environment) {
      const [id, value] = wordsOf(name, `ID ${word}`, positionals);
      await using client = await connectServer(await findServer(values, environment));
      const { values: shown } = await client.call("settings.get", {});
      if (!crewIn(shown).some((member) => member.id === agentId(id))) {
        throw new CliError(`Nobody of the crew is called ${id}.`);
      }
      const patch = { agents: { [agentId(id)]: patchOf(value) } };
      return await changeSettings(client, { patch }, environment, values.json);
    },
  });
}

function wordsOf(
  name: string,
  usage: string,
  [first, second, extra]: readonly string[],
): readonly [string, string] {
  if (first === undefined || second === undefined || extra !== undefined) {
    throw usageError(name, `Usage: atrium ${name} ${usage}`);
  }
  return [first, second];
}

/** People leave the prefix out, as the gateway does. */
export function agentId(id: string): string {
  if (id === "main") return "agent_bd";
  return id.startsWith("agent_") ? id : `agent_${id}`;
}
