/** `atrium join` and `atrium leave`: whether sessions that you start in a terminal appear in the office. */
import { rmSync } from "node:fs";
import { CliError, EXIT } from "../../command-line/cli-error.ts";
import { command } from "../../command-line/command.ts";
import { SERVER_OPTIONS, usageError } from "../../command-line/read-args.ts";
import { readChosenHome } from "../../server/find-server.ts";
import type { WrittenPlugin } from "./installation.ts";
import { choosePrograms, JOINABLE, type JoinableProgram } from "./joinable-program.ts";
import { joinProgram, leaveProgram, type Membership } from "./membership.ts";
import { pluginFolder, writeConsent, writePlugin } from "./plugin-folder.ts";
import { readRecord } from "./settings-record.ts";

const { home, config } = SERVER_OPTIONS;
const OPTIONS = { json: { type: "boolean", help: "print JSON" }, home, config } as const;

export const join = command({
  name: "join",
  calls: [["join [PROGRAM…]", "show the sessions you start in a terminal in the office"]],
  options: {
    "ask-here": {
      type: "boolean",
      help: "ask in Atrium also where that keeps the program's own dialog closed (codex, qwen, copilot)",
    },
    wake: {
      type: "boolean",
      help: "let messages wake idle sessions, by a token that the program makes for Atrium (qwen)",
    },
    tasks: {
      type: "boolean",
      help: "let sessions take open tasks of your projects, when you tell them to",
    },
    ...OPTIONS,
  },
  examples: [
    "atrium join",
    "atrium join claude-code --tasks",
    "atrium join codex --ask-here",
    "atrium join qwen --wake",
  ],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const programs = choosePrograms("join", positionals, environment.env);
    if (programs.length === 0) {
      const known = JOINABLE.map(({ command: name }) => name).join(", ");
      throw new CliError("No program was found that can join.", {
        advice: `Install one of these, or add it to your PATH: ${known}`,
      });
    }
    const wakes = values.wake === true;
    if (wakes && programs.every(({ waking }) => waking === undefined)) {
      throw usageError("join", "--wake is for Qwen Code: atrium join qwen --wake");
    }
    const folder = readChosenHome(values, environment);
    const chosen = programs.map(({ id }) => id);
    const plugin = writePlugin(folder, {
      programs: chosen,
      asksHere: values["ask-here"] === true,
      takesTasks: values.tasks === true,
    });
    const membership = { home: folder, environment, wakes };
    const { joined, failures } = await joinAll(programs, plugin, membership);
    const { out, paint } = environment.terminal;
    if (values.json === true) out(`${JSON.stringify({ joined: joined.map(({ id }) => id) })}\n`);
    else {
      for (const { title, waking, advice = "" } of joined) {
        const sentence = `${paint.strong(title)} has joined. New sessions appear in the office.`;
        const woken = wakes && waking !== undefined ? "Messages wake idle ones." : "";
        out(`${[sentence, woken, advice].filter((each) => each !== "").join(" ")}\n`);
      }
    }
    const [failure, ...others] = failures;
    if (failure === undefined) return EXIT.ok;
    for (const { message } of others) environment.terminal.err(`atrium: ${message}\n`);
    throw failure;
  },
});

interface Joining {
  readonly joined: readonly JoinableProgram[];
  readonly failures: readonly CliError[];
}

/** One that does not take the plugin keeps none of the others from it. */
async function joinAll(
  programs: readonly JoinableProgram[],
  plugin: WrittenPlugin,
  membership: Membership & { readonly wakes: boolean },
): Promise<Joining> {
  const joined: JoinableProgram[] = [];
  const failures: CliError[] = [];
  for (const program of programs) {
    try {
      await joinProgram(program, plugin, membership);
      if (membership.wakes) await allowWaking(program, membership);
      joined.push(program);
    } catch (cause) {
      if (!(cause instanceof CliError)) throw cause;
      failures.push(cause);
    }
  }
  return { joined, failures };
}

async function allowWaking(program: JoinableProgram, membership: Membership): Promise<void> {
  const folder = program.settingsFolder(membership.environment.env);
  await program.waking?.allow(folder, membership);
}

export const leave = command({
  name: "leave",
  calls: [["leave [PROGRAM…]", "remove the plugin, with all settings as they were"]],
  options: OPTIONS,
  examples: ["atrium leave", "atrium leave claude-code"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const folder = readChosenHome(values, environment);
    const joined = JOINABLE.filter(({ id }) => readRecord(folder, id) !== undefined);
    const named = positionals.length > 0;
    const programs = named ? choosePrograms("leave", positionals, environment.env) : joined;
    const left: string[] = [];
    for (const program of programs) {
      if (await leaveProgram(program, { home: folder, environment })) left.push(program.title);
    }
    const remaining = JOINABLE.some(({ id }) => readRecord(folder, id) !== undefined);
    if (!remaining) {
      rmSync(pluginFolder(folder), { recursive: true, force: true });
      writeConsent(folder, false);
    }
    const { out } = environment.terminal;
    if (values.json === true) out(`${JSON.stringify({ left })}\n`);
    else out(left.length === 0 ? "None of them had joined.\n" : `${left.join(", ")} has left.\n`);
    return EXIT.ok;
  },
});
