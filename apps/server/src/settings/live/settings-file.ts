/**
 * The settings file on disk: read whole, known by a digest, and replaced as a whole. Whoever reads it finds
 * the old text or the new one, also after the power was cut; its mode stays, and a link stays a link.
 */
import { createHash, randomUUID } from "node:crypto";
import { open, readdir, readFile, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

export interface SettingsText {
  /** Null: there is no file. */
  readonly text: string | null;
  readonly digest: string | null;
}

/** Of a file that holds no secret of ours but may hold one of the user's. */
const PRIVATE_MODE = 0o600;
const MODE_BITS = 0o7777;
const DRAFT_END = /\.[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

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

/** False: it was changed by someone else in the meantime, and is left as they have it. */
export async function replaceSettingsText(
  path: string,
  text: string,
  before: string | null,
): Promise<boolean> {
  const target = await targetOf(path);
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    await writeDraft(draft, text, await modeOf(target));
    if ((await readSettingsText(target)).digest !== before) return false;
    await rename(draft, target);
    await syncFolder(dirname(target));
    return true;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes what a change left that was killed before it was done. */
export async function sweepDrafts(path: string): Promise<void> {
  const target = await targetOf(path);
  const folder = dirname(target);
  const names = await readdir(folder).catch(() => []);
  const isDraft = (name: string): boolean =>
    name.startsWith(`.${basename(target)}.`) && DRAFT_END.test(name);
  for (const name of names.filter(isDraft)) await rm(join(folder, name), { force: true });
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

async function writeDraft(draft: string, text: string, mode: number): Promise<void> {
  await using file = await open(draft, "wx", PRIVATE_MODE);
  await file.writeFile(text);
  await file.chmod(mode);
  await file.sync();
}

async function modeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mode & MODE_BITS;
  } catch (cause) {
    if (isAbsent(cause)) return PRIVATE_MODE;
    throw cause;
  }
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}

function isAbsent(cause: unknown): boolean {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}
