/**
 * The files an agent may read and write through us: those in its folder, and nothing that a `..` or a
 * link in it leads out to.
 */
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";

export class FileRefused extends Error {
  override readonly name = "FileRefused";
}

export interface Workspace {
  read(path: string, from?: number | null, lines?: number | null): Promise<string>;
  write(path: string, text: string): Promise<void>;
}

const MAX_BYTES = 16 * 1024 * 1024;
/** Links were followed before it was decided; the last step must not be one that came since. */
const { O_RDONLY, O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;

export function createWorkspace(folder: string): Workspace {
  async function inside(path: string, isNew: boolean): Promise<string> {
    if (!isAbsolute(path)) throw new FileRefused(`${path} is not an absolute path.`);
    const root = await realpath(folder);
    const found = await lead(path, isNew);
    if (found === root || found.startsWith(root.endsWith(sep) ? root : root + sep)) return found;
    throw new FileRefused(`${path} is outside ${folder}, the folder this agent works in.`);
  }
  return {
    async read(path, from, lines) {
      const found = await inside(path, false);
      await using file = await openOr(path, found, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      const { size } = await plainFile(path, file);
      if (size > MAX_BYTES) throw new FileRefused(`${path} is larger than ${MAX_BYTES} bytes.`);
      const text = await file.readFile("utf8");
      return part(text, from, lines);
    },
    async write(path, text) {
      const found = await inside(path, true);
      const flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
      await using file = await openOr(path, found, flags);
      await plainFile(path, file);
      await file.truncate(0);
      await file.writeFile(text, "utf8");
    },
  };
}

/** Where a path really is; a file that is yet to be made is where its folder is. */
async function lead(path: string, isNew: boolean): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    if (!isNew || codeOf(cause) !== "ENOENT") throw new FileRefused(missing(path, cause));
  }
  try {
    return join(await realpath(dirname(path)), basename(path));
  } catch (cause) {
    throw new FileRefused(missing(dirname(path), cause));
  }
}

async function openOr(path: string, found: string, flags: number) {
  try {
    return await open(found, flags, 0o666);
  } catch (cause) {
    throw new FileRefused(missing(path, cause));
  }
}

async function plainFile(path: string, file: Awaited<ReturnType<typeof open>>) {
  const about = await file.stat();
  if (!about.isFile()) throw new FileRefused(`${path} is not a file.`);
  return about;
}

/** `from` counts lines from 1. */
function part(text: string, from: number | null | undefined, lines: number | null | undefined) {
  if ((from ?? null) === null && (lines ?? null) === null) return text;
  const start = Math.max(1, from ?? 1) - 1;
  const all = text.split("\n");
  return all.slice(start, (lines ?? null) === null ? undefined : start + (lines ?? 0)).join("\n");
}

function missing(path: string, cause: unknown): string {
  const code = codeOf(cause);
  if (code === "ENOENT") return `${path} does not exist.`;
  if (code === "ELOOP") return `${path} is a link that cannot be followed.`;
  return `${path} cannot be used (${code}).`;
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
}
