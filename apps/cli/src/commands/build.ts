/** `atrium build`: has something built, shows how it goes, and asks here what the agent wants to know. */
import { randomUUID } from "node:crypto";
import type { GatewayClient } from "@atrium/client";
import { CliError, EXIT } from "../command-line/cli-error.ts";
import { command } from "../command-line/command.ts";
import { usageError, SERVER_OPTIONS } from "../command-line/read-args.ts";
import { readPrompt } from "../command-line/read-prompt.ts";
import { connectServer } from "../server/connect-server.ts";
import { findAgent } from "../server/find-agent.ts";
import { findServer, type ServerPlace } from "../server/find-server.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { answersFrom } from "./build/answer-call.ts";
import { BuildScreen } from "./build/build-view.ts";
import { JsonView } from "./build/json-view.ts";
import { watchBuild } from "./build/watch-build.ts";
import { printCheckOutput, readCheckOutput, type NamedCheck } from "./files/check-output.ts";
import { readJson } from "./files/read-files.ts";

const EXAMPLE = 'atrium build "a bot that waters plants"';

export const build = command({
  name: "build",
  calls: [
    ["build PROMPT…", "start a build and watch its steps"],
    ["build --follow ID", "watch a build"],
    ["build --answer ID ANSWER…", "answer its question and exit"],
    ["build --follow ID --output CHECK", "print all that a check of it has printed, and exit"],
  ],
  options: {
    agent: { type: "string", takes: "NAME", help: "the agent that builds" },
    repo: { type: "string", takes: "ID", help: "the repository to work on; see atrium repo list" },
    follow: { type: "string", takes: "ID", help: "watch this build from its start until it ends" },
    answer: {
      type: "string",
      takes: "ID",
      help: "an option by id, label or number, or text; NAME=ANSWER for each of several questions",
    },
    output: { type: "string", takes: "CHECK", help: "print all that a check has printed" },
    json: { type: "boolean", help: "print its events as JSON, one per line" },
    ...SERVER_OPTIONS,
  },
  examples: [
    'atrium build "a bot that waters plants"',
    "atrium build --answer 3f1c… team",
    'atrium build --answer 3f1c… audience=team name="Green Thumb"',
  ],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const { terminal, now } = environment;
    const { follow: followed, answer: answered, output, json: isJson = false } = values;
    if (followed !== undefined && (positionals.length > 0 || answered !== undefined)) {
      throw usageError("build", "--follow takes no prompt and no --answer.");
    }
    if (answered !== undefined && positionals.length === 0) {
      throw usageError("build", "--answer needs an answer: atrium build --answer ID ANSWER…");
    }
    if (output !== undefined && followed === undefined) {
      throw usageError(
        "build",
        "--output needs the build: atrium build --follow ID --output CHECK",
      );
    }
    const place = await findServer(values, environment);
    if (output !== undefined && followed !== undefined) {
      return printCheckOutput(place, await checksOf(place, followed), output, terminal);
    }
    if (answered !== undefined) {
      await using client = await connectServer(place);
      return await answerBuild(client, answered, positionals, { terminal, isJson });
    }
    const prompt =
      followed === undefined ? await readPrompt("build", positionals, terminal, EXAMPLE) : "";
    await using client = await connectServer(place);
    const id = followed ?? (await start(client, prompt, values));
    const { build: known } = await client.call("build.get", { id });
    const view = isJson ? new JsonView(terminal) : new BuildScreen(terminal, known, now);
    const readOutput = (checkId: string): Promise<Buffer> => readCheckOutput(place, checkId);
    return await watchBuild(client, id, view, terminal, readOutput);
  },
});

async function checksOf(place: ServerPlace, id: string): Promise<readonly NamedCheck[]> {
  const path = `/api/builds/${encodeURIComponent(id)}/checks`;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own server's, of one version with us
  const { checks } = (await readJson(place, path)) as { readonly checks: readonly NamedCheck[] };
  return checks;
}

async function start(
  client: GatewayClient,
  prompt: string,
  { agent, repo }: { readonly agent?: string | undefined; readonly repo?: string | undefined },
): Promise<string> {
  const who = agent === undefined ? {} : { agent: findAgent(client, agent) };
  const { id } = await client.call("build.start", {
    prompt,
    idempotencyKey: randomUUID(),
    ...who,
    ...(repo !== undefined && { repository: repo }),
  });
  return id;
}

async function answerBuild(
  client: GatewayClient,
  id: string,
  words: readonly string[],
  { terminal, isJson }: { readonly terminal: Terminal; readonly isJson: boolean },
): Promise<number> {
  const { build: known } = await client.call("build.get", { id });
  if (known.question === undefined) {
    throw new CliError(`Build ${id} has no open question. Its stage is ${known.stage}.`, {
      advice: `To watch it, run: atrium build --follow ${id}`,
    });
  }
  const answers = answersFrom(known.question, words);
  const done = await client.call("build.answer", { id, answers });
  if (isJson) terminal.out(`${JSON.stringify({ ...done, answers })}\n`);
  else {
    const { errPaint } = terminal;
    terminal.err(errPaint.quiet(`answered; to watch it, run: atrium build --follow ${id}\n`));
  }
  return EXIT.ok;
}
