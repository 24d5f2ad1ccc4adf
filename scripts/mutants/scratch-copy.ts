/**
 * A copy of the project that may be broken.
 *
 * Packages from outside are linked to; links of the project to itself are relative, and copied as
 * they are, so that the copy imports the copy.
 */
import { cp, mkdir, mkdtemp, readdir, readlink, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

export interface ScratchCopy extends AsyncDisposable {
  readonly folder: string;
}

const LEFT_BEHIND = new Set(["node_modules", ".git"]);
const MODULES = "node_modules";

export async function openScratchCopy(root: string): Promise<ScratchCopy> {
  // As the processes that run in it will report it.
  const folder = await realpath(await mkdtemp(join(tmpdir(), "atrium-mutants-")));
  await cp(root, folder, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => path === root || !LEFT_BEHIND.has(basename(path)),
  });
  await linkModules(root, folder, MODULES);
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function linkModules(root: string, copy: string, folder: string): Promise<void> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  if (entries.length > 0) await mkdir(join(copy, folder), { recursive: true });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith("@")) await linkModules(root, copy, path);
    else {
      const target = entry.isSymbolicLink() ? await readlink(join(root, path)) : join(root, path);
      await symlink(target, join(copy, path));
    }
  }
}
