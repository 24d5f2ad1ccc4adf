/** The programs of agents: whether they exist and can be run, and the first line they print. */
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { own } from "@atrium/wire";
import type { CheckedRuntime } from "./runtime-findings.ts";

type Env = CheckedRuntime["env"];

/** What a program is given at any rate; the server gives it these and what its settings name. */
const ALWAYS = ["PATH", "HOME", "LANG", "TERM", "TMPDIR"];

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Where it is; `blocked` when there is such a file that may not be run. */
export function findProgram(
  name: string,
  folder: string,
  { PATH = "" }: Env,
): { readonly path: string } | "blocked" | undefined {
  const places = name.includes("/")
    ? [resolve(folder, name)]
    : PATH.split(delimiter).map((place) => join(place, name));
  const there = places.filter((place) => statSync(place, { throwIfNoEntry: false })?.isFile());
  const path = there.find(isRunnable);
  if (path !== undefined) return { path };
  return there.length > 0 ? "blocked" : undefined;
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface ProgramOutput {
  /** The first line it wrote, if any. */
  readonly line: string | undefined;
  /** The last line of its stderr. */
  readonly complaint: string;
  /** Its exit code; null when it had to be ended, or could not be started. */
  readonly code: number | null;
  readonly isLate: boolean;
}

/** Runs it until its first line, its end, or the end of our patience; then it and what it has started are ended. */
export function readFirstLine(
  [program = "", ...args]: readonly string[],
  input: string,
  where: { readonly cwd: string; readonly env: Env; readonly names: readonly string[] },
  patienceMs: number,
): Promise<ProgramOutput> {
  const env = Object.fromEntries(
    [...ALWAYS, ...where.names].flatMap((name) => {
      const value = own(where.env, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: where.cwd, env, detached: true });
    let output = "";
    let errors = "";
    const finish = (code: number | null, isLate = false): void => {
      clearTimeout(timer);
      endGroup(child.pid);
      const [line] = output.split("\n").filter((one) => one.trim() !== "");
      const complaint = errors.trim().split("\n").at(-1) ?? "";
      done({ line, complaint, code, isLate });
    };
    const timer = setTimeout(() => finish(null, true), patienceMs);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes("\n")) finish(null);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
    child.once("error", ({ message }) => {
      errors = message;
      finish(null);
    });
    child.once("close", (code) => finish(code));
    child.stdin.on("error", () => undefined);
    // An ACP program may exit at the end of its input, so that stays open.
    if (input === "") child.stdin.end();
    else child.stdin.write(input);
  });
}

/** The processes that it started are in its group. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended by itself.
  }
}
