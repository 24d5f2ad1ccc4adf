/**
 * Removes a folder that agents have worked in, whatever they left: folders that may not be entered, and
 * paths too long to be named. Links are removed, never followed.
 */
import { randomUUID } from "node:crypto";
import { chmod, lstat, opendir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Half of what systems take. */
const MAX_PATH_CHARACTERS = 2_000;

/** `trash` is a folder on the same disk. What is renamed into it is gone from where it was at once. */
export async function removeFolder(folder: string, trash: string): Promise<void> {
  if ((await lstat(folder).catch(() => undefined)) === undefined) return;
  const first = join(trash, randomUUID());
  await rename(folder, first);
  const waiting = [first];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    try {
      await rm(at, { recursive: true, force: true });
    } catch {
      // Whatever was in the way is cleared now, or says so when it is tried again.
      waiting.push(...(await open(at, trash)));
      await rm(at, { recursive: true, force: true });
    }
  }
}

/** Lets us in everywhere, and brings up what is too far down; returns where it is now. */
async function open(folder: string, trash: string): Promise<string[]> {
  const moved: string[] = [];
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    if (!(await lstat(at)).isDirectory()) continue;
    await chmod(at, 0o700);
    if (at.length > MAX_PATH_CHARACTERS) {
      const nearer = join(trash, randomUUID());
      await rename(at, nearer);
      moved.push(nearer);
      continue;
    }
    for await (const entry of await opendir(at)) {
      if (entry.isDirectory()) folders.push(join(at, entry.name));
    }
  }
  return moved;
}
