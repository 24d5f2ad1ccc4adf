/** Paths as folders with files in them; a folder that holds nothing but another is one with it. Pure. */
export interface TreeFolder<File> {
  readonly name: string;
  readonly path: string;
  readonly folders: readonly TreeFolder<File>[];
  readonly files: readonly File[];
}

interface Growing<File> {
  readonly folders: Map<string, Growing<File>>;
  readonly files: File[];
}

export function folderTree<File extends { readonly path: string }>(
  files: readonly File[],
): TreeFolder<File> {
  const root: Growing<File> = { folders: new Map(), files: [] };
  for (const file of files) {
    let folder = root;
    for (const name of file.path.split("/").slice(0, -1)) {
      const inner = folder.folders.get(name) ?? { folders: new Map(), files: [] };
      folder.folders.set(name, inner);
      folder = inner;
    }
    folder.files.push(file);
  }
  return { ...folderOf(root, ""), name: "", path: "" };
}

function folderOf<File>({ folders, files }: Growing<File>, path: string): TreeFolder<File> {
  const inner = [...folders].map(([name, folder]) => joined(name, folder, path));
  return { name: "", path, folders: inner, files };
}

function joined<File>(name: string, folder: Growing<File>, above: string): TreeFolder<File> {
  const path = above === "" ? name : `${above}/${name}`;
  const [only] = folder.folders;
  if (only !== undefined && folder.folders.size === 1 && folder.files.length === 0) {
    const inner = joined(only[0], only[1], path);
    return { ...inner, name: `${name}/${inner.name}` };
  }
  return { ...folderOf(folder, path), name };
}

/** In the order in which the tree shows them. */
export function filesIn<File>({ folders, files }: TreeFolder<File>): readonly File[] {
  return [...folders.flatMap(filesIn), ...files];
}

export type TreeRow<File> =
  | { readonly type: "folder"; readonly depth: number; readonly folder: TreeFolder<File> }
  | { readonly type: "file"; readonly depth: number; readonly file: File };

/** Row by row, without what is in folders that are closed. */
export function treeRows<File>(
  { folders, files }: TreeFolder<File>,
  closed: ReadonlySet<string>,
  depth = 0,
): readonly TreeRow<File>[] {
  return [
    ...folders.flatMap((folder) => [
      { type: "folder" as const, depth, folder },
      ...(closed.has(folder.path) ? [] : treeRows(folder, closed, depth + 1)),
    ]),
    ...files.map((file) => ({ type: "file" as const, depth, file })),
  ];
}
