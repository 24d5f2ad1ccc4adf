/**
 * Writes objects into a store as git does: deflated, under the digest of their content, on disk before
 * they have their names. It takes no process.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rename, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate, deflateSync } from "node:zlib";

/** One that has its id and is not written yet. */
export interface ObjectDraft {
  readonly id: string;
  /** With its header. */
  readonly whole: Buffer;
}

const compress = promisify(deflate);
/** To hand it to another thread would take longer than to do it. */
const SMALL_BYTES = 16 * 1024;
const MODE = 0o444;
/** How long the ids of a repository are tells how they are made. */
const SHA256_ID = 64;

/** `like` is the id of another of the same store. */
export function draftObject(
  type: "blob" | "tree" | "commit",
  content: Buffer,
  like: string,
): ObjectDraft {
  const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`, "latin1"), content]);
  const algorithm = like.length === SHA256_ID ? "sha256" : "sha1";
  return { id: createHash(algorithm).update(whole).digest("hex"), whole };
}

/** All of them, at the same time: the disk then has less to wait for. */
export async function writeObjects(gitDir: string, drafts: readonly ObjectDraft[]): Promise<void> {
  const byId = new Map(drafts.map((draft) => [draft.id, draft]));
  await Promise.all(Array.from(byId.values(), (draft) => writeObject(gitDir, draft)));
}

async function writeObject(gitDir: string, { id, whole }: ObjectDraft): Promise<void> {
  const folder = join(gitDir, "objects", id.slice(0, 2));
  const path = join(folder, id.slice(2));
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const content = whole.length <= SMALL_BYTES ? deflateSync(whole) : await compress(whole);
  const draft = join(folder, `tmp_obj_${randomUUID()}`);
  {
    await using file = await openIn(folder, draft);
    await file.writeFile(content);
    await file.sync();
  }
  await rename(draft, path);
}

/** Most of the folders are there already. */
async function openIn(folder: string, file: string): Promise<FileHandle> {
  try {
    return await open(file, "wx", MODE);
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ENOENT")) throw cause;
    await mkdir(folder, { recursive: true });
    return open(file, "wx", MODE);
  }
}
