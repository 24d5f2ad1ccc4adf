/** Whether a program is logged in: its command is asked, its file read, as its row says. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProbeAnswer } from "../probes/probe-cache.ts";
import type { AskProgram } from "../probes/probe-program.ts";
import type { ProgramLogin } from "./program-login.ts";
import type { KeptFile, ProgramRow } from "./program-table.ts";

type ReadEnv = (name: string) => string | undefined;

/** People log in while they look. */
const LOGIN_HOLDS_MS = 60_000;

export async function probeLogin(
  { login: { command, file, read } }: ProgramRow,
  path: string,
  ask: AskProgram,
  readEnv: ReadEnv,
): Promise<ProbeAnswer<ProgramLogin>> {
  const kept = file === undefined ? undefined : await readKept(file, readEnv);
  // What only a file tells is read again for everyone who asks.
  if (command === undefined) return { value: read({ file: kept }), holdsMs: 0 };
  const outcome = await ask({ command: [path, ...command] });
  const output =
    outcome.how === "ended"
      ? { code: outcome.code, text: outcome.output.trim() === "" ? outcome.errors : outcome.output }
      : undefined;
  return { value: read({ output, file: kept }), holdsMs: LOGIN_HOLDS_MS };
}

/** Null: there is no such file. Undefined: it cannot be read, or nobody knows where it is. */
export async function readKept(
  { variable, folder, name }: KeptFile,
  readEnv: ReadEnv,
): Promise<string | null | undefined> {
  const home = readEnv("HOME");
  const moved = variable === undefined ? undefined : readEnv(variable);
  const place = moved ?? (home === undefined ? undefined : join(home, folder));
  if (place === undefined) return undefined;
  try {
    return await readFile(join(place, name), "utf8");
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "ENOENT" ? null : undefined;
  }
}
