/** What a person's terminal needs to go on with a session: never a value that may be secret. */
import { findProgram } from "../../confinement/find-program.ts";
import type { TerminalProgram } from "../turn/agent-runtime.ts";

/** Where programs keep their sessions. */
const PLACES = [
  "HOME",
  "CLAUDE_CONFIG_DIR",
  "CODEX_HOME",
  "COPILOT_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
  "XDG_CACHE_HOME",
];
/** Every terminal has its own of these; the last one says whom a process works for. */
const OF_TERMINALS = /^(?:PATH|LANG|LC_\w+|TERM|TMPDIR|SHELL|USER|ATRIUM_AGENT)$/;

export async function terminalProgram(
  [program = "", ...args]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<TerminalProgram> {
  const found = program.includes("/") ? program : await findProgram(program, env["PATH"] ?? "");
  const names = Object.keys(env).filter((name) => !OF_TERMINALS.test(name));
  return {
    command: [found ?? program, ...args],
    cwd,
    env: Object.fromEntries(Object.entries(env).filter(([name]) => PLACES.includes(name))),
    variables: names.filter((name) => !PLACES.includes(name)),
  };
}
