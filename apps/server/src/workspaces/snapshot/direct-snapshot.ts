/**
 * The short way to a tree, without a process: where few and plain files have changed, they are read and
 * put into the tree by us. Anything that git would treat in a way of its own goes the long way: attributes
 * that convert what is kept, and names that git may refuse.
 */
import { constants } from "node:fs";
import { lstat, open, readlink, realpath } from "node:fs/promises";
import { editTree, type EditedTree, type TreeEdit } from "../git/edit-tree.ts";
import { draftObject, type ObjectDraft } from "../git/loose-object.ts";
import type { ObjectReader } from "../git/object-reader.ts";
import { fromText, toBytes } from "./omissions.ts";

const MAX_PATHS = 32;
const MAX_BYTES = 1024 * 1024;
const PLAIN_PART = /^(?!\.?git)[\w.+@=-]+(?<!\.)$/i;
const ATTRIBUTES = ".gitattributes";
const EXECUTABLE = 0o100;

/** Paths that are there, and paths that are gone; undefined where it has to be the long way. */
export async function snapDirectly(
  objects: ObjectReader,
  folder: string,
  tree: string,
  taken: readonly string[],
  gone: readonly string[],
): Promise<EditedTree | undefined> {
  const paths = [...taken, ...gone];
  if (paths.length > MAX_PATHS || !paths.every(isPlain)) return undefined;
  if (await hasAttributes(folder, paths)) return undefined;
  const edits = new Map<string, TreeEdit>(gone.map((path) => [path, null]));
  const drafts: ObjectDraft[] = [];
  let bytes = 0;
  const place = fromText(await realpath(folder));
  for (const path of taken) {
    const found = await readEntry(toBytes(`${place}/${path}`));
    if (found === undefined) return undefined;
    if (found === null) {
      edits.set(path, null);
      continue;
    }
    bytes += found.content.length;
    if (bytes > MAX_BYTES) return undefined;
    const draft = draftObject("blob", found.content, tree);
    drafts.push(draft);
    edits.set(path, { mode: found.mode, id: draft.id });
  }
  const edited = await editTree(objects, tree, edits);
  // The long way tells what is in the way.
  if (!edited.ok) return undefined;
  const { id } = edited.value;
  return { id, drafts: [...drafts, ...edited.value.drafts] };
}

const isPlain = (path: string): boolean =>
  path.split("/").every((part) => PLAIN_PART.test(part) && part !== "." && part !== "..");

/** In the folders on the way to any of them. */
async function hasAttributes(folder: string, paths: readonly string[]): Promise<boolean> {
  const folders = new Set(paths.flatMap(foldersOf));
  const found = await Promise.all(
    Array.from(folders, (inner) =>
      lstat(`${folder}/${inner}${ATTRIBUTES}`).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return ["", ...parts.map((_, at) => `${parts.slice(0, at + 1).join("/")}/`)];
}

interface FileEntry {
  readonly mode: string;
  readonly content: Buffer;
}

/** Null where there is no file; undefined for what cannot be told. */
async function readEntry(path: Buffer): Promise<FileEntry | null | undefined> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) {
      return { mode: "120000", content: await readlink(path, { encoding: "buffer" }) };
    }
    // What is in a folder is listed by itself.
    if (found.isDirectory()) return null;
    // It may have become a link or a pipe meanwhile.
    await using file = await open(
      path,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    if (await isElsewhere(file.fd, path)) return null;
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    const mode = (stats.mode & EXECUTABLE) === 0 ? "100644" : "100755";
    return { mode, content: await file.readFile() };
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    return code === "ENOENT" || code === "ENOTDIR" ? null : undefined;
  }
}

/**
 * Whether a folder on the way became a link before it was opened: an agent that still runs could have us
 * keep a file of the server's where it can read it. Linux tells what was opened; elsewhere nobody does.
 */
async function isElsewhere(fd: number, path: Buffer): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${fd}`, { encoding: "buffer" }).catch(() => path);
  const text = opened.toString("latin1").replace(/ \(deleted\)$/, "");
  return text !== path.toString("latin1");
}
