/**
 * The files in one folder, for agents: nothing that a `..`, an absolute path or a link leads out to, no
 * part of a repository's own data, no pipe or device. Whoever works in the folder is not trusted, so what
 * was opened is looked at again once it is open.
 */
import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import {
  lstat,
  mkdir,
  open,
  readlink,
  realpath,
  rename,
  rm,
  type FileHandle,
} from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

/** A refusal the agent can read. */
export class PathRefused extends Error {
  override readonly name = "PathRefused";
  /** There is nothing at the path, and that is all. */
  readonly isAbsence: boolean;

  constructor(message: string, isAbsence = false) {
    super(message);
    this.isAbsence = isAbsence;
  }
}

export interface FoundFile {
  readonly bytes: Buffer;
  /** From the folder. */
  readonly path: string;
}

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants;
const NEW_FILE_MODE = 0o666;
const PERMISSIONS = 0o777;
const MAX_PATH_CHARS = 2_000;
const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "does not exist"],
  ["ELOOP", "is a link that cannot be followed"],
  ["ENOTDIR", "is below something that is not a folder"],
  ["EACCES", "may not be used"],
  ["EROFS", "may not be written"],
  ["ENOSPC", "could not be written: the disk is full"],
  ["ENAMETOOLONG", "is too long a path"],
  ["ENXIO", "is not a file"],
]);
/** Names that file systems which fold names take for others, as git refuses them too. */
const IGNORED = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/gu;

/** Whether some file system takes this for the folder of git's own data. */
export function isGitName(name: string): boolean {
  const [plain = ""] = name.normalize("NFKC").replaceAll(IGNORED, "").split(":");
  return /^(?:\.git|git~1)[. ]*$/i.test(plain);
}

/** Where a path leads to, which is inside; also one that is yet to be made. */
export async function locate(folder: string, path: string): Promise<string> {
  if (path.includes("\0")) throw new PathRefused("A path must not have a zero byte.");
  if (path.length > MAX_PATH_CHARS) throw new PathRefused("The path is too long.");
  const wanted = resolve(folder, path);
  checkParts(folder, wanted, path);
  const root = await realpath(folder);
  return followed(root, join(root, relative(folder, wanted)), path);
}

function checkParts(root: string, path: string, shownPath: string): void {
  const isOutside = path !== root && !path.startsWith(root + sep);
  if (isOutside) throw new PathRefused(`${shownPath} is outside the folder you work in.`);
  if (relative(root, path).split(sep).some(isGitName)) {
    throw new PathRefused(`${shownPath} is git's own data, which is not for you.`);
  }
}

/** With every link on the way followed; what is not there has no links. */
async function followed(root: string, path: string, shownPath: string): Promise<string> {
  const parts = relative(root, path).split(sep).filter(Boolean);
  let at = root;
  for (const [index, part] of parts.entries()) {
    const next = join(at, part);
    const about = await look(next, shownPath);
    if (about === undefined) return join(at, ...parts.slice(index));
    at = about.isSymbolicLink() ? await targetOf(next, shownPath) : next;
    checkParts(root, at, shownPath);
  }
  return at;
}

async function targetOf(link: string, shownPath: string): Promise<string> {
  return realpath(link).catch((cause: unknown) => {
    if (codeOf(cause) !== "ENOENT") throw refusalOf(shownPath, cause);
    // It would be made where the link leads.
    throw new PathRefused(`${shownPath} is a link to something that does not exist.`);
  });
}

export async function readInside(
  folder: string,
  path: string,
  maxBytes: number,
): Promise<FoundFile> {
  const found = await locate(folder, path);
  await using file = await openOr(path, found, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  await checkOpened(file, found, path);
  const about = await file.stat();
  if (about.isDirectory()) throw new PathRefused(`${path} is a folder.`);
  if (!about.isFile()) throw new PathRefused(`${path} is not a file.`);
  if (about.size > maxBytes) {
    throw new PathRefused(`${path} has ${about.size} bytes; the most is ${maxBytes}.`);
  }
  return { bytes: await file.readFile(), path: relative(await realpath(folder), found) };
}

/** Whole or not at all; the permissions of a file that is there stay. Returns its path from the folder. */
export async function writeInside(
  folder: string,
  path: string,
  bytes: Uint8Array,
): Promise<string> {
  const found = await locate(folder, path);
  const root = await realpath(folder);
  if (found === root) throw new PathRefused(`${path} is a folder.`);
  await makeFolder(dirname(found), path);
  await using parent = await openOr(path, dirname(found), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  // By its descriptor it is the folder that was looked at, whatever its path is by now.
  const place = (await checkOpened(parent, dirname(found), path)) ?? dirname(found);
  const target = join(place, basename(found));
  const there = await look(target, path);
  if (there !== undefined && !there.isFile()) throw new PathRefused(`${path} is not a file.`);
  const draft = join(place, `.${randomUUID()}.tmp`);
  try {
    await writeDraft(draft, bytes, there, path);
    await rename(draft, target);
  } catch (cause) {
    await rm(draft, { force: true });
    throw cause instanceof PathRefused ? cause : refusalOf(path, cause);
  }
  return relative(root, found);
}

/** Not a folder. What is not there is gone already. */
export async function removeInside(folder: string, path: string): Promise<void> {
  const found = await locate(folder, path);
  try {
    await using parent = await openOr(path, dirname(found), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    const place = (await checkOpened(parent, dirname(found), path)) ?? dirname(found);
    await rm(join(place, basename(found)), { force: true });
  } catch (cause) {
    if (cause instanceof PathRefused && cause.isAbsence) return;
    throw cause instanceof PathRefused ? cause : refusalOf(path, cause);
  }
}

async function writeDraft(
  draft: string,
  bytes: Uint8Array,
  there: Stats | undefined,
  shownPath: string,
): Promise<void> {
  await using file = await openOr(shownPath, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  await file.writeFile(bytes);
  if (there !== undefined) await file.chmod(there.mode & PERMISSIONS);
}

async function makeFolder(folder: string, shownPath: string): Promise<void> {
  if ((await look(folder, shownPath)) !== undefined) return;
  await makeFolder(dirname(folder), shownPath);
  const above = dirname(folder);
  await using parent = await openOr(shownPath, above, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const place = (await checkOpened(parent, above, shownPath)) ?? above;
  await mkdir(join(place, basename(folder))).catch((cause: unknown) => {
    throw refusalOf(shownPath, cause);
  });
}

/** Where descriptors can be looked at, the path by which the opened one stays the same. */
async function checkOpened(
  file: FileHandle,
  expected: string,
  shownPath: string,
): Promise<string | undefined> {
  const path = `/proc/self/fd/${file.fd}`;
  const opened = await readlink(path).catch(() => undefined);
  if (opened === undefined) return undefined;
  if (opened === expected) return path;
  throw new PathRefused(`${shownPath} changed while it was opened. Try again.`);
}

async function openOr(shownPath: string, path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, flags, NEW_FILE_MODE);
  } catch (cause) {
    throw refusalOf(shownPath, cause);
  }
}

/** Undefined when there is nothing. */
async function look(path: string, shownPath: string): Promise<Stats | undefined> {
  return lstat(path).catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw refusalOf(shownPath, cause);
  });
}

function refusalOf(path: string, cause: unknown): PathRefused {
  const code = codeOf(cause);
  return new PathRefused(
    `${path} ${PROBLEMS.get(code) ?? `cannot be used (${code})`}.`,
    code === "ENOENT",
  );
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
}
