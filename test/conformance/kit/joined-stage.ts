/**
 * A real agent program that someone starts by hand: in a terminal, with a home of its own, offline, and with whatever
 * `atrium join` has installed. Its model does as it is told: a prompt `Run: …` runs that, `Look …` takes a while.
 */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { runCli, type CliResult } from "../../kit/cli-process.ts";
import { decision, joinedAgent, nextJoined } from "../../kit/joined-office.ts";
import type { Behavior, ToolCall } from "../../kit/model-server/behavior.ts";
import type { WorldPeer } from "../../kit/world-peer.ts";
import { USAGE, type Answer, type Asked } from "./agent-stage.ts";
import { openTerminal, type Terminal } from "./pseudo-terminal.ts";

export interface HandStartedProgram {
  readonly command: string;
  /** What the command runs. */
  readonly call: readonly string[];
  /** The call of its tool that runs this. */
  readonly runs: (command: string) => { readonly name: string; readonly input: object };
  /** The call of one of our tools; left out: by the name that its model is shown. */
  readonly callsOurs?: (tool: string, input: object) => ToolCall;
  /** What its model has to call before that. */
  readonly looksFor?: { readonly name: string; readonly input: object };
  openModel(answer: Answer, home: string): Promise<HandStartedModel>;
}

export interface HandStartedModel extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  /** All that it was asked, as text. */
  heard(): string;
}

export interface JoinedStage extends AsyncDisposable {
  /** Of the program's user. */
  readonly userHome: string;
  /** Of Atrium. */
  readonly home: string;
  readonly project: string;
  readonly model: HandStartedModel;
  cli(...args: string[]): Promise<CliResult>;
  start(...args: string[]): Terminal;
  /** Writes a file of the program's settings, and tells later whether it is as it was. */
  settings(path: string, text: string): { isAsBefore(): boolean };
}

export async function openJoinedStage(
  program: HandStartedProgram,
  answer: Answer = (asked) => behave(program, asked),
): Promise<JoinedStage> {
  const base = mkdtempSync(join(tmpdir(), `atrium-joined-${program.command}-`));
  const [userHome, project, bin, home] = ["user", "project", "bin", "home"].map((name) =>
    join(base, name),
  ) as [string, string, string, string];
  for (const each of [userHome, project, bin]) mkdirSync(each);
  const words = program.call.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, program.command), `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(bin, program.command), 0o755);
  const model = await program.openModel(answer, userHome);
  const env = {
    PATH: [bin, "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    HOME: userHome,
    USER: "ann",
    LANG: "C.UTF-8",
    ...model.env,
  };
  return {
    userHome,
    home,
    project,
    model,
    cli: (...args) => runCli([...args, "--home", home], { env }),
    start: (...args) => openTerminal(join(bin, program.command), args, { cwd: project, env }),
    settings(path, text) {
      const file = join(userHome, path);
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, text);
      return { isAsBefore: () => readFileSync(file, "utf8") === text };
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      rmSync(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Programs take a Return right behind a text for a line that was pasted. */
const PERSONS_PAUSE_MS = 500;

/** Types it as a person does: the text first, and once it is on the screen, Return. */
export async function submit(terminal: Terminal, text: string): Promise<void> {
  terminal.type(text);
  await terminal.shows(new RegExp(text.slice(-8).replaceAll(/[.*+?]/g, String.raw`\$&`)));
  await setTimeout(PERSONS_PAUSE_MS);
  terminal.type("\r");
}

/** Leaves a message while a turn is under way, which takes it at its end. Before this, the session rests. */
export async function leaveWhileWorking(
  { model }: Pick<JoinedStage, "model">,
  peer: WorldPeer,
  terminal: Terminal,
): Promise<void> {
  const working = nextJoined(peer, ({ status }) => status === "working");
  await submit(terminal, "Look around");
  await working;
  const { agent_id } = await joinedAgent(peer, () => true);
  await peer.ask("leave_message", { agent_id, text: "Mind the tides." });
  await joinedAgent(
    peer,
    ({ joined, status }) => joined.messages?.[0]?.moment === "turn-end" && status === "idle",
  );
  assert.match(model.heard(), /left a message in Atrium: Mind the tides/);
}

/** Someone in the office answers what is asked about this command, and the turn ends. */
export async function answerInOffice(
  peer: WorldPeer,
  command: string,
  choice: "Allow" | "Deny",
): Promise<void> {
  const { decision_id } = await decision(
    peer,
    ({ status, prompt }) => status === "open" && prompt.includes(command),
  );
  const rested = nextJoined(peer, ({ status }) => status === "idle");
  await peer.ask("resolve_decision", { decision_id, choice });
  await rested;
}

function behave({ runs }: HandStartedProgram, { said, returned }: Asked): Behavior {
  const [, command] = /Run: (.*?)$/m.exec(said) ?? [];
  if (command !== undefined && returned.length === 0) {
    return { type: "answer", chunks: [], toolCalls: [runs(command)], usage: USAGE };
  }
  const isLong = said.includes("Look around") && !said.includes("left a message");
  return {
    type: "answer",
    chunks: isLong ? ["Let", " me", " see."] : ["Done."],
    chunkDelayMs: isLong ? 1_000 : 0,
    usage: USAGE,
  };
}
