/** `atrium connect`: has an agent that was found on the server's machine work for the crew. */
import { resolve } from "node:path";
import { connectPatch, type CallResult, type GatewayClient } from "@atrium/client";
import { CliError } from "../../command-line/cli-error.ts";
import { command } from "../../command-line/command.ts";
import { SERVER_OPTIONS, usageError } from "../../command-line/read-args.ts";
import { connectServer } from "../../server/connect-server.ts";
import { findServer } from "../../server/find-server.ts";
import { plainLine } from "../../terminal/plain-text.ts";
import { exitCodeOf, takeTurn } from "../chat/take-turn.ts";
import { changeSettings, crewIn } from "./change-settings.ts";
import { agentId } from "./crew.ts";

type Detection = CallResult<"agents.discover">;
type Detected = Detection["agentPrograms"][number] | Detection["modelServers"][number];

const PERMISSIONS = ["ask", "edit", "sandbox"] as const;
const MAX_MESSAGE = 300;
const TEST_MESSAGE = "Answer with the one word ready. Use no tools.";
const TEST_SESSION = "connect-test";

export const connect = command({
  name: "connect",
  calls: [["connect NAME", "have an agent of this machine work for the crew (atrium agents)"]],
  options: {
    agent: { type: "string", takes: "ID", help: "for this member only" },
    repo: { type: "string", takes: "PATH", help: "let agents work on copies of this repository" },
    permissions: {
      type: "string",
      takes: "ask|edit|sandbox",
      help: "what it may do without asking",
    },
    budget: {
      type: "string",
      takes: "DOLLARS",
      help: "what one run may cost before you are asked",
    },
    test: { type: "boolean", help: "take one short turn afterwards" },
    ...SERVER_OPTIONS,
  },
  examples: ["atrium connect claude --test", "atrium connect ollama --agent eng_1 --budget 1"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const { terminal, cwd } = environment;
    const [name, extra] = positionals;
    if (name === undefined || extra !== undefined) {
      throw usageError("connect", "Usage: atrium connect NAME");
    }
    const permissions = PERMISSIONS.find((each) => each === values.permissions);
    if (values.permissions !== undefined && permissions === undefined) {
      throw usageError("connect", "--permissions is ask, edit or sandbox.");
    }
    const runCost = values.budget === undefined ? undefined : Number(values.budget);
    if (runCost !== undefined && !(runCost > 0)) {
      throw usageError("connect", "--budget is a number of dollars, such as 1.50.");
    }
    await using client = await connectServer(await findServer(values, environment));
    const found = await findDetected(client, name);
    const { values: shown } = await client.call("settings.get", {});
    const member = values.agent === undefined ? undefined : agentId(values.agent);
    const request = { name: found.id, runtime: found.runtime, permissions, runCost };
    const patch = connectPatch({ ...request, agentId: member }, crewIn(shown));
    if (values.repo !== undefined) {
      await client.call("repositories.add", { path: resolve(cwd, values.repo) });
    }
    const code = await changeSettings(client, patch, environment, false);
    if (values.test !== true) {
      terminal.out(`To try it, run: atrium chat hello\n`);
      return code;
    }
    terminal.out(`${costOf(found)}\n`);
    const handle = member === undefined ? "main" : member.slice("agent_".length);
    const partner = { sessionKey: TEST_SESSION, agentId: handle };
    return exitCodeOf(await takeTurn(client, partner, TEST_MESSAGE, terminal));
  },
});

async function findDetected(client: GatewayClient, name: string) {
  const { agentPrograms, modelServers } = await client.call("agents.discover", {});
  const all: readonly Detected[] = [...agentPrograms, ...modelServers];
  const found = all.find(({ id }) => id === name);
  if (found === undefined) {
    const known = all.map(({ id }) => id).join(", ");
    throw new CliError(`${name} is not known here. There are: ${known}.`);
  }
  const { runtime, state, message } = found;
  if (runtime === undefined || !["ready", "login-unknown"].includes(state)) {
    throw new CliError(`${found.name} cannot be connected. ${plainLine(message, MAX_MESSAGE)}`);
  }
  return { ...found, runtime };
}

function costOf(found: Detected): string {
  return "baseUrl" in found
    ? "The test turn is one short message to a model on this machine."
    : "The test turn is one short message. The program sends its own instructions along, some ten thousand tokens, which your plan or key pays.";
}
