/**
 * Files that are replaced as a whole: whoever reads one finds the old text or the new one, also after the power was cut.
 */
import { randomUUID } from "node:crypto";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Fault } from "@atrium/core";

/** A new text that is on the disk, beside the file that it is for. */
export interface FileDraft {
  readonly replace: () => Promise<void>;
  /** Nothing is left of it, unless it has replaced the file. */
  readonly discard: () => Promise<void>;
}

/** Until it has its own. */
const DRAFT_MODE = 0o600;
const DRAFT_END = /\.[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Whatever can be wrong with the disk or the folder, save for their loss, shows here. */
export async function draftFile(path: string, text: string, mode: number): Promise<FileDraft> {
  const draft = draftOf(path);
  const discard = (): Promise<void> => rm(draft, { force: true });
  try {
    await writeDraft(draft, text, mode);
  } catch (cause) {
    await discard();
    throw cause;
  }
  return {
    discard,
    async replace() {
      await rename(draft, path);
      await syncFolder(dirname(path));
    },
  };
}

export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const draft = await draftFile(path, text, mode);
  try {
    await draft.replace();
  } finally {
    await draft.discard();
  }
}

/** Undefined: there is none; whatever else is the matter with it is thrown. */
export async function readPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw cause;
  }
}

/** Whether a process that was killed may have left it while it replaced the file of that name. */
export function isDraftOf(file: string, name: string): boolean {
  return name.startsWith(`.${file}.`) && DRAFT_END.test(name);
}

function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomUUID()}`);
}

/** A file that is mounted by itself takes no other in its place, and shows that by taking no second name. */
export async function checkReplaceable(path: string): Promise<void> {
  const name = draftOf(path);
  try {
    await link(path, name);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "EXDEV") {
      throw new Fault("it is mounted as a single file; mount its folder instead", {}, cause);
    }
  } finally {
    await rm(name, { force: true });
  }
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
