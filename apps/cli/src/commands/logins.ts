/** `atrium logins`: browsers that are signed in or wait to be, to be let in, named and put out. */
import type { CallResult, GatewayClient } from "@atrium/client";
import { CliError, EXIT } from "../command-line/cli-error.ts";
import { command } from "../command-line/command.ts";
import { SERVER_OPTIONS } from "../command-line/read-args.ts";
import {
  pickSubcommand,
  type Subcommands,
  type CommandResult,
} from "../command-line/subcommands.ts";
import { connectServer } from "../server/connect-server.ts";
import { findServer } from "../server/find-server.ts";
import { columns } from "../terminal/columns.ts";
import { ago } from "../terminal/measures.ts";
import { plainLine } from "../terminal/plain-text.ts";

type Login = CallResult<"logins.list">["logins"][number];

/** Enough of an id to tell it from others. */
const SHORT_ID = 12;
const NAME_LENGTH = 40;

const DEEDS: Subcommands = {
  list: { takes: [], run: list },
  approve: {
    takes: ["ID"],
    async run(client, [given = ""]) {
      const { id, name, address } = await choose(client, given);
      const json = await client.call("logins.approve", { id });
      const from = plainLine(address, NAME_LENGTH);
      return { json, text: () => `${plainLine(name, NAME_LENGTH)} from ${from} is let in.\n` };
    },
  },
  rename: {
    takes: ["ID", "NAME"],
    async run(client, [given = "", name = ""]) {
      const { id, name: before } = await choose(client, given);
      const json = await client.call("logins.rename", { id, name });
      const shown = plainLine(before, NAME_LENGTH);
      return { json, text: () => `${shown} is called ${plainLine(name, NAME_LENGTH)} now.\n` };
    },
  },
  revoke: {
    takes: ["ID"],
    async run(client, [given = ""]) {
      const { id, name, isWaiting } = await choose(client, given);
      const json = await client.call("logins.revoke", { id });
      const what = isWaiting ? "was turned away" : "is signed out";
      return { json, text: () => `${plainLine(name, NAME_LENGTH)} ${what}.\n` };
    },
  },
};

export const logins = command({
  name: "logins",
  calls: [
    ["logins [list]", "browsers that are signed in, or wait to be let in"],
    ["logins approve ID", "let one in that signed in from another machine"],
    ["logins rename ID NAME", "call one something; the beginning of an id will do"],
    ["logins revoke ID", "sign one out, and close what it has open; or turn one away that waits"],
  ],
  options: { json: { type: "boolean", says: "for programs" }, ...SERVER_OPTIONS },
  examples: ["atrium logins revoke 3f1c"],
  takesWords: true,
  async run({ values, positionals }, surroundings) {
    const { terminal, now } = surroundings;
    const { deed, given } = pickSubcommand("logins", DEEDS, positionals);
    await using client = await connectServer(await findServer(values, surroundings));
    const told = await deed.run(client, given, Infinity);
    terminal.out(
      values.json === true ? `${JSON.stringify(told.json)}\n` : told.text(terminal.paint, now()),
    );
    return EXIT.ok;
  },
});

async function list(client: GatewayClient): Promise<CommandResult> {
  const json = await client.call("logins.list", {});
  return {
    json,
    text(paint, now) {
      if (json.logins.length === 0) return "No browser is signed in.\n";
      const rows = json.logins.map(({ id, name, address, lastSeenAtMs, isWaiting }) => [
        id.slice(0, SHORT_ID),
        plainLine(name, NAME_LENGTH),
        paint.quiet(plainLine(address, NAME_LENGTH)),
        paint.quiet(ago(now - lastSeenAtMs)),
        isWaiting ? paint.doubtful("waits to be let in") : "",
      ]);
      return columns(rows);
    },
  };
}

async function choose(client: GatewayClient, given: string): Promise<Login> {
  const found = (await client.call("logins.list", {})).logins.filter(({ id }) =>
    id.startsWith(given),
  );
  const [first, second] = found;
  if (first !== undefined && (second === undefined || first.id === given)) return first;
  throw new CliError(
    second === undefined
      ? `No browser is signed in under the id ${given}.`
      : `${given} is the beginning of several ids; give more of it.`,
    { advice: "See which there are with: atrium logins" },
  );
}
