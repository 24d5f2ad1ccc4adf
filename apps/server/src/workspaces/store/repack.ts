/**
 * Packs what moments have left lying about: a thousand of them are some 24 MB as files of their own, and
 * one as a pack. Nothing is dropped; what nothing refers to stays as it is.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { accept, type Outcome } from "@atrium/core";
import { gitIn } from "../git/commits.ts";
import { outcomeOf } from "../git/git-refusal.ts";
import type { Git } from "../git/git.ts";

const MAX_LOOSE_OBJECTS = 2_000;
/** Ids are spread evenly, so one folder of 256 tells of all. */
const FOLDERS = 256;
const SAMPLE = "17";

export async function repackIfLoose(git: Git, gitDir: string): Promise<Outcome<unknown>> {
  const sample = await readdir(join(gitDir, "objects", SAMPLE)).catch(() => []);
  if (sample.length * FOLDERS <= MAX_LOOSE_OBJECTS) return accept(undefined);
  return outcomeOf(await git.run(gitIn(gitDir, "repack", "-d", "-l", "--quiet")));
}
