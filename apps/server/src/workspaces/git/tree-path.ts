/** Finding the way in a tree, by its objects: nothing is checked out, and no name is handed to git. */
import { accept, refuse, type Outcome } from "@atrium/core";
import type { TreeEntry } from "../port/workspaces.ts";
import type { ObjectReader } from "./object-reader.ts";

export type TreeItem = Omit<TreeEntry, "bytes">;

const TYPES: ReadonlyMap<string, TreeEntry["type"]> = new Map([
  ["40000", "folder"],
  ["100644", "file"],
  ["100664", "file"],
  ["100755", "program"],
  ["120000", "link"],
  ["160000", "submodule"],
]);
const MAX_PATH_CHARACTERS = 16 * 1024;
const SPACE = 32;
const LINE_END = 10;
const TREE = "tree ";

/** Of a tree, or of a commit. */
export async function readTree(objects: ObjectReader, id: string): Promise<Outcome<TreeItem[]>> {
  const found = await objects.read(id);
  if (!found.ok) return found;
  const { type, content } = found.value;
  if (type === "commit") return readTree(objects, treeIn(content));
  if (type !== "tree") return refuse("moment.missing", id);
  return accept(parseTree(content, id.length / 2).map(toItem));
}

/** A commit begins with it: `tree <id>\n`. */
function treeIn(commit: Buffer): string {
  return commit.toString("latin1", TREE.length, commit.indexOf(LINE_END));
}

export interface RawEntry {
  /** As git writes it: 40000, 100644, … */
  readonly mode: string;
  /** Each byte a character. */
  readonly name: string;
  readonly id: string;
}

/** `<mode> <name>\0<id in bytes>`, again and again. */
export function parseTree(content: Buffer, idBytes: number): RawEntry[] {
  const entries: RawEntry[] = [];
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(SPACE, at);
    const end = content.indexOf(0, space);
    const mode = content.toString("latin1", at, space);
    const name = content.toString("latin1", space + 1, end);
    const id = content.toString("hex", end + 1, end + 1 + idBytes);
    entries.push({ mode, name, id });
    at = end + 1 + idBytes;
  }
  return entries;
}

function toItem({ mode, name, id }: RawEntry): TreeItem {
  const text = Buffer.from(name, "latin1").toString("utf8");
  return { name: text, type: TYPES.get(mode) ?? "file", id };
}

/** The entry at a path; the root is a folder without a name. */
export async function findEntry(
  objects: ObjectReader,
  tree: string,
  path: string,
): Promise<Outcome<TreeItem>> {
  if (path.length > MAX_PATH_CHARACTERS) return refuse("file.missing", `${path.slice(0, 80)}…`);
  let item: TreeItem = { name: "", type: "folder", id: tree };
  for (const part of path === "" ? [] : path.split("/")) {
    if (item.type !== "folder") return refuse("file.missing", path);
    const items = await readTree(objects, item.id);
    if (!items.ok) return items;
    const next = items.value.find(({ name }) => name === part);
    if (next === undefined) return refuse("file.missing", path);
    item = next;
  }
  return accept(item);
}
