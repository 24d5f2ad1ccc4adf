import assert from "node:assert/strict";
import { test } from "node:test";
import { filesIn, folderTree, treeRows } from "./folder-tree.ts";

test("[WEB-46] files stand in their folders, one that holds only another is one with it, and lines follow the same order", () => {
  const files = [
    "b.ts",
    "src/deep/er/a.ts",
    "src/deep/er/c.ts",
    "__proto__/x",
    "docs/a/1",
    "docs/2",
  ];
  const tree = folderTree(files.map((path) => ({ path })));
  assert.deepEqual(
    tree.folders.map(({ name, path }) => [name, path]),
    [
      ["src/deep/er", "src/deep/er"],
      ["__proto__", "__proto__"],
      ["docs", "docs"],
    ],
  );
  assert.deepEqual(
    filesIn(tree).map(({ path }) => path),
    ["src/deep/er/a.ts", "src/deep/er/c.ts", "__proto__/x", "docs/a/1", "docs/2", "b.ts"],
  );
});

test("[WEB-52] a folder that is closed shows nothing of what is in it", () => {
  const tree = folderTree(["src/a/x", "src/y", "z"].map((path) => ({ path })));
  const shown = (...closed: readonly string[]): readonly string[] =>
    treeRows(tree, new Set(closed)).map((row) =>
      row.type === "folder" ? `${row.depth} ${row.folder.name}/` : `${row.depth} ${row.file.path}`,
    );
  assert.deepEqual(shown(), ["0 src/", "1 a/", "2 src/a/x", "1 src/y", "0 z"]);
  assert.deepEqual(shown("src/a"), ["0 src/", "1 a/", "1 src/y", "0 z"]);
  assert.deepEqual(shown("src"), ["0 src/", "0 z"]);
});
