/**
 * Who works on what, one after the other: in each worktree, and on each line. Many may be at work in a store,
 * until one has to be alone in it. Nothing is made, and git is not asked for, before somebody needs it.
 *
 * Whoever waits for several waits in this order: worktree or line, store, repository.
 */
import { accept, refuse, type Outcome } from "@atrium/core";
import { KeyedQueue } from "../../platform/keyed-queue.ts";
import { refusalOfFile } from "../git/git-refusal.ts";
import { makePlaces, writeGitConfig, type GitKit } from "../git/git-settings.ts";
import { probeGit } from "../git/git-version.ts";
import { MomentChain } from "../moments/moment-chain.ts";
import { Repositories } from "../store/repositories.ts";
import { isPlainId, type Store } from "../store/store.ts";
import { readWorktrees, type WorktreePlace } from "../worktrees/worktree-record.ts";

export interface OpenWorktree {
  readonly place: WorktreePlace;
  readonly store: Store;
  readonly chain: MomentChain;
}

type Work<Value> = () => Promise<Outcome<Value>>;

const GRACE_MS = 2_000;

export class WorkspaceAccess {
  readonly kit: GitKit;
  readonly repositories: Repositories;
  readonly #queue = new KeyedQueue();
  /** Undefined until they were looked for. */
  #worktrees: Promise<Map<string, OpenWorktree>> | undefined;
  #version: Promise<Outcome<string>> | undefined;
  #settings: Promise<void> | undefined;

  constructor(kit: GitKit) {
    this.kit = kit;
    this.repositories = new Repositories(kit);
  }

  async probe(): Promise<Outcome<string>> {
    const version = await (this.#version ??= probeGit(this.kit.git));
    // It may be installed meanwhile.
    if (!version.ok) this.#version = undefined;
    return version;
  }

  async whenReady<Value>(work: Work<Value>): Promise<Outcome<Value>> {
    const version = await this.probe();
    if (!version.ok) return version;
    try {
      await (this.#settings ??= this.#setUp());
      return await work();
    } catch (cause) {
      return refusalOfFile(cause);
    }
  }

  async #setUp(): Promise<void> {
    try {
      await makePlaces(this.kit.places);
      await writeGitConfig(this.kit.places, await this.repositories.attached());
    } catch (cause) {
      this.#settings = undefined;
      throw cause;
    }
  }

  inRepository<Result>(repositoryId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(`repository ${repositoryId}`, work);
  }

  /** Beside others, while nobody is alone in it. */
  inStore<Value>(
    repositoryId: string,
    work: (store: Store) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    return this.whenReady(async () => {
      const found = await this.repositories.find(repositoryId);
      return found.ok ? found.value.gate.among(() => work(found.value)) : found;
    });
  }

  onLine<Value>(
    repositoryId: string,
    lineId: string,
    work: (store: Store) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    if (!isPlainId(lineId)) return Promise.resolve(refuse("line.missing", lineId.slice(0, 80)));
    return this.#queue.run(`line ${repositoryId}/${lineId}`, () =>
      this.inStore(repositoryId, work),
    );
  }

  inTurn<Value>(workspaceId: string, work: Work<Value>): Promise<Outcome<Value>> {
    if (!isPlainId(workspaceId)) {
      return Promise.resolve(refuse("workspace.missing", workspaceId.slice(0, 80)));
    }
    return this.#queue.run(`workspace ${workspaceId}`, () => this.whenReady(work));
  }

  inWorktree<Value>(
    workspaceId: string,
    work: (worktree: OpenWorktree) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    return this.inTurn(workspaceId, async () => {
      const found = await this.find(workspaceId);
      if (!found.ok) return found;
      return found.value.store.gate.among(() => work(found.value));
    });
  }

  async find(workspaceId: string): Promise<Outcome<OpenWorktree>> {
    const found = (await this.worktrees()).get(workspaceId);
    return found === undefined
      ? refuse("workspace.missing", workspaceId.slice(0, 80))
      : accept(found);
  }

  worktrees(): Promise<Map<string, OpenWorktree>> {
    return (this.#worktrees ??= this.#load());
  }

  async #load(): Promise<Map<string, OpenWorktree>> {
    const known = new Map<string, OpenWorktree>();
    const { ready } = await readWorktrees(this.kit.places);
    for (const place of ready) {
      const store = await this.repositories.find(place.repositoryId);
      if (store.ok) known.set(place.workspaceId, this.inUse(store.value, place));
    }
    return known;
  }

  inUse(store: Store, place: WorktreePlace): OpenWorktree {
    return { place, store, chain: new MomentChain(this.kit, store, place) };
  }

  async close(): Promise<void> {
    const { git, timers } = this.kit;
    // What is under way may end; what hangs must not keep the server from ending.
    const cancel = timers.after(GRACE_MS, () => git.close());
    await this.#queue.idle();
    cancel();
    this.repositories.close();
    git.close();
  }
}
