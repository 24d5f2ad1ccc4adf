/** The transcripts below a folder that something was written to since; links are not followed. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface TranscriptSearch {
  readonly root: string;
  /** How many folders below the root the files are. */
  readonly depth: number;
  readonly name: RegExp;
  readonly since: number;
}

/** Of the folders of each level, those with the last names: where they are named after days, the last days. */
const MAX_FOLDERS = 1_000;
const MAX_FILES = 200;

export async function listTranscripts(search: TranscriptSearch): Promise<readonly string[]> {
  const { root, depth, name, since } = search;
  if (depth > 0) {
    const folders = (await entriesIn(root)).filter((entry) => entry.isDirectory());
    const last = folders.map((entry) => entry.name).toSorted();
    const found: string[] = [];
    for (const each of last.slice(-MAX_FOLDERS).toReversed()) {
      if (found.length >= MAX_FILES) break;
      const below = { ...search, root: join(root, each), depth: depth - 1 };
      found.push(...(await listTranscripts(below)));
    }
    return found;
  }
  const files = (await entriesIn(root)).filter((entry) => entry.isFile() && name.test(entry.name));
  const paths = files.map((entry) => join(root, entry.name));
  const dates = await Promise.all(paths.map(modifiedAt));
  return paths.filter((_, at) => (dates[at] ?? 0) >= since).slice(-MAX_FILES);
}

async function entriesIn(folder: string) {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

async function modifiedAt(path: string): Promise<number> {
  return lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
