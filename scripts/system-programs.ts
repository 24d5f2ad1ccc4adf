/**
 * Programs the tests need that npm cannot bring. Installs what is missing where it may (Debian and its
 * kin, as root), names it where it may not. With CI=true a missing program is a failure.
 *
 *   node scripts/system-programs.ts             all of them
 *   node scripts/system-programs.ts chromium    only this one
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

interface Program {
  /** Names it goes by, and the variable that says where it is when it goes by another. */
  readonly commands: readonly string[];
  readonly variable: string;
  readonly debianPackage: string;
  readonly neededFor: string;
}

const PROGRAMS = {
  chromium: {
    commands: ["chromium", "chromium-browser", "google-chrome"],
    variable: "ATRIUM_CHROMIUM",
    debianPackage: "chromium",
    neededFor: "pages in a real browser (the Control UI)",
  },
} as const satisfies Record<string, Program>;

export type ProgramName = keyof typeof PROGRAMS;

/** Where it is, or undefined. */
export function findProgram(name: ProgramName, env = process.env): string | undefined {
  const { commands, variable } = PROGRAMS[name];
  const named = env[variable];
  if (named !== undefined && named !== "") return named;
  const folders = (env["PATH"] ?? "").split(delimiter);
  return commands
    .flatMap((command) => folders.map((folder) => join(folder, command)))
    .find(isExecutable);
}

/** Installs it unless it is there; returns why it cannot be had, or undefined. */
export function installProgram(name: ProgramName): string | undefined {
  if (findProgram(name) !== undefined) return undefined;
  const { debianPackage, neededFor, variable } = PROGRAMS[name];
  const missing = `${name} is missing, needed for ${neededFor}`;
  const advice = `install it (on Debian: apt-get install ${debianPackage}) or name it in ${variable}`;
  if (!existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0) return `${missing}; ${advice}`;
  process.stderr.write(`Installing ${debianPackage} with apt-get.\n`);
  const problem = aptInstall(debianPackage) ?? "";
  if (findProgram(name) !== undefined) return undefined;
  return `${missing}; apt-get could not install it${problem}`;
}

function aptInstall(debianPackage: string): string | undefined {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { env, encoding: "utf8" } as const;
  const install = ["install", "--yes", "--no-install-recommends", debianPackage];
  if (spawnSync("apt-get", install, options).status === 0) return undefined;
  // A fresh machine has no package lists, an old one stale ones.
  spawnSync("apt-get", ["update"], options);
  const { status, stderr } = spawnSync("apt-get", install, options);
  return status === 0 ? undefined : `:\n${stderr.trim()}`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isProgramName(name: string): name is ProgramName {
  return Object.hasOwn(PROGRAMS, name);
}

if (import.meta.main) {
  const asked = process.argv.slice(2);
  const names = asked.length === 0 ? Object.keys(PROGRAMS) : asked;
  for (const name of names) {
    const problem = isProgramName(name) ? installProgram(name) : `no program is called ${name}`;
    process.stdout.write(problem === undefined ? `ok    ${name}\n` : `missing ${problem}\n`);
    if (problem !== undefined && process.env["CI"] === "true") process.exitCode = 1;
  }
}
