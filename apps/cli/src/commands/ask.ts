/** `atrium ask`: has a project done, follows it, and asks here what people have to decide. */
import type { WorldClient } from "@atrium/client";
import { CliError, EXIT } from "../command-line/cli-error.ts";
import { command } from "../command-line/command.ts";
import { SERVER_OPTIONS, usageError } from "../command-line/read-args.ts";
import { readPrompt } from "../command-line/read-prompt.ts";
import { connectWorld } from "../server/connect-world.ts";
import { explainRefusals } from "../server/explain-refusals.ts";
import { findServer } from "../server/find-server.ts";
import { ownAnswer } from "./ask/answer-call.ts";
import { followProject } from "./ask/follow-project.ts";
import { openTurns } from "./ask/open-turns.ts";
import { ProjectView } from "./ask/project-view.ts";

export const ask = command({
  name: "ask",
  calls: [
    ["ask REQUEST…", "have it done in a project and watch it"],
    ["ask --follow ID", "watch a project"],
    ["ask --answer ID ANSWER…", "decide what a project waits for, and exit"],
  ],
  options: {
    repo: { type: "string", takes: "ID", help: "the repository to work on; see atrium repo list" },
    follow: { type: "string", takes: "ID", help: "watch this project until it ends" },
    answer: {
      type: "string",
      takes: "ID",
      help: "a decision, a deliverable (approve, or what to change) or a plan (start)",
    },
    json: { type: "boolean", help: "print its events as JSON, one per line" },
    ...SERVER_OPTIONS,
  },
  examples: ['atrium ask "explain what this does" --repo shop', "atrium ask --follow proj_k3x9"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const { terminal } = environment;
    const { repo, follow, answer, json: isJson = false } = values;
    if (follow !== undefined && (positionals.length > 0 || answer !== undefined)) {
      throw usageError("ask", "--follow takes no request and no --answer.");
    }
    if (repo !== undefined && (follow !== undefined || answer !== undefined)) {
      throw usageError("ask", "--repo goes with a request.");
    }
    if (answer !== undefined && positionals.length === 0) {
      throw usageError("ask", "--answer needs an answer: atrium ask --answer ID ANSWER…");
    }
    const place = await findServer(values, environment);
    const isRequest = follow === undefined && answer === undefined;
    const text = isRequest
      ? await readPrompt("ask", positionals, terminal, 'atrium ask "explain what this does"')
      : "";
    using world = await connectWorld(place);
    return await explainRefusals(async () => {
      if (answer !== undefined) {
        await decide(world, answer, positionals.join(" "));
        terminal.err(terminal.errPaint.quiet("answered\n"));
        return EXIT.ok;
      }
      const view = new ProjectView({ terminal, place, world, isJson });
      const find = async (): Promise<string> => follow ?? (await submit(world, text, repo));
      return followProject({ world, find, isAsker: isRequest, view, terminal });
    });
  },
});

async function submit(
  world: WorldClient,
  text: string,
  repository: string | undefined,
): Promise<string> {
  const request = { text, ...(repository !== undefined && { repository }) };
  const { project_id: id } = await world.command("submit_request", request);
  if (id === undefined) throw new CliError("The server is older than this command.");
  return id;
}

async function decide(world: WorldClient, id: string, words: string): Promise<void> {
  const turn = openTurns(world.snapshot).find((each) => each.id === id);
  if (turn === undefined) {
    throw new CliError(`Nothing that waits for an answer has the id ${id}.`, {
      advice: "To see what a project waits for, run: atrium ask --follow ID",
    });
  }
  const answer = ownAnswer(turn, words);
  if (!answer.ok) throw usageError("ask", answer.problem);
  await answer.send(world);
}
