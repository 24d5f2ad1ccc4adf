/** Documents and edits as files of a tree: where they may be, and what is left out. */
import { accept, type Outcome } from "@atrium/core";
import { editTree, type EditedTree, type TreeEdit } from "../git/edit-tree.ts";
import { draftObject } from "../git/loose-object.ts";
import type { ObjectReader } from "../git/object-reader.ts";
import { findEntry } from "../git/tree-path.ts";
import type { OmittedPath, TreeEntry } from "../port/workspaces.ts";
import { fromText, isSecretText, MAX_FILE_BYTES } from "../snapshot/omissions.ts";

export interface FileEdit {
  readonly path: string;
  /** Null: no file. */
  readonly content: Buffer | null;
}

export interface TreeWithFiles extends EditedTree {
  readonly omitted: readonly OmittedPath[];
}

/** What git takes for its own folder on some system, and what is no name at all. */
const ODD_NAME = /^(?:|\.|\.\.|(?:\.git|git~1)[ .]*(?:$|[:\\].*))$/i;
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 3_000;
const PROGRAM = "100755";
const PLAIN = "100644";

export async function putFiles(
  objects: ObjectReader,
  tree: string,
  files: readonly FileEdit[],
): Promise<Outcome<TreeWithFiles>> {
  const omitted: OmittedPath[] = [];
  let result: EditedTree = { id: tree, drafts: [] };
  const edits = new Map<string, TreeEdit>();
  const drafts = [];
  const places = new Set<string>();
  for (const { path, content } of files) {
    const why = await whyNot(objects, tree, path, content, places);
    if (why !== undefined) {
      omitted.push({ path, why });
      continue;
    }
    places.add(path);
    if (content === null) {
      edits.set(fromText(path), null);
      continue;
    }
    const known = await findEntry(objects, tree, path);
    const mode = known.ok && known.value.type === "program" ? PROGRAM : PLAIN;
    const draft = draftObject("blob", content, tree);
    drafts.push(draft);
    edits.set(fromText(path), { mode, id: draft.id });
  }
  if (edits.size > 0) {
    const edited = await editTree(objects, tree, edits);
    if (!edited.ok) return edited;
    result = { id: edited.value.id, drafts: [...drafts, ...edited.value.drafts] };
  }
  return accept({ ...result, omitted });
}

async function whyNot(
  objects: ObjectReader,
  tree: string,
  path: string,
  content: Buffer | null,
  places: ReadonlySet<string>,
): Promise<OmittedPath["why"] | undefined> {
  const parts = path.split("/");
  const isOdd = parts.some(
    (part) =>
      ODD_NAME.test(part) || part.includes("\0") || Buffer.byteLength(part) > MAX_NAME_BYTES,
  );
  if (isOdd || Buffer.byteLength(path) > MAX_PATH_BYTES) return "name";
  if (content !== null && content.length > MAX_FILE_BYTES) return "large";
  if (content !== null && isSecretText(parts.at(-1) ?? "", content)) return "secret";
  for (let length = 1; length <= parts.length; length++) {
    const way = parts.slice(0, length).join("/");
    const isLast = length === parts.length;
    if (!isLast && places.has(way)) return "name";
    const found = await findEntry(objects, tree, way);
    if (!found.ok) break;
    if (!fits(found.value.type, isLast)) return "name";
  }
  // Another of them is below it.
  return [...places].some((other) => other.startsWith(`${path}/`)) ? "name" : undefined;
}

/** A file is never put in the place of a folder or a link, nor below what is no folder. */
function fits(type: TreeEntry["type"], isLast: boolean): boolean {
  return isLast ? type === "file" || type === "program" : type === "folder";
}
