/** The stores there are: opened once, synced on request, and read through one git each while in use. */
import { accept, refuse, type Outcome } from "@atrium/core";
import { readCommit } from "../git/commits.ts";
import { writeGitConfig } from "../git/git-settings.ts";
import type { GitKit } from "../git/git-settings.ts";
import type { RepositoryFacts, RepositorySource } from "../port/workspaces.ts";
import { kindOf, makeStore } from "./open-store.ts";
import { BASE_REF } from "./refs.ts";
import {
  createStore,
  readStoreIds,
  isPlainId,
  readStoreRecord,
  storeFolder,
  writeStoreRecord,
  type Store,
  type StoreRecord,
} from "./store.ts";
import { syncStore } from "./sync-store.ts";

export class Repositories {
  readonly #kit: GitKit;
  readonly #stores = new Map<string, Store>();
  /** Paths that people named. */
  readonly #attached = new Set<string>();

  constructor(kit: GitKit) {
    this.#kit = kit;
  }

  /** Paths of all repositories that were opened, in this life or before. */
  async attached(): Promise<ReadonlySet<string>> {
    const { places } = this.#kit;
    for (const id of await readStoreIds(places)) {
      const record = await readStoreRecord(storeFolder(places, id));
      if (record.ok && record.value.path !== null) this.#attached.add(record.value.path);
    }
    return this.#attached;
  }

  async open(source: RepositorySource): Promise<Outcome<RepositoryFacts>> {
    const { id, path } = source;
    if (!isPlainId(id)) return refuse("repository.missing", `${id.slice(0, 80)} is no id`);
    if (path !== null && !this.#attached.has(path)) {
      this.#attached.add(path);
      await writeGitConfig(this.#kit.places, this.#attached);
    }
    const gitDir = storeFolder(this.#kit.places, id);
    const known = await readStoreRecord(gitDir);
    if (!known.ok) {
      if (known.code !== "repository.missing") return known;
      const made = await makeStore(this.#kit, source);
      return made.ok ? this.#facts(id, made.value) : made;
    }
    const isElsewhere = path !== known.value.path;
    const kind = isElsewhere ? await kindOf(this.#kit, source) : accept(known.value.kind);
    if (!kind.ok) return kind;
    const record = { path, base: source.base ?? null, kind: kind.value };
    if (!isElsewhere && record.base === known.value.base) return this.#facts(id, record);
    const synced = await syncStore(this.#kit, gitDir, record, isElsewhere);
    if (!synced.ok) return synced;
    await writeStoreRecord(gitDir, record);
    return this.#facts(id, record);
  }

  async sync(id: string): Promise<Outcome<RepositoryFacts>> {
    const found = await this.find(id);
    if (!found.ok) return found;
    const record = await readStoreRecord(found.value.gitDir);
    if (!record.ok) return record;
    const synced = await syncStore(this.#kit, found.value.gitDir, record.value);
    return synced.ok ? this.#facts(id, record.value) : synced;
  }

  async find(id: string): Promise<Outcome<Store>> {
    if (!isPlainId(id)) return refuse("repository.missing", id.slice(0, 80));
    const open = this.#stores.get(id);
    if (open !== undefined) return accept(open);
    const record = await readStoreRecord(storeFolder(this.#kit.places, id));
    if (!record.ok) return record;
    const store = this.#stores.get(id) ?? createStore(this.#kit, id);
    this.#stores.set(id, store);
    return accept(store);
  }

  close(): void {
    for (const { objects, refs } of this.#stores.values()) {
      objects.close();
      refs.close();
    }
  }

  async #facts(id: string, { kind }: StoreRecord): Promise<Outcome<RepositoryFacts>> {
    const store = storeFolder(this.#kit.places, id);
    const base = await readCommit(this.#kit.git, store, BASE_REF);
    return base.ok ? accept({ ...base.value, kind, store }) : base;
  }
}
