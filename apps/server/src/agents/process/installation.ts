/**
 * What a program needs of its installation to run at all: the package that its launcher belongs to with those beside it,
 * and the interpreter that its first line names. A folder that holds the home of its user is never shown for that.
 */
import { open, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { findProgram } from "../../confinement/find-program.ts";
import { isInside } from "../../confinement/place.ts";

export interface Installation {
  /** Real paths. */
  readonly readable: readonly string[];
  /** What is started: with its interpreter, where a sandbox would not find that, and no link that it would not have. */
  readonly argv: readonly string[];
}

type Env = Readonly<Record<string, string>>;

/** Shown in every sandbox. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const INTERPRETERS = /^(?:node|bun|deno)$/;
const PACKAGES = "node_modules";
/** Where pnpm keeps all packages, those that a package needs beside it. */
const PNPM_STORE = ".pnpm";
const MAX_FIRST_LINE_BYTES = 512;

/** `file`: an absolute path. */
export async function installationOf(
  file: string,
  args: readonly string[],
  env: Env,
): Promise<Installation> {
  const [first = "", ...rest] = args;
  const launcher = await realUnlessSystem(file);
  const isScript = INTERPRETERS.test(basename(file)) && isAbsolute(first);
  const started = isScript ? await realUnlessSystem(first) : launcher;
  const interpreter = await interpreterOf(launcher, env);
  const parts = [launcher, started, await packagesOf(started, env["HOME"]), interpreter[0]];
  const readable = parts.filter((part) => part !== undefined).filter((part) => !isSystem(part));
  const words = isScript ? [started, ...rest] : args;
  return { readable: [...new Set(readable)], argv: [...interpreter, launcher, ...words] };
}

/** A system's links are in every sandbox, and some programs go by the name that they are started with. */
export async function realUnlessSystem(path: string): Promise<string> {
  const found = await real(path);
  return isSystem(path) && isSystem(found) ? path : found;
}

function isSystem(path: string): boolean {
  return SYSTEM.some((folder) => isInside(path, folder));
}

/** All packages that were installed together; else the folder of the one that it is part of. */
async function packagesOf(file: string, home: string | undefined): Promise<string | undefined> {
  const parts = file.split(sep);
  const at = parts.findIndex((part) => part === PACKAGES || part === PNPM_STORE);
  if (at !== -1) return guarded(parts.slice(0, at + 1).join(sep), home);
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const about = await stat(join(folder, "package.json")).catch(() => undefined);
    if (about?.isFile() === true) return guarded(folder, home);
  }
  return undefined;
}

async function guarded(folder: string, home: string | undefined): Promise<string | undefined> {
  const isAboveHome = home !== undefined && isInside(await real(home), folder);
  return isAboveHome ? undefined : folder;
}

async function interpreterOf(file: string, env: Env): Promise<readonly string[]> {
  const [, path = "", rest = ""] = /^#!\s*(\S+)[ \t]*(.*)/.exec(await firstLine(file)) ?? [];
  const words = rest.trim().split(/\s+/).filter(Boolean);
  if (basename(path) !== "env") return isSystem(path) || path === "" ? [] : [path, ...words];
  const [name = "", ...args] = words[0] === "-S" ? words.slice(1) : words;
  const found = await findProgram(name, env["PATH"] ?? "");
  if (found === undefined) return [];
  const program = await real(found);
  return isSystem(program) ? [] : [program, ...args];
}

async function firstLine(file: string): Promise<string> {
  try {
    await using opened = await open(file);
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(MAX_FIRST_LINE_BYTES));
    return buffer.toString("utf8", 0, bytesRead).split("\n", 1)[0] ?? "";
  } catch {
    return "";
  }
}

async function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
