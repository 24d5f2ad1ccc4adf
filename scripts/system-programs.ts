/**
 * Programs that tests need and npm cannot bring. Installs what is missing where it may (Debian and its kin,
 * as root), unpacks what need not be installed, and says how to get it where it may not. Which test needs which is in test-programs.ts.
 *
 *   node scripts/system-programs.ts             all of them
 *   node scripts/system-programs.ts chromium    only this one
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { unpackedProgram, unpackPackage, type DebianPackage } from "./debian-package.ts";

interface Program {
  /** The names it goes by, and the variable that says where it is when it goes by another. */
  readonly commands: readonly string[];
  readonly variable: string;
  readonly debianPackage: string;
  readonly neededFor: string;
  /** Tests are skipped without it also with CI=true: some machines cannot have it. */
  readonly isOptional?: true;
  /** An older one is as good as none. */
  readonly oldest?: string;
  /** Unpacked, where apt can download it, and never installed. */
  readonly unpacked?: DebianPackage;
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
  haproxy: {
    commands: ["haproxy"],
    variable: "ATRIUM_HAPROXY",
    debianPackage: "haproxy",
    neededFor: "the balancer's configuration in examples/cluster",
    isOptional: true,
    unpacked: {
      name: "haproxy",
      suite: "bookworm",
      version: "2.6.12",
      sha256: {
        x64: "c8fa07420a78bfc47544b2a46e97151a8a12c3b4db62de610b2e37e78506f465",
        arm64: "7635b443ca8cf8a4cd207e838d1800777a513fdf2db98e745c4fd43651d57a74",
      },
      program: "usr/sbin/haproxy",
      libraries: [
        {
          name: "liblua5.3-0",
          sha256: {
            x64: "576ad8ef2e9f6ad21f29f0c90dac17448deefee8f3912877c2a0911b77e5d3ca",
            arm64: "a6ced38c031a049097fef0acdf57cac7d16d7f642006e8a2c17358bb47caa318",
          },
        },
        {
          name: "libopentracing-c-wrapper0",
          sha256: {
            x64: "68013bf6296a776923622c871bed26bc7b6bfe5f84b0fa2707a06382d1db2692",
            arm64: "36751ed62c207843d9997e7984aec6cd7482fdd703f43849bc9e31e09c4c4d55",
          },
        },
        {
          name: "libopentracing1",
          sha256: {
            x64: "af62b62a99979253a79e3443f7dabe13f1f33bc2fc024f99039e3868a67f26f4",
            arm64: "5fe103e1d8ab56f8ee381aa3cca9ec0e40e61ea24f25d0ac9933cf9c5820b3a4",
          },
        },
      ],
    },
  },
  "nats-server": {
    commands: ["nats-server"],
    variable: "NATS_SERVER",
    debianPackage: "nats-server",
    neededFor: "a log on several machines",
    oldest: "2.10.23",
    unpacked: {
      name: "nats-server",
      suite: "trixie",
      version: "2.10.27",
      sha256: {
        x64: "6d913ac987b78734c08537c2adeb1526cf735f216173a9170d94b185fcfe6f8a",
        arm64: "0c9a617510b28c1b4fb4a38aabea6ab8cd7f026247f2abdff8b955b2278ce049",
      },
      program: "usr/sbin/nats-server",
    },
  },
  openssl: {
    commands: ["openssl"],
    variable: "ATRIUM_OPENSSL",
    debianPackage: "openssl",
    neededFor: "certificates of servers in tests",
  },
  "systemd-analyze": {
    commands: ["systemd-analyze"],
    variable: "ATRIUM_SYSTEMD_ANALYZE",
    debianPackage: "systemd",
    neededFor: "the units in examples/cluster",
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
const UNPACKED = join(import.meta.dirname, "../.cache/programs");

/** Where it is, or undefined. One that a variable names is that one or none. */
export function findProgram(name: ProgramName, env = process.env): string | undefined {
  return candidates(name, env).find((file) => isExecutable(file) && !isTooOld(name, file));
}

function candidates(name: ProgramName, env: NodeJS.ProcessEnv): readonly string[] {
  const { commands, variable, unpacked }: Program = PROGRAMS[name];
  const named = env[variable];
  if (named !== undefined && named !== "") return [named];
  const folders = (env["PATH"] ?? "").split(delimiter);
  const inPath = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  return unpacked === undefined ? inPath : [...inPath, unpackedProgram(unpacked, UNPACKED)];
}

function isTooOld(name: ProgramName, file: string): boolean {
  const { oldest }: Program = PROGRAMS[name];
  return oldest !== undefined && isBefore(versionOf(file), oldest);
}

/** The first three numbers that it prints about itself; empty when it prints none. */
function versionOf(file: string): string {
  const { stdout } = spawnSync(file, ["--version"], { encoding: "utf8", timeout: 10_000 });
  return /\d+\.\d+\.\d+/.exec(stdout ?? "")?.[0] ?? "";
}

function isBefore(version: string, other: string): boolean {
  return version === "" || version.localeCompare(other, "en", { numeric: true }) < 0;
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
  const { debianPackage, variable, unpacked }: Program = PROGRAMS[name];
  const isNamed = (env[variable] ?? "") !== "";
  const mayRun = unpacked !== undefined || process.getuid?.() === 0;
  if (isNamed || !mayRun || !existsSync("/usr/bin/apt-get")) return howToGet(name, env);
  process.stderr.write(
    `${unpacked === undefined ? "Installing" : "Unpacking"} ${debianPackage} with apt-get.\n`,
  );
  const problem =
    unpacked === undefined ? aptInstall(debianPackage, env) : unpackPackage(unpacked, UNPACKED);
  if (findProgram(name, env) !== undefined) return undefined;
  return `${howToGet(name, env)}; apt-get could not bring it: ${problem ?? "unknown"}`;
}

function howToGet(name: ProgramName, env: NodeJS.ProcessEnv): string {
  const { debianPackage, neededFor, oldest, unpacked, variable }: Program = PROGRAMS[name];
  const found = candidates(name, env).find(isExecutable);
  const problem =
    found === undefined
      ? `${name} is missing`
      : `${name} ${versionOf(found)} in ${found} is too old, ${oldest} is the oldest that will do`;
  const named = env[variable] ?? "";
  if (named !== "" && found === undefined) {
    return `${problem}, needed for ${neededFor}: ${variable} names ${named}, which cannot be run`;
  }
  const way =
    unpacked === undefined
      ? `install it (on Debian: apt-get install ${debianPackage})`
      : `get ${unpacked.version} (on Debian: node scripts/system-programs.ts ${name})`;
  return `${problem}, needed for ${neededFor}: ${way} or name it in ${variable}`;
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
    return status === 0 ? undefined : `\n${error?.message ?? stderr.trim()}`;
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
