/**
 * Programs that tests need and npm cannot bring. Installs what is missing where it may (Debian and its kin,
 * as root) and says how to get it where it may not. Which test needs which is in test-programs.ts.
 *
 *   node scripts/system-programs.ts             all of them
 *   node scripts/system-programs.ts chromium    only this one
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

interface Program {
  /** The names it goes by, and the variable that says where it is when it goes by another. */
  readonly commands: readonly string[];
  readonly variable: string;
  readonly debianPackage: string;
  readonly neededFor: string;
  /** Tests are skipped without it also with CI=true: some machines cannot have it. */
  readonly isOptional?: true;
}

export const PROGRAMS = {
  bwrap: {
    commands: ["bwrap"],
    variable: "ATRIUM_BWRAP",
    debianPackage: "bubblewrap",
    neededFor: "commands in a sandbox",
    isOptional: true,
  },
  chromium: {
    commands: ["chromium", "chromium-browser", "google-chrome"],
    variable: "ATRIUM_CHROMIUM",
    debianPackage: "chromium",
    neededFor: "pages in a real browser",
  },
  curl: {
    commands: ["curl"],
    variable: "ATRIUM_CURL",
    debianPackage: "curl",
    neededFor: "the examples in the docs",
  },
  git: {
    commands: ["git"],
    variable: "ATRIUM_GIT",
    debianPackage: "git",
    neededFor: "repositories and worktrees",
    isOptional: true,
  },
  script: {
    commands: ["script"],
    variable: "ATRIUM_SCRIPT",
    debianPackage: "bsdutils",
    neededFor: "the command line in a terminal",
  },
  socat: {
    commands: ["socat"],
    variable: "ATRIUM_SOCAT",
    debianPackage: "socat",
    neededFor: "Claude Code's own sandbox",
    isOptional: true,
  },
} as const satisfies Record<string, Program>;

export type ProgramName = keyof typeof PROGRAMS;

const APT_LIMIT_MS = 10 * 60_000;

/** Where it is, or undefined. One that a variable names is that one or none. */
export function findProgram(name: ProgramName, env = process.env): string | undefined {
  const { commands, variable } = PROGRAMS[name];
  const named = env[variable];
  if (named !== undefined && named !== "") return isExecutable(named) ? named : undefined;
  const folders = (env["PATH"] ?? "").split(delimiter);
  return commands
    .flatMap((command) => folders.map((folder) => join(folder, command)))
    .find(isExecutable);
}

/** For the options of a test: why it cannot run here, or false. With CI=true only what is optional is skipped. */
export function skipWithout(name: ProgramName, env = process.env): string | false {
  if (findProgram(name, env) !== undefined) return false;
  return env["CI"] === "true" && !isOptional(name) ? false : howToGet(name, env);
}

export function isOptional(name: ProgramName): boolean {
  const { isOptional: isIt }: Program = PROGRAMS[name];
  return isIt === true;
}

/** Installs it unless it is there; returns why it cannot be had, or undefined. */
export function installProgram(name: ProgramName, env = process.env): string | undefined {
  if (findProgram(name, env) !== undefined) return undefined;
  const { debianPackage, variable } = PROGRAMS[name];
  const isNamed = (env[variable] ?? "") !== "";
  const mayInstall = existsSync("/usr/bin/apt-get") && process.getuid?.() === 0;
  if (isNamed || !mayInstall) return howToGet(name, env);
  process.stderr.write(`Installing ${debianPackage} with apt-get.\n`);
  const problem = aptInstall(debianPackage, env) ?? "";
  if (findProgram(name, env) !== undefined) return undefined;
  return `${howToGet(name, env)}; apt-get could not install it${problem}`;
}

function howToGet(name: ProgramName, env: NodeJS.ProcessEnv): string {
  const { debianPackage, neededFor, variable } = PROGRAMS[name];
  const named = env[variable] ?? "";
  return named === ""
    ? `${name} is missing, needed for ${neededFor}: install it (on Debian: apt-get install ${debianPackage}) or name it in ${variable}`
    : `${name} is missing, needed for ${neededFor}: ${variable} names ${named}, which cannot be run`;
}

function aptInstall(debianPackage: string, env: NodeJS.ProcessEnv): string | undefined {
  const apt = (...args: readonly string[]): string | undefined => {
    const { status, error, stderr } = spawnSync(
      "apt-get",
      ["-o", "DPkg::Lock::Timeout=120", ...args],
      {
        env: { ...env, DEBIAN_FRONTEND: "noninteractive" },
        encoding: "utf8",
        stdio: ["ignore", "ignore", "pipe"],
        timeout: APT_LIMIT_MS,
      },
    );
    return status === 0 ? undefined : `:\n${error?.message ?? stderr.trim()}`;
  };
  const install = ["install", "--yes", "--no-install-recommends", debianPackage];
  if (apt(...install) === undefined) return undefined;
  // A fresh machine has no package lists, an old one stale ones.
  return apt("update") ?? apt(...install);
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
    process.stdout.write(problem === undefined ? `ok    ${name}\n` : `${problem}\n`);
    const mayLack = isProgramName(name) && isOptional(name);
    if (problem !== undefined && !mayLack && process.env["CI"] === "true") process.exitCode = 1;
  }
}
