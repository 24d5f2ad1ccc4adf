/** `atrium connect`: has an agent that was found on the server's machine work for the crew. */
import { resolve } from "node:path";
import {
  connectPatch,
  isAskedPerTurn,
  usualModel,
  type CallResult,
  type GatewayClient,
  type RunEnd,
} from "@atrium/client";
import { CliError } from "../../command-line/cli-error.ts";
import { command } from "../../command-line/command.ts";
import { SERVER_OPTIONS, usageError } from "../../command-line/read-args.ts";
import { connectServer } from "../../server/connect-server.ts";
import { findServer } from "../../server/find-server.ts";
import { plainLine } from "../../terminal/plain-text.ts";
import { exitCodeOf, takeTurn } from "../chat/take-turn.ts";
import { changeSettings, crewIn } from "./change-settings.ts";
import { agentId } from "./crew.ts";
import { readKey } from "./read-key.ts";

type Detection = CallResult<"agents.discover">;
type Detected = Detection["agentPrograms"][number] | Detection["modelServers"][number];

const PERMISSIONS = ["ask", "edit", "sandbox"] as const;
const PRESET_SCOPE =
  "--permissions holds where agents work on a copy of a repository; elsewhere they ask as their settings say.";
const PER_TURN = "you are asked once before each of its turns.";
const MAX_MESSAGE = 300;
const MAX_MODELS_TEXT = 4_000;
const TEST_MESSAGE = "Answer with the one word ready. Use no tools.";
const TEST_SESSION = "connect-test";

export const connect = command({
  name: "connect",
  calls: [["connect NAME", "have an agent of this machine work for the crew (atrium agents)"]],
  options: {
    agent: { type: "string", takes: "ID", help: "for this member only" },
    repo: { type: "string", takes: "PATH", help: "let agents work on copies of this repository" },
    model: { type: "string", takes: "MODEL", help: "of a model server, this one of its models" },
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
    tokens: { type: "string", takes: "NUMBER", help: "the same, in tokens" },
    key: {
      type: "string",
      takes: "VARIABLE",
      help: "keep its key with the server, read from standard input",
    },
    test: { type: "boolean", help: "take one short turn afterwards" },
    ...SERVER_OPTIONS,
  },
  examples: [
    "atrium connect claude --test",
    "atrium connect ollama --model qwen3:8b --agent eng_1",
    "atrium connect claude --key ANTHROPIC_API_KEY < key.txt",
  ],
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
    const runCost = positive(values.budget, "--budget is a number of dollars, such as 1.50.");
    const runTokens = positive(values.tokens, "--tokens is a number of tokens, such as 100000.");
    const keyName = values.key;
    const key = keyName === undefined ? undefined : await readKey("connect", environment);
    await using client = await connectServer(await findServer(values, environment));
    const found = await findDetected(client, name, keyName);
    const { values: shown } = await client.call("settings.get", {});
    const member = values.agent === undefined ? undefined : agentId(values.agent);
    const model = modelOf(found, shown, values.model);
    const terms = { model, permissions, runCost, runTokens, keyName, agentId: member };
    const { id, runtime } = found;
    const change = connectPatch({ name: id, runtime, ...terms }, crewIn(shown));
    if (values.repo !== undefined) {
      await client.call("repositories.add", { path: resolve(cwd, values.repo) });
    }
    if (keyName !== undefined && key !== undefined) {
      await client.call("settings.key.set", { name: keyName, value: key });
    }
    const code = await changeSettings(client, change, environment, false);
    if (permissions !== undefined) terminal.out(`${PRESET_SCOPE}\n`);
    if (isAskedPerTurn({ runtime, permissions })) {
      terminal.out(`${found.name} asks about no single tool: ${PER_TURN}\n`);
    }
    if (values.test !== true) {
      terminal.out(`To try it, run: atrium chat hello\n`);
      return code;
    }
    terminal.out(`${costOf(found)}\n`);
    const handle = member === undefined ? "main" : member.slice("agent_".length);
    const partner = { sessionKey: TEST_SESSION, agentId: handle };
    const end = await takeTurn(client, partner, TEST_MESSAGE, terminal);
    if (end !== "left") terminal.err(`${describeTurn(end)}\n`);
    return exitCodeOf(end);
  },
});

function positive(given: string | undefined, usage: string): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (!(number > 0)) throw usageError("connect", usage);
  return number;
}

/** With a key, one that is not logged in will do. */
async function findDetected(client: GatewayClient, name: string, keyName: string | undefined) {
  const { agentPrograms, modelServers } = await client.call("agents.discover", {});
  const all: readonly Detected[] = [...agentPrograms, ...modelServers];
  const found = all.find(({ id }) => id === name);
  if (found === undefined) {
    const known = all.map(({ id }) => id).join(", ");
    throw new CliError(`${name} is not known here. There are: ${known}.`);
  }
  const { runtime, state, message } = found;
  const keys: readonly string[] = "keys" in found ? found.keys : [];
  if (keyName !== undefined && !keys.includes(keyName)) {
    const known = keys.length === 0 ? "takes no key" : `takes a key in ${keys.join(" or ")}`;
    throw new CliError(`${found.name} ${known}.`);
  }
  const usable = ["ready", "login-unknown", ...(keyName === undefined ? [] : ["login-needed"])];
  if (runtime === undefined || !usable.includes(state)) {
    throw new CliError(`${found.name} cannot be connected. ${plainLine(message, MAX_MESSAGE)}`);
  }
  return { ...found, runtime };
}

function describeTurn({ usage }: RunEnd): string {
  const price = usage?.cost === undefined ? undefined : dollarsOf(usage.cost.total);
  if (usage === undefined || usage.totalTokens === 0) return `Cost: ${price ?? "unknown"}.`;
  const tokens = usage.totalTokens.toLocaleString("en-US");
  return `It took ${tokens} tokens, ${price ?? "cost unknown"}.`;
}

/** Cents, and as much more as it takes to see what is small. */
function dollarsOf(cost: number): string {
  return `$${cost.toFixed(cost > 0 && cost < 0.01 ? 6 : 2)}`;
}

/** As the settings have it, unless another is wanted. */
function modelOf(
  found: Detected,
  shown: Readonly<Record<string, unknown>>,
  wanted: string | undefined,
): string | undefined {
  if (!("models" in found)) {
    if (wanted === undefined) return undefined;
    throw new CliError(`--model is for model servers. ${found.name} has a setting for its model.`);
  }
  if (wanted === undefined || found.models.includes(wanted)) {
    return wanted ?? usualModel(found, shown);
  }
  const there = plainLine(found.models.join(", "), MAX_MODELS_TEXT);
  throw new CliError(
    `${found.name} has no model ${plainLine(wanted, MAX_MESSAGE)}. It has: ${there}.`,
  );
}

function costOf(found: Detected): string {
  return "baseUrl" in found
    ? "The test turn is one short message to a model on this machine."
    : "The test turn is one short message. The program sends its own instructions along, some ten thousand tokens, which your plan or key pays.";
}
