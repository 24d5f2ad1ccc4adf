/**
 * Contents that are too big for the log: files named by the digest of their bytes. A file is durable before
 * the log refers to it; equal bytes are stored once.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface Blobs {
  /** Resolves with the digest once the bytes are durable. */
  put(bytes: Uint8Array): Promise<string>;
  get(digest: string): Promise<Buffer>;
}

export interface BlobStore extends Blobs {
  /** Removing a missing blob succeeds. */
  remove(digest: string): Promise<void>;
}

export function createBlobs(folder: string): BlobStore {
  const pathOf = (digest: string): string => join(folder, digest.slice(0, 2), digest);
  return {
    async put(bytes) {
      const digest = createHash("sha256").update(bytes).digest("hex");
      const path = pathOf(digest);
      if (await exists(path)) return digest;
      await mkdir(dirname(path), { recursive: true });
      const draft = `${path}.${randomUUID()}`;
      await using file = await open(draft, "wx", 0o600);
      await file.writeFile(bytes);
      await file.sync();
      await rename(draft, path);
      // The file's name is durable only once the folder is synced.
      await using parent = await open(dirname(path));
      await parent.sync();
      return digest;
    },
    get: (digest) => readFile(pathOf(digest)),
    remove: (digest) => rm(pathOf(digest), { force: true }),
  };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
