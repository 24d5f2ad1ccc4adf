/**
 * The settings file on disk: read whole, known by a digest, and replaced as a whole. Whoever reads it finds
 * the old text or the new one, also after the power was cut; its mode stays, and a link stays a link.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, readlink, realpath, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { checkReplaceable, draftFile, isDraftOf } from "./whole-file.ts";

export interface SettingsText {
  /** Null: there is no file. */
  readonly text: string | null;
  readonly digest: string | null;
}

/** Of a file that holds no secret of ours but may hold one of the user's. */
const PRIVATE_MODE = 0o600;
const MODE_BITS = 0o7777;

export async function readSettingsText(path: string): Promise<SettingsText> {
  try {
    const text = await readFile(path, "utf8");
    return { text, digest: digestOf(text) };
  } catch (cause) {
    if (isAbsent(cause)) return { text: null, digest: null };
    throw cause;
  }
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A new text that is on the disk already, and not yet the file's. */
export interface SettingsDraft {
  /** False: the file was changed by someone else in the meantime, and is left as they have it. */
  readonly replace: () => Promise<boolean>;
  readonly discard: () => Promise<void>;
}

export async function draftSettingsText(
  path: string,
  text: string,
  before: string | null,
): Promise<SettingsDraft> {
  const target = await targetOf(path);
  await checkReplaceable(target);
  const draft = await draftFile(target, text, await modeOf(target));
  return {
    discard: draft.discard,
    async replace() {
      const isAsBefore = (await readSettingsText(target)).digest === before;
      if (isAsBefore) await draft.replace();
      return isAsBefore;
    },
  };
}

/** Removes what a change left that was killed before it was done. */
export async function sweepDrafts(path: string): Promise<void> {
  const target = await targetOf(path);
  const folder = dirname(target);
  const names = await readdir(folder).catch(() => []);
  const drafts = names.filter((name) => isDraftOf(basename(target), name));
  for (const name of drafts) await rm(join(folder, name), { force: true });
}

/** Where a link leads, also when nothing is there yet. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    if (!isAbsent(cause)) throw cause;
    const link = await readlink(path).catch(() => undefined);
    return link === undefined ? path : resolve(dirname(path), link);
  }
}

async function modeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mode & MODE_BITS;
  } catch (cause) {
    if (isAbsent(cause)) return PRIVATE_MODE;
    throw cause;
  }
}

function isAbsent(cause: unknown): boolean {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}
