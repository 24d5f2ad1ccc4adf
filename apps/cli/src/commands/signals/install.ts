/**
 * `atrium signals install PROGRAM`: the program's own hooks tell Atrium what it does, in every session from then on.
 * They run a script that is kept in the home, because programs wait for their hooks and Node takes long to start.
 * What the settings were is kept, so that `--remove` gives them back byte for byte; settings that were changed since
 * only lose the hooks.
 */
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CliError, EXIT } from "../../command-line/cli-error.ts";
import { command } from "../../command-line/command.ts";
import { SERVER_OPTIONS, usageError } from "../../command-line/read-args.ts";
import { readChosenHome } from "../../server/find-server.ts";
import { isAbsence, isRecord } from "../../server/settings.ts";
import { addHooks, hasHooks, removeHooks } from "./hook-settings.ts";
import { HOOKED_PROGRAMS, type HookedProgram } from "./hooked-programs.ts";

const NAME = "signals install";
const NAMES = HOOKED_PROGRAMS.map(({ name }) => name).join(", ");
const SCRIPT = fileURLToPath(new URL("hook.sh", import.meta.url));

export const install = command({
  name: NAME,
  calls: [
    [`${NAME} PROGRAM`, `show every session of a program as signals: ${NAMES}`],
    [`${NAME} PROGRAM --remove`, "take its hooks out again"],
  ],
  options: {
    remove: { type: "boolean", help: "take the hooks out again" },
    home: SERVER_OPTIONS.home,
    config: SERVER_OPTIONS.config,
  },
  examples: [`atrium ${NAME} claude-code`],
  takesWords: true,
  run({ values, positionals: [name, extra] }, environment) {
    if (extra !== undefined) throw usageError(NAME, `Unexpected argument: ${extra}`);
    const program = HOOKED_PROGRAMS.find((each) => each.name === name);
    if (program === undefined) throw usageError(NAME, problemWith(name));
    const { env, terminal } = environment;
    const fileOf = (each: HookedProgram) => realPath(each.file(env, env["HOME"] ?? homedir()));
    const file = fileOf(program);
    const folder = join(readChosenHome(values, environment), "signals");
    const keptIn = join(folder, `${program.name}.json`);
    const script = join(folder, "hook.sh");
    if (values.remove === true) {
      terminal.out(`${removeFrom(file, keptIn)}\n`);
      const isUsed = HOOKED_PROGRAMS.some((each) => hasHooks(readIfThere(fileOf(each))));
      if (!isUsed) rmSync(script, { force: true });
      return Promise.resolve(EXIT.ok);
    }
    writeWhole(script, readFileSync(SCRIPT, "utf8"));
    terminal.out(`${installInto(file, keptIn, program, script)}\n`);
    if (program.note !== undefined) terminal.out(`${program.note}\n`);
    return Promise.resolve(EXIT.ok);
  },
});

function problemWith(name: string | undefined): string {
  if (name === undefined) return `Name a program: ${NAMES}`;
  const advice =
    name === "opencode"
      ? "It has no command hooks. Pipe it: opencode run --format json … | atrium signals pipe --from opencode"
      : `Use one of: ${NAMES}`;
  return `Unknown program: ${name}. ${advice}`;
}

function installInto(file: string, keptIn: string, program: HookedProgram, script: string): string {
  const before = readIfThere(file);
  const after = addHooks(before, program, commandFor(program, script));
  if (after === undefined) throw notPlain(file);
  if (after === before) return `${program.title} has the hooks already, in ${file}.`;
  // Of an earlier installation, what was before that is what is given back.
  if (hasHooks(before)) keepAfter(keptIn, after);
  else writeWhole(keptIn, JSON.stringify({ before: before ?? null, after }), 0o600);
  writeWhole(file, after);
  return `Hooks of ${program.title} are in ${file}. Its sessions are seen from now on.`;
}

function removeFrom(file: string, keptIn: string): string {
  const text = readIfThere(file);
  if (text === undefined || !hasHooks(text)) return `No hooks of Atrium are in ${file}.`;
  const kept = readKept(keptIn);
  if (kept?.after === text) {
    if (kept.before === null) rmSync(file);
    else writeWhole(file, kept.before);
    rmSync(keptIn, { force: true });
    return `${file} is as it was before.`;
  }
  const after = removeHooks(text);
  if (after === undefined) throw notPlain(file);
  writeWhole(file, after);
  rmSync(keptIn, { force: true });
  return `The hooks are out of ${file}, which was changed since; the rest of it stays.`;
}

interface KeptSettings {
  readonly before: string | null;
  readonly after: string;
}

function readKept(keptIn: string): KeptSettings | undefined {
  try {
    const kept: unknown = JSON.parse(readIfThere(keptIn) ?? "null");
    if (!isRecord(kept) || typeof kept["after"] !== "string") return undefined;
    const { before, after } = kept;
    return before === null || typeof before === "string" ? { before, after } : undefined;
  } catch {
    // Cut short: the hooks are taken out of whatever is there.
    return undefined;
  }
}

function keepAfter(keptIn: string, after: string): void {
  const kept = readKept(keptIn);
  if (kept !== undefined) writeWhole(keptIn, JSON.stringify({ ...kept, after }), 0o600);
}

function notPlain(file: string): CliError {
  return new CliError(`${file} is not plain JSON, so it was left as it is.`, {
    advice: "Take the comments out of it, or add the hook by hand: see docs/signals.md.",
  });
}

/** Settings may be a link into somebody's dotfiles: the file there is what is edited. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch (cause) {
    if (isAbsence(cause)) return file;
    throw cause;
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    if (isAbsence(cause)) return undefined;
    throw cause;
  }
}

/** Never half of it; with the rights that it had. */
function writeWhole(file: string, text: string, mode = modeOf(file)): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.atrium-${process.pid}`;
  writeFileSync(fresh, text, { mode });
  chmodSync(fresh, mode);
  renameSync(fresh, file);
}

function modeOf(file: string): number {
  try {
    return statSync(file).mode & 0o777;
  } catch (cause) {
    if (isAbsence(cause)) return 0o600;
    throw cause;
  }
}

/** With the script gone, as after removing, a session that is still open is not disturbed. */
function commandFor({ name }: HookedProgram, script: string): string {
  const quoted = `'${script.replaceAll("'", String.raw`'\''`)}'`;
  return `[ -f ${quoted} ] || exec cat > /dev/null; exec sh ${quoted} ${name}`;
}
