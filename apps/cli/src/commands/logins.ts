/** `atrium logins`: browsers that are signed in or wait for it: approve, name and sign them out. */
import type { CallResult, GatewayClient } from "@atrium/client";
import { command } from "../command-line/command.ts";
import { SERVER_OPTIONS } from "../command-line/read-args.ts";
import type { CommandResult, Subcommands } from "../command-line/subcommands.ts";
import { columns } from "../terminal/columns.ts";
import { ago } from "../terminal/measures.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { chooseRow, runSubcommand } from "./run-subcommand.ts";

type Login = CallResult<"logins.list">["logins"][number];

/** Enough of an id to tell it from others. */
const SHORT_ID = 12;
const NAME_LENGTH = 40;

const SUBCOMMANDS: Subcommands = {
  list: { takes: [], run: list },
  approve: {
    takes: ["ID"],
    async run(client, [given = ""]) {
      const { id, name, address } = await choose(client, given);
      const json = await client.call("logins.approve", { id });
      const from = plainLine(address, NAME_LENGTH);
      return { json, text: () => `${plainLine(name, NAME_LENGTH)} from ${from} is approved.\n` };
    },
  },
  rename: {
    takes: ["ID", "NAME"],
    async run(client, [given = "", name = ""]) {
      const { id, name: before } = await choose(client, given);
      const json = await client.call("logins.rename", { id, name });
      const shown = plainLine(before, NAME_LENGTH);
      return { json, text: () => `${shown} is now called ${plainLine(name, NAME_LENGTH)}.\n` };
    },
  },
  revoke: {
    takes: ["ID"],
    async run(client, [given = ""]) {
      const { id, name, isWaiting } = await choose(client, given);
      const json = await client.call("logins.revoke", { id });
      const what = isWaiting ? "was rejected" : "is signed out";
      return { json, text: () => `${plainLine(name, NAME_LENGTH)} ${what}.\n` };
    },
  },
};

export const logins = command({
  name: "logins",
  calls: [
    ["logins [list]", "list browsers that are signed in or wait for approval"],
    ["logins approve ID", "approve a browser on another machine"],
    ["logins rename ID NAME", "rename one; the start of its id is enough"],
    ["logins revoke ID", "sign one out and close its connections, or reject one that waits"],
  ],
  options: { json: { type: "boolean", help: "print JSON" }, ...SERVER_OPTIONS },
  examples: ["atrium logins revoke 3f1c"],
  takesWords: true,
  run: (given, environment) => runSubcommand("logins", SUBCOMMANDS, given, environment),
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
        isWaiting ? paint.doubtful("waiting for approval") : "",
      ]);
      return columns(rows);
    },
  };
}

async function choose(client: GatewayClient, given: string): Promise<Login> {
  const { logins: all } = await client.call("logins.list", {});
  const found = all.filter(({ id }) => id.startsWith(given));
  return chooseRow("logins", "No browser login", given, found);
}
