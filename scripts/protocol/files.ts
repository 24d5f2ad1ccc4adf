/** Where artifacts live on disk. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Artifact } from "./artifacts.ts";

const root = join(import.meta.dirname, "../..");

export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(join(root, path), "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw cause;
  }
}

export async function writeArtifact({ path, render }: Artifact): Promise<void> {
  const target = join(root, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, render());
  process.stdout.write(`wrote ${path}\n`);
}
