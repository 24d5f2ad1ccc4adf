/**
 * What is delivered, and nothing else of the store: a bare repository that is there for one delivery, with
 * one branch, over the store's objects. Whoever fetches from it sees that branch alone.
 */
import { randomUUID } from "node:crypto";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { GitPlaces } from "../git/git-settings.ts";
import type { Store } from "../store/store.ts";
import { removeFolder } from "../worktrees/remove-folder.ts";

export interface LineOffer extends AsyncDisposable {
  /** Of itself, and of files that are made for the delivery. */
  readonly folder: string;
  readonly gitDir: string;
  readonly ref: string;
  readonly commit: string;
}

/** What a line is called outside of the store. */
export const MAIN = "main";
const SHA256_ID = 64;
/** All files as they are, whatever attributes in the tree say about archives. */
const ATTRIBUTES = "* -export-ignore -export-subst !working-tree-encoding\n";

/** `branch`: a name that git takes. */
export async function openOffer(
  places: GitPlaces,
  store: Pick<Store, "gitDir">,
  commit: string,
  branch: string,
): Promise<LineOffer> {
  const folder = join(places.offers, randomUUID());
  const gitDir = join(folder, "offer.git");
  const ref = `refs/heads/${branch}`;
  const format =
    commit.length === SHA256_ID
      ? "\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha256\n"
      : "\trepositoryFormatVersion = 0\n";
  const files = {
    HEAD: `ref: ${ref}\n`,
    config: `[core]\n\tbare = true\n${format}`,
    [ref]: `${commit}\n`,
    "objects/info/alternates": `${join(store.gitDir, "objects")}\n`,
    "info/attributes": ATTRIBUTES,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(gitDir, name)), { recursive: true, mode: 0o700 });
    await writeFile(join(gitDir, name), text);
  }
  // Where the history ends before its beginning.
  await copyFile(join(store.gitDir, "shallow"), join(gitDir, "shallow")).catch(() => undefined);
  const remove = (): Promise<void> => removeFolder(folder, places.trash);
  return { folder, gitDir, ref, commit, [Symbol.asyncDispose]: remove };
}
