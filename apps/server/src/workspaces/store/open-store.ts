/**
 * Makes a store: a bare clone of somebody's repository, a first import of a folder that is none, or an
 * empty repository. It is made under another name and moved into place, so a store that is there is whole.
 */
import { randomUUID } from "node:crypto";
import {
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import { accept, refuse, type Outcome } from "@atrium/core";
import { gitIn } from "../git/commits.ts";
import { outcomeOf, refusalOf, refusalOfFile } from "../git/git-refusal.ts";
import type { GitKit } from "../git/git-settings.ts";
import type { RepositorySource } from "../port/workspaces.ts";
import { importFolder } from "./import-folder.ts";
import { storeFolder, writeStoreRecord, type StoreRecord } from "./store.ts";
import { fetchBase, startFromNothing } from "./sync-store.ts";

/** What is on its way to becoming a store. */
export const DRAFT_PREFIX = "draft-";

/** An encoding that does not exist would make every moment fail. */
const ATTRIBUTES = "* !working-tree-encoding\n";

export async function makeStore(
  kit: GitKit,
  source: RepositorySource,
): Promise<Outcome<StoreRecord>> {
  const kind = await kindOf(kit, source);
  if (!kind.ok) return kind;
  const record = { path: source.path, base: source.base ?? null, kind: kind.value };
  const draft = join(kit.places.stores, `${DRAFT_PREFIX}${randomUUID()}`);
  const made = await fill(kit, draft, record).catch(refusalOfFile);
  if (!made.ok) {
    await rm(draft, { recursive: true, force: true });
    return made;
  }
  await rename(draft, storeFolder(kit.places, source.id));
  await using folder = await open(kit.places.stores);
  await folder.sync();
  return accept(record);
}

async function fill(kit: GitKit, draft: string, record: StoreRecord): Promise<Outcome<unknown>> {
  const made = await start(kit, draft, record);
  if (made.ok) await writeStoreRecord(draft, record);
  return made;
}

async function start(kit: GitKit, draft: string, record: StoreRecord): Promise<Outcome<unknown>> {
  const { kind, path } = record;
  const isClone = kind === "git" && path !== null;
  const made = isClone ? await clone(kit, path, draft) : await init(kit, draft);
  if (!made.ok) return made;
  await mkdir(join(draft, "info"), { recursive: true });
  await writeFile(join(draft, "info/attributes"), ATTRIBUTES);
  switch (kind) {
    case "git":
      return fetchBase(kit, draft, record);
    case "folder":
      return importFolder(kit, draft, path ?? "");
    case "own":
      return startFromNothing(kit, draft);
  }
}

export async function kindOf(
  { git, places }: GitKit,
  { path }: RepositorySource,
): Promise<Outcome<StoreRecord["kind"]>> {
  if (path === null) return accept("own");
  if (!isAbsolute(path) || path.includes("\0")) {
    return refuse("repository.missing", `${path} is not an absolute path`);
  }
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return refuse("repository.missing", `there is no folder ${path}`);
  const answer = await git.run([
    "-C",
    path,
    "rev-parse",
    "--is-bare-repository",
    "--show-toplevel",
  ]);
  const [isBare, top] = answer.stdout.toString("utf8").split("\n");
  if (isBare === "true") return accept("git");
  if (answer.ok) {
    return top === (await realpath(path))
      ? accept("git")
      : refuse("repository.unreadable", `${path} is inside the repository ${top}; name that one`);
  }
  if (!answer.complaint.includes("not a git repository")) {
    return refusalOf(answer, "repository.unreadable");
  }
  const hasGit = await lstat(join(path, ".git")).then(
    () => true,
    () => false,
  );
  if (hasGit) return refusalOf(answer, "repository.unreadable");
  // All that is in a folder is imported, so the server's secrets must not be.
  return (await realpath(places.root)).startsWith(join(await realpath(path), sep))
    ? refuse("repository.forbidden", `${path} has the server's own folder in it`)
    : accept("folder");
}

/** Hard links where it can, copies where it must. */
async function clone({ git }: GitKit, path: string, draft: string): Promise<Outcome<unknown>> {
  const args = ["--bare", "--no-tags", "--quiet", "--template=", "--", path, draft];
  const linked = await git.run(["clone", "--local", ...args]);
  if (!linked.ok) {
    await rm(draft, { recursive: true, force: true });
    const copied = await git.run(["clone", "--no-local", ...args]);
    if (!copied.ok) return refusalOf(linked, "repository.unreadable");
  }
  // Nothing may push by accident, and names that people chose must not meet ours.
  const cut = await git.run(gitIn(draft, "config", "--remove-section", "remote.origin"));
  if (!cut.ok) return refusalOf(cut);
  await rm(join(draft, "packed-refs"), { force: true });
  for (const name of await readdir(join(draft, "refs"))) {
    await rm(join(draft, "refs", name), { recursive: true });
  }
  await mkdir(join(draft, "refs/heads"));
  await writeFile(join(draft, "HEAD"), "ref: refs/heads/main\n");
  return accept(undefined);
}

async function init({ git }: GitKit, draft: string): Promise<Outcome<unknown>> {
  return outcomeOf(await git.run(["init", "--bare", "--quiet", "--template=", "--", draft]));
}
