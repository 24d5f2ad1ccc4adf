/**
 * The workspaces of one home folder, by git. One queue for each worktree, one reader for each store that
 * is in use; nothing is made, and git is not asked for, before somebody needs it.
 */
import { stat } from "node:fs/promises";
import { accept, refuse, type Outcome } from "@atrium/core";
import { KeyedQueue } from "../platform/keyed-queue.ts";
import type { Timers } from "../platform/timers.ts";
import { createEncloseGit, type EnclosedGitOptions } from "./git/enclosed-git.ts";
import { refusalOfFile } from "./git/git-refusal.ts";
import { gitEnvironment, makePlaces, placesIn, writeGitConfig } from "./git/git-settings.ts";
import type { GitKit } from "./git/git-settings.ts";
import { probeGit } from "./git/git-version.ts";
import { createGit } from "./git/git.ts";
import { compareTrees, readPatch } from "./history/compare-trees.ts";
import { listFolder, readFile } from "./history/read-history.ts";
import { MomentChain } from "./moments/moment-chain.ts";
import type { Recovery, Workspaces, Worktree, WorktreeRequest } from "./port/workspaces.ts";
import { recover } from "./recover.ts";
import { dropRefs, pruneStore } from "./store/forget-moments.ts";
import { repackIfLoose } from "./store/repack.ts";
import { Repositories } from "./store/repositories.ts";
import { isPlainId, type Store } from "./store/store.ts";
import { openWorktree } from "./worktrees/open-worktree.ts";
import { removeWorktree } from "./worktrees/remove-worktree.ts";
import { readWorktrees, type WorktreePlace } from "./worktrees/worktree-record.ts";

export interface WorkspacesOptions {
  /** Everything of it is in here. */
  readonly root: string;
  /** Where programs are looked for. */
  readonly path: string;
  readonly timers: Timers;
  /** A name or a path; "git" unless another is wanted. */
  readonly program?: string;
  /** Where git works on files that agents may be changing; left out: it is not confined. */
  readonly confinement?: EnclosedGitOptions["confinement"] | undefined;
}

interface OpenWorktree {
  readonly place: WorktreePlace;
  readonly store: Store;
  readonly chain: MomentChain;
}

const GRACE_MS = 2_000;
const NOTHING: Recovery = { removed: [], locks: 0, processes: 0 };

export function openWorkspaces({
  root,
  path,
  timers,
  program = "git",
  confinement,
}: WorkspacesOptions): Workspaces {
  const places = placesIn(root);
  const { config } = places;
  const env = gitEnvironment(places, path);
  const enclose = confinement && createEncloseGit({ confinement, program, env, config });
  const git = createGit({ program, env, timers, enclose });
  return new GitWorkspaces({ git, places, timers });
}

class GitWorkspaces implements Workspaces {
  readonly #kit: GitKit;
  readonly #repositories: Repositories;
  readonly #queue = new KeyedQueue();
  /** Undefined until they were looked for. */
  #worktrees: Promise<Map<string, OpenWorktree>> | undefined;
  #version: Promise<Outcome<string>> | undefined;
  #settings: Promise<void> | undefined;

  constructor(kit: GitKit) {
    this.#kit = kit;
    this.#repositories = new Repositories(kit);
  }

  async probe(): Promise<Outcome<string>> {
    const version = await (this.#version ??= probeGit(this.#kit.git));
    // It may be installed meanwhile.
    if (!version.ok) this.#version = undefined;
    return version;
  }

  async #setUp(): Promise<void> {
    try {
      await makePlaces(this.#kit.places);
      await writeGitConfig(this.#kit.places, await this.#repositories.attached());
    } catch (cause) {
      this.#settings = undefined;
      throw cause;
    }
  }

  async recover(): Promise<Outcome<Recovery>> {
    const isUsed = await stat(this.#kit.places.stores).then(
      () => true,
      () => false,
    );
    if (!isUsed) return accept(NOTHING);
    return this.#whenReady(() => recover(this.#kit));
  }

  readonly openRepository: Workspaces["openRepository"] = (source) =>
    this.#whenReady(() =>
      this.#queue.run(`repository ${source.id}`, () => this.#repositories.open(source)),
    );

  readonly syncBase: Workspaces["syncBase"] = (id) =>
    this.#whenReady(() => this.#queue.run(`repository ${id}`, () => this.#repositories.sync(id)));

  openWorktree(request: WorktreeRequest): Promise<Outcome<Worktree>> {
    return this.#inTurn(request.workspaceId, async () => {
      const found = await this.#repositories.find(request.repositoryId);
      if (!found.ok) return found;
      const store = found.value;
      return store.gate.among(() => this.#open(request, store));
    });
  }

  async #open(request: WorktreeRequest, store: Store): Promise<Outcome<Worktree>> {
    const { workspaceId, repositoryId } = request;
    const worktrees = await this.#known();
    const known = worktrees.get(workspaceId)?.place;
    if (known !== undefined && known.repositoryId !== repositoryId) {
      return refuse("workspace.taken", `${workspaceId} is a worktree of ${known.repositoryId}`);
    }
    if (known !== undefined) {
      if (await isFolder(known.folder)) return accept(outside(known));
      // Somebody took the folder away; it is made again from its last moment.
      const removed = await removeWorktree(this.#kit, known);
      if (!removed.ok) return removed;
      worktrees.delete(workspaceId);
    }
    const made = await openWorktree(this.#kit, request, (work) =>
      this.#queue.run(`repository ${repositoryId}`, work),
    );
    if (!made.ok) return made;
    const place = made.value;
    const chain = new MomentChain(this.#kit, store, place);
    worktrees.set(workspaceId, { place, store, chain });
    return accept(outside(place));
  }

  async findWorktree(workspaceId: string): Promise<Outcome<Worktree>> {
    const found = await this.#find(workspaceId);
    return found.ok ? accept(outside(found.value.place)) : found;
  }

  listWorktrees(): Promise<Outcome<readonly Worktree[]>> {
    return this.#whenReady(async () =>
      accept(Array.from((await this.#known()).values(), ({ place }) => outside(place))),
    );
  }

  removeWorktree(workspaceId: string): Promise<Outcome<void>> {
    return this.#inTurn(workspaceId, async () => {
      const found = await this.#find(workspaceId);
      // What is not there is gone already.
      if (!found.ok) return accept(undefined);
      const { place } = found.value;
      const removed = await this.#remove(place);
      if (!removed.ok) return removed;
      // Not waited for; where it fails, the next one does it.
      void this.#queue.run(`repository ${place.repositoryId}`, () =>
        repackIfLoose(this.#kit.git, place.store).catch(refusalOfFile),
      );
      return accept(undefined);
    });
  }

  async #remove(place: WorktreePlace): Promise<Outcome<unknown>> {
    (await this.#known()).delete(place.workspaceId);
    return removeWorktree(this.#kit, place);
  }

  readonly forgetMoments: Workspaces["forgetMoments"] = (repositoryId, workspaceId) =>
    this.#inTurn(workspaceId, async () => {
      const store = await this.#repositories.find(repositoryId);
      // What is not there is forgotten already.
      if (!store.ok) return store.code === "repository.missing" ? accept(undefined) : store;
      return store.value.gate.alone(() => this.#forget(store.value, workspaceId));
    });

  async #forget({ id, gitDir, objects }: Store, workspaceId: string): Promise<Outcome<void>> {
    const { git } = this.#kit;
    const known = await this.#known();
    const place = known.get(workspaceId)?.place;
    if (place?.repositoryId === id) {
      const removed = await this.#remove(place);
      if (!removed.ok) return removed;
    }
    const dropped = await dropRefs(git, gitDir, workspaceId);
    if (!dropped.ok) return dropped;
    const sites = [...known.values()].map((each) => each.place);
    const own = sites.filter(({ repositoryId }) => repositoryId === id);
    const pruned = await this.#queue.run(`repository ${id}`, () => pruneStore(git, gitDir, own));
    // The git that reads objects has files open that are gone.
    objects.close();
    return pruned.ok ? accept(undefined) : pruned;
  }

  readonly recordMoment: Workspaces["recordMoment"] = (workspaceId, request) =>
    this.#inChain(workspaceId, (chain) => chain.record(request));

  readonly restoreMoment: Workspaces["restoreMoment"] = (workspaceId, tree, request) =>
    this.#inChain(workspaceId, (chain) => chain.restore(tree, request));

  readonly listFolder: Workspaces["listFolder"] = async (repositoryId, tree, path) => {
    const store = await this.#repositories.find(repositoryId);
    if (!store.ok) return store;
    const { gate, objects } = store.value;
    return gate.among(() => listFolder(objects, tree, path));
  };

  readonly readFile: Workspaces["readFile"] = async (repositoryId, tree, path, maxBytes) => {
    const store = await this.#repositories.find(repositoryId);
    if (!store.ok) return store;
    const { gate, objects } = store.value;
    return gate.among(() => readFile(objects, tree, path, maxBytes));
  };

  readonly compareTrees: Workspaces["compareTrees"] = async (repositoryId, from, to) => {
    const store = await this.#repositories.find(repositoryId);
    return store.ok ? compareTrees(this.#kit.git, store.value.gitDir, from, to) : store;
  };

  readonly readPatch: Workspaces["readPatch"] = async (repositoryId, request) => {
    const store = await this.#repositories.find(repositoryId);
    return store.ok ? readPatch(this.#kit.git, store.value.gitDir, request) : store;
  };

  async [Symbol.asyncDispose](): Promise<void> {
    const { git, timers } = this.#kit;
    // What is under way may end; what hangs must not keep the server from ending.
    const cancel = timers.after(GRACE_MS, () => git.close());
    await this.#queue.idle();
    cancel();
    this.#repositories.close();
    git.close();
  }

  async #whenReady<Value>(work: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    const version = await this.probe();
    if (!version.ok) return version;
    try {
      await (this.#settings ??= this.#setUp());
      return await work();
    } catch (cause) {
      return refusalOfFile(cause);
    }
  }

  #inTurn<Value>(
    workspaceId: string,
    work: () => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    if (!isPlainId(workspaceId)) {
      return Promise.resolve(refuse("workspace.missing", workspaceId.slice(0, 80)));
    }
    return this.#queue.run(`workspace ${workspaceId}`, () => this.#whenReady(work));
  }

  #inChain<Value>(
    workspaceId: string,
    work: (chain: MomentChain) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    return this.#inTurn(workspaceId, async () => {
      const found = await this.#find(workspaceId);
      if (!found.ok) return found;
      const { store, chain } = found.value;
      return store.gate.among(() => work(chain));
    });
  }

  async #find(workspaceId: string): Promise<Outcome<OpenWorktree>> {
    const found = (await this.#known()).get(workspaceId);
    return found === undefined
      ? refuse("workspace.missing", workspaceId.slice(0, 80))
      : accept(found);
  }

  #known(): Promise<Map<string, OpenWorktree>> {
    return (this.#worktrees ??= this.#load());
  }

  async #load(): Promise<Map<string, OpenWorktree>> {
    const known = new Map<string, OpenWorktree>();
    const { ready } = await readWorktrees(this.#kit.places);
    for (const place of ready) {
      const store = await this.#repositories.find(place.repositoryId);
      if (!store.ok) continue;
      const chain = new MomentChain(this.#kit, store.value, place);
      known.set(place.workspaceId, { place, store: store.value, chain });
    }
    return known;
  }
}

function outside(place: WorktreePlace): Worktree {
  const { repositoryId, workspaceId, folder, gitFile, store, commit, tree } = place;
  return { repositoryId, workspaceId, folder, gitFile, store, commit, tree };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
