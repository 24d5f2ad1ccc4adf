/** The files of any moment, read from the store without a checkout. */
import { accept, refuse, type Outcome } from "@atrium/core";
import type { ObjectReader } from "../git/object-reader.ts";
import { findEntry, readTree, type TreeItem } from "../git/tree-path.ts";
import type { TreeEntry, TreeFile } from "../port/workspaces.ts";

export async function listFolder(
  objects: ObjectReader,
  tree: string,
  path: string,
): Promise<Outcome<readonly TreeEntry[]>> {
  const folder = await findEntry(objects, tree, path);
  if (!folder.ok) return folder;
  if (folder.value.type !== "folder") return refuse("file.missing", `${path} is no folder`);
  const items = await readTree(objects, folder.value.id);
  if (!items.ok) return items;
  // Asked for together, answered one after the other.
  return accept(await Promise.all(items.value.map((item) => measure(objects, item))));
}

async function measure(objects: ObjectReader, item: TreeItem): Promise<TreeEntry> {
  if (item.type === "folder" || item.type === "submodule") return { ...item, bytes: null };
  const header = await objects.header(item.id);
  return { ...item, bytes: header.ok ? header.value.bytes : null };
}

export async function readFile(
  objects: ObjectReader,
  tree: string,
  path: string,
  maxBytes: number,
): Promise<Outcome<TreeFile>> {
  const found = await findEntry(objects, tree, path);
  if (!found.ok) return found;
  const { type, id } = found.value;
  if (type === "folder" || type === "submodule") {
    return refuse("file.missing", `${path} is no file`);
  }
  const header = await objects.header(id);
  if (!header.ok) return header;
  const { bytes } = header.value;
  if (bytes > maxBytes) return accept({ type, id, bytes, content: null });
  const read = await objects.read(id);
  return read.ok ? accept({ type, id, bytes, content: read.value.content }) : read;
}
