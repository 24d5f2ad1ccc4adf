/** Whether a program's folder is as it was, to the byte: every file and link in it. Folders left empty do not count. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** What the program itself writes while it runs: the beginning of a path, and why it is written. */
export type WrittenByProgram = Readonly<Record<string, string>>;

export interface FolderFiles {
  /** Fails with each path that was added, removed or changed since. */
  assertUnchanged(): void;
}

export function rememberFiles(folder: string, written: WrittenByProgram = {}): FolderFiles {
  const own = Object.keys(written);
  const look = (): ReadonlyMap<string, string | undefined> => {
    const found = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const paths = found.filter((path) => !own.some((name) => path.startsWith(name))).toSorted();
    const contents = paths.map((path) => [path, contentOf(join(folder, path))] as const);
    return new Map(contents.filter(([, content]) => content !== undefined));
  };
  const before = look();
  return {
    assertUnchanged() {
      const now = look();
      const paths = [...new Set([...before.keys(), ...now.keys()])];
      const changed = paths.filter((path) => before.get(path) !== now.get(path));
      const lines = changed.map(
        (path) => `${path}: ${before.get(path) ?? "not there"} -> ${now.get(path) ?? "gone"}`,
      );
      assert.deepEqual(lines, [], `in ${folder}`);
    },
  };
}

function contentOf(path: string): string | undefined {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (!found.isFile()) return undefined;
  return createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16);
}
