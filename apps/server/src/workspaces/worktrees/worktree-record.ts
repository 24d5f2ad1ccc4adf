/**
 * What a finished worktree is known by: a file beside git's own data about it, written last when it is
 * made and taken away first when it goes. So what has none is a left-over.
 */
import { readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { checkLater, Type, type Static } from "@atrium/schema";
import { parseJson } from "@atrium/wire";
import type { GitPlaces } from "../git/git-settings.ts";
import type { Worktree } from "../port/workspaces.ts";
import { namesIn, readStoreIds, storeFolder, writeWhole } from "../store/store.ts";

const WorktreeRecord = Type.Object({
  workspaceId: Type.String(),
  commit: Type.String(),
  tree: Type.String(),
});
const recordCheck = checkLater(WorktreeRecord);
const FILE = "atrium.json";

/** A worktree and where git keeps what it knows of it. */
export interface WorktreePlace extends Worktree {
  readonly gitDir: string;
  /** Ours; the one beside it, `index`, is for those who work in the folder. */
  readonly index: string;
}

export function placeWorktree(
  places: GitPlaces,
  repositoryId: string,
  name: string,
  record: Static<typeof WorktreeRecord>,
): WorktreePlace {
  const store = storeFolder(places, repositoryId);
  const folder = join(places.worktrees, name);
  const gitDir = join(store, "worktrees", name);
  const gitFile = join(folder, ".git");
  return {
    repositoryId,
    folder,
    gitFile,
    store,
    programs: join(places.programs, name),
    gitDir,
    index: join(gitDir, "atrium.index"),
    ...record,
  };
}

export async function writeRecord({
  gitDir,
  workspaceId,
  commit,
  tree,
}: WorktreePlace): Promise<void> {
  await writeWhole(join(gitDir, FILE), JSON.stringify({ workspaceId, commit, tree }));
}

export async function removeRecord({ gitDir }: Pick<WorktreePlace, "gitDir">): Promise<void> {
  await rm(join(gitDir, FILE), { force: true });
}

export interface WorktreeNames {
  readonly ready: readonly WorktreePlace[];
  /** Git's data about what was not finished. */
  readonly unfinished: readonly string[];
}

export async function readWorktrees(places: GitPlaces): Promise<WorktreeNames> {
  const ready: WorktreePlace[] = [];
  const unfinished: string[] = [];
  for (const repositoryId of await readStoreIds(places)) {
    const folder = join(storeFolder(places, repositoryId), "worktrees");
    for (const name of await namesIn(folder)) {
      const text = await readFile(join(folder, name, FILE), "utf8").catch(() => "");
      const record = parseJson(text);
      if (recordCheck.Check(record)) ready.push(placeWorktree(places, repositoryId, name, record));
      else unfinished.push(join(folder, name));
    }
  }
  return { ready, unfinished };
}

export const nameOf = ({ folder }: Pick<Worktree, "folder">): string => basename(folder);
