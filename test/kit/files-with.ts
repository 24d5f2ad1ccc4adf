/** Which files of a folder hold a text, of everything that lies in it. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

export async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  for (;;) {
    try {
      return await search(folder, text);
    } catch (cause) {
      // A server at work moves and removes files meanwhile: then it is looked at once more.
      if (!(cause instanceof Error && "code" in cause && cause.code === "ENOENT")) throw cause;
    }
  }
}

async function search(folder: string, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path, "latin1")).includes(text)) found.push(relative(folder, path));
  }
  return found;
}
