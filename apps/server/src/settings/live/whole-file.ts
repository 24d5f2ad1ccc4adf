/**
 * Files that are replaced as a whole: whoever reads one finds the old text or the new one, also after the power was cut.
 */
import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

interface Replacement {
  readonly mode: number;
  /** Asked when the new text is on the disk; false leaves the file as it is. */
  readonly isAsBefore?: () => Promise<boolean>;
}

/** Until it has its own. */
const DRAFT_MODE = 0o600;
const DRAFT_END = /\.[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Returns whether it was replaced. */
export async function replaceFile(
  path: string,
  text: string,
  { mode, isAsBefore }: Replacement,
): Promise<boolean> {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    await writeDraft(draft, text, mode);
    if (isAsBefore !== undefined && !(await isAsBefore())) return false;
    await rename(draft, path);
    await syncFolder(dirname(path));
    return true;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Whether a process that was killed may have left it while it replaced the file of that name. */
export function isDraftOf(file: string, name: string): boolean {
  return name.startsWith(`.${file}.`) && DRAFT_END.test(name);
}

async function writeDraft(draft: string, text: string, mode: number): Promise<void> {
  await using file = await open(draft, "wx", DRAFT_MODE);
  await file.writeFile(text);
  await file.chmod(mode);
  await file.sync();
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}
