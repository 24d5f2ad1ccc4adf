/**
 * Removes a folder that agents have worked in, whatever they left: folders that may not be entered, and
 * paths too long to be named. Links are removed, never followed.
 */
import { randomUUID } from "node:crypto";
import { chmod, lstat, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Half of what systems take. */
const MAX_PATH_CHARACTERS = 2_000;
/** A removal that fails leaves others under way, which this one may meet. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5 } as const;

/** `trash` is a folder on the same disk. What is renamed into it is gone from where it was at once. */
export async function removeFolder(folder: string, trash: string): Promise<void> {
  if ((await ifThere(lstat(folder))) === undefined) return;
  const first = join(trash, randomUUID());
  await rename(folder, first);
  const waiting = [first];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    try {
      await rm(at, REMOVAL);
    } catch {
      // Whatever was in the way is cleared now, or says so when it is tried again.
      waiting.push(...(await clearTheWay(at, trash)));
      await rm(at, REMOVAL);
    }
  }
}

/** Lets us in everywhere, and brings up what is too far down; returns where it is now. */
async function clearTheWay(folder: string, trash: string): Promise<string[]> {
  const moved: string[] = [];
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const found = await ifThere(lstat(at));
    if (found?.isDirectory() !== true) continue;
    await ifThere(chmod(at, 0o700));
    if (at.length > MAX_PATH_CHARACTERS) {
      const nearer = join(trash, randomUUID());
      await ifThere(rename(at, nearer));
      moved.push(nearer);
      continue;
    }
    for (const entry of (await ifThere(readdir(at, { withFileTypes: true }))) ?? []) {
      if (entry.isDirectory()) folders.push(join(at, entry.name));
    }
  }
  return moved;
}

/** What has gone meanwhile is undefined. */
async function ifThere<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw cause;
  }
}
