/**
 * `atrium attach`: an agent's session goes on in this terminal. Our process becomes the agent's program, so that the
 * server sees when it has ended, whatever ended it.
 */
import { spawn } from "node:child_process";
import { own } from "@atrium/wire";
import { CliError, EXIT } from "../../command-line/cli-error.ts";
import { command } from "../../command-line/command.ts";
import type { Environment } from "../../command-line/environment.ts";
import { SERVER_OPTIONS, usageError } from "../../command-line/read-args.ts";
import { connectServer } from "../../server/connect-server.ts";
import { findServer } from "../../server/find-server.ts";
import { readKeptKeys } from "../../server/home-files.ts";
import { exitCodeOf } from "../../server/server-program.ts";
import { plainLine } from "../../terminal/plain-text.ts";

interface Program {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Of a process that has it the hooks of joined sessions say nothing: the agent is in the office already. */
const IN_TERMINAL = { ATRIUM_AGENT: "terminal" };
const NAME_LENGTH = 200;
const NO_KEYS: ReadonlyMap<string, string> = new Map();

export const attach = command({
  name: "attach",
  calls: [["attach RUN", "go on with an agent's session in this terminal, until you end it"]],
  options: { ...SERVER_OPTIONS },
  examples: ["atrium attach task_abc_1", "atrium attach main"],
  takesWords: true,
  async run({ values, positionals: [target, extra] }, environment) {
    if (target === undefined) throw usageError("attach", "Name a run, a task or a conversation.");
    if (extra !== undefined) throw usageError("attach", `Unexpected argument: ${extra}`);
    const { env, terminal } = environment;
    if (!terminal.hasPerson) throw new CliError("attach needs a terminal for the agent's program.");
    const place = await findServer(values, environment);
    const owner = env["USER"] ?? env["LOGNAME"];
    await using client = await connectServer(place);
    const taken = await client.call("terminal.take", {
      target,
      pid: process.pid,
      ...(owner !== undefined && owner !== "" && { owner }),
    });
    await client.close();
    const { home, pointers } = place;
    const keys = home === undefined ? NO_KEYS : readKeptKeys(home, pointers);
    const { found, missing } = fillIn(taken.variables, environment.env, keys);
    const { err, errPaint } = terminal;
    if (missing.length > 0) {
      const names = missing.map((name) => plainLine(name, NAME_LENGTH)).join(", ");
      err(`${errPaint.quiet(`Set for Atrium, but not in this terminal: ${names}`)}\n`);
    }
    err(`${errPaint.quiet("End it to give the session back.")}\n`);
    const places = Object.fromEntries(taken.env.map(({ name, value }) => [name, value]));
    return await becomeProgram({
      command: taken.command,
      cwd: taken.cwd,
      env: { ...definedIn(env), ...found, ...places, ...IN_TERMINAL },
    });
  },
});

/** Keys that the server keeps do not travel: this user can read them, too. */
function fillIn(
  names: readonly string[],
  env: Environment["env"],
  keys: ReadonlyMap<string, string>,
): { readonly found: Readonly<Record<string, string>>; readonly missing: readonly string[] } {
  const absent = names.filter((name) => own(env, name) === undefined);
  const kept = absent.flatMap((name) => {
    const value = keys.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { found: Object.fromEntries(kept), missing: absent.filter((name) => !keys.has(name)) };
}

/** Through a shell, for descriptors of its own: ours do not wait when they are read, which a program need not expect. */
async function becomeProgram({ command: line, cwd, env }: Program): Promise<number> {
  const [file = "", ...args] = line;
  if (process.execve === undefined || process.platform === "win32") {
    return exitCodeOf(spawn(file, args, { cwd, env, stdio: "inherit" }));
  }
  process.chdir(cwd);
  process.execve(SHELL, [SHELL, "-c", REOPEN, file, ...args], env);
  return EXIT.failed;
}

const SHELL = "/bin/sh";
const REOPEN = 'exec "$0" "$@" </dev/tty >/dev/tty 2>/dev/tty';

function definedIn(env: Environment["env"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
