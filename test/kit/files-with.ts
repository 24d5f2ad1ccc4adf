/** Which files of a folder hold a text, of everything that lies in it. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

export async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    if (!(await stat(path)).isFile()) continue;
    if ((await readFile(path, "latin1")).includes(text)) found.push(name);
  }
  return found;
}
