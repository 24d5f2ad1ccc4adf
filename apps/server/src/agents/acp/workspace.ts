/** The files an agent may read and write through us: those in its folder, by their absolute paths. */
import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { isInside } from "../../confinement/place.ts";
import { PathRefused, readInside, writeInside } from "../../platform/folder-files.ts";

export interface Workspace {
  read(path: string, from?: number | null, lines?: number | null): Promise<string>;
  write(path: string, text: string): Promise<void>;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** Rejects with PathRefused. */
export function createWorkspace(folder: string): Workspace {
  /** An agent may know its folder by its real path. */
  async function pathOf(path: string): Promise<string> {
    if (!isAbsolute(path)) throw new PathRefused(`${path} is not an absolute path.`);
    const real = await realpath(folder).catch(() => folder);
    return isInside(path, real) ? join(folder, relative(real, path)) : path;
  }
  return {
    async read(path, from, lines) {
      const { bytes } = await readInside(folder, await pathOf(path), MAX_BYTES);
      return part(bytes.toString("utf8"), from, lines);
    },
    async write(path, text) {
      await writeInside(folder, await pathOf(path), Buffer.from(text, "utf8"));
    },
  };
}

/** `from` counts lines from 1. */
function part(text: string, from: number | null | undefined, lines: number | null | undefined) {
  if ((from ?? null) === null && (lines ?? null) === null) return text;
  const start = Math.max(1, from ?? 1) - 1;
  const all = text.split("\n");
  return all.slice(start, (lines ?? null) === null ? undefined : start + (lines ?? 0)).join("\n");
}
