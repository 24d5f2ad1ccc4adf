/** `atrium join` and `atrium leave`: whether sessions that you start in a terminal appear in the office. */
import { rmSync } from "node:fs";
import { CliError, EXIT } from "../../command-line/cli-error.ts";
import { command } from "../../command-line/command.ts";
import { SERVER_OPTIONS } from "../../command-line/read-args.ts";
import { readSettings } from "../../server/settings.ts";
import { choosePrograms, JOINABLE } from "./joinable-program.ts";
import { joinProgram, leaveProgram } from "./membership.ts";
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
      help: "ask in Atrium also where that keeps the program's own dialog closed (codex)",
    },
    tasks: {
      type: "boolean",
      help: "let sessions take open tasks of your projects, when you tell them to",
    },
    ...OPTIONS,
  },
  examples: ["atrium join", "atrium join claude-code --tasks", "atrium join codex --ask-here"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const programs = choosePrograms("join", positionals, environment.env);
    if (programs.length === 0) {
      const known = JOINABLE.map(({ command: name }) => name).join(", ");
      throw new CliError("No program was found that can join.", {
        advice: `Install one of these, or add it to your PATH: ${known}`,
      });
    }
    const { home: folder } = readSettings(values, environment);
    const plugin = writePlugin(folder, {
      asksHere: values["ask-here"] === true,
      takesTasks: values.tasks === true,
    });
    for (const program of programs) {
      await joinProgram(program, plugin, { home: folder, environment });
    }
    const { out, paint } = environment.terminal;
    if (values.json === true) {
      out(`${JSON.stringify({ joined: programs.map(({ id }) => id) })}\n`);
      return EXIT.ok;
    }
    for (const { title, advice = "" } of programs) {
      out(`${paint.strong(title)} has joined. New sessions appear in the office. ${advice}`.trim());
      out("\n");
    }
    return EXIT.ok;
  },
});

export const leave = command({
  name: "leave",
  calls: [["leave [PROGRAM…]", "remove the plugin, with all settings as they were"]],
  options: OPTIONS,
  examples: ["atrium leave", "atrium leave claude-code"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const { home: folder } = readSettings(values, environment);
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
