/**
 * A tree with a few entries changed: what `update-index` and `write-tree` make of an index, made from the
 * objects themselves. Names are bytes, a character each; modes are as git writes them.
 */
import { accept, refuse, type Outcome } from "@atrium/core";
import { draftObject, type ObjectDraft } from "./loose-object.ts";
import type { ObjectReader } from "./object-reader.ts";
import { parseTree, type RawEntry } from "./tree-path.ts";

/** What is to be at a path; null: no file. */
export type TreeEdit = Pick<RawEntry, "mode" | "id"> | null;

export interface EditedTree {
  readonly id: string;
  /** To be written before the id is told. */
  readonly drafts: readonly ObjectDraft[];
}

const FOLDER = "40000";
const SUBMODULE = "160000";

export async function editTree(
  objects: ObjectReader,
  tree: string,
  edits: ReadonlyMap<string, TreeEdit>,
): Promise<Outcome<EditedTree>> {
  const drafts: ObjectDraft[] = [];
  const edited = await edit(objects, { tree, like: tree, drafts }, edits);
  if (!edited.ok) return edited;
  const id = edited.value ?? keep(drafts, Buffer.alloc(0), tree);
  return accept({ id, drafts });
}

interface Place {
  /** Undefined: there is no such folder yet. */
  readonly tree: string | undefined;
  readonly like: string;
  readonly drafts: ObjectDraft[];
}

/** The id of what it becomes; undefined when nothing is left in it. */
async function edit(
  objects: ObjectReader,
  { tree, like, drafts }: Place,
  edits: ReadonlyMap<string, TreeEdit>,
): Promise<Outcome<string | undefined>> {
  const before = await entriesOf(objects, tree);
  if (!before.ok) return before;
  const entries = new Map(before.value.map((entry) => [entry.name, entry]));
  const here = new Map<string, TreeEdit>();
  const below = new Map<string, Map<string, TreeEdit>>();
  for (const [path, change] of edits) {
    const slash = path.indexOf("/");
    if (slash === -1) here.set(path, change);
    else inner(below, path.slice(0, slash)).set(path.slice(slash + 1), change);
  }
  // What is gone first: a file may have made room for a folder of its name.
  for (const [name, change] of here) {
    if (change === null && entries.get(name)?.mode !== FOLDER) entries.delete(name);
  }
  for (const [name, changes] of below) {
    const known = entries.get(name);
    if (known?.mode === SUBMODULE) return refuse("git.failed", `${name} is a submodule`);
    const folder = known?.mode === FOLDER ? known.id : undefined;
    const edited = await edit(objects, { tree: folder, like, drafts }, changes);
    if (!edited.ok) return edited;
    if (edited.value !== undefined) entries.set(name, { mode: FOLDER, name, id: edited.value });
    else if (folder !== undefined) entries.delete(name);
  }
  for (const [name, change] of here) if (change !== null) entries.set(name, { name, ...change });
  if (entries.size === 0) return accept(undefined);
  return accept(keep(drafts, encode([...entries.values()]), like));
}

async function entriesOf(
  objects: ObjectReader,
  tree: string | undefined,
): Promise<Outcome<readonly RawEntry[]>> {
  if (tree === undefined) return accept([]);
  const found = await objects.read(tree);
  return found.ok ? accept(parseTree(found.value.content, tree.length / 2)) : found;
}

function inner(below: Map<string, Map<string, TreeEdit>>, name: string): Map<string, TreeEdit> {
  return below.getOrInsertComputed(name, () => new Map<string, TreeEdit>());
}

/** In git's order a folder stands where its name with a slash would. */
const rank = ({ mode, name }: RawEntry): string => (mode === FOLDER ? `${name}/` : name);

function encode(entries: readonly RawEntry[]): Buffer {
  const sorted = entries.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(({ mode, name, id }) => [
      Buffer.from(`${mode} ${name}\0`, "latin1"),
      Buffer.from(id, "hex"),
    ]),
  );
}

function keep(drafts: ObjectDraft[], content: Buffer, like: string): string {
  const draft = draftObject("tree", content, like);
  drafts.push(draft);
  return draft.id;
}
