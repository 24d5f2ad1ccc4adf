import { glob, readFile } from "node:fs/promises";

export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** The files under the working folder that match, sorted, node_modules left out. */
export async function readFiles(...patterns: readonly string[]): Promise<SourceFile[]> {
  const found = await Array.fromAsync(glob(patterns, { exclude: ["**/node_modules/**"] }));
  const paths = found.map((path) => path.replaceAll("\\", "/")).toSorted();
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, "utf8") })));
}
