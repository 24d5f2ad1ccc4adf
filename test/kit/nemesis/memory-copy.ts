/** A copy in memory that outlives its node: what a file keeps, without the disk. */
import { NOTHING_SAVED, type Entry, type ReadOptions, type Snapshot } from "@atrium/log";
import {
  Bell,
  NO_HASH,
  type ChainStart,
  type Copy,
  type CopyLink,
  type KeyState,
  type MessageAppend,
} from "@atrium/log/chain";
import type { Owner, Schedule } from "./schedule.ts";

/** What survives the node. */
export class CopyStore {
  readonly links: { readonly bytes: Uint8Array | undefined; readonly link: CopyLink }[] = [];
  readonly entries: Entry[] = [];
  readonly versions = new Map<string, number>();
  readonly keys = new Map<string, KeyState>();
  readonly snapshots = new Map<string, Snapshot>();
  readonly ticks = new Map<string, number>();
  newestTime = 0;

  apply(link: CopyLink): void {
    const { body } = link.message;
    const head = this.entries.length;
    this.links.push({ bytes: link.bytes, link });
    this.entries.push(...link.entries.map((entry) => ({ ...entry })));
    if (body.kind === "erase") {
      for (const { seq, text } of body.rewrites) this.#rewrite(seq, JSON.parse(text));
      for (const [name, { text }] of this.snapshots) {
        if (text !== NOTHING_SAVED) this.snapshots.delete(name);
      }
    }
    if (body.kind !== "ticks") return;
    let seq = head;
    for (const { author, counter, appends } of body.ticks) {
      this.ticks.set(author.life, counter);
      for (const append of appends) {
        seq += append.entries.length;
        this.#write(append, seq);
      }
    }
    if (seq === head) return;
    for (const [id, key] of this.keys) {
      if (key.at === null) this.keys.set(id, { ...key, at: this.newestTime });
    }
  }

  #write({ stream, key, entries }: MessageAppend, seq: number): void {
    for (const { at } of entries) this.newestTime = Math.max(this.newestTime, at);
    if (entries.length > 0) this.versions.set(stream, seq);
    if (key === undefined) return;
    const at = entries.length > 0 ? this.newestTime : null;
    this.keys.set(key.id, { digest: key.digest, seq, count: entries.length, at });
  }

  #rewrite(seq: number, data: unknown): void {
    const entry = this.entries[seq - 1];
    if (entry !== undefined) this.entries[seq - 1] = { ...entry, data };
  }
}

export class MemoryCopy implements Copy {
  readonly path = "memory";
  readonly warnings = [];
  readonly start: ChainStart;
  readonly bell = new Bell();
  isClosed = false;
  readonly #store: CopyStore;
  readonly #schedule: Schedule;
  readonly #owner: Owner;
  #head: number;

  constructor(schedule: Schedule, owner: Owner, store: CopyStore) {
    this.#schedule = schedule;
    this.#owner = owner;
    this.#store = store;
    this.#head = store.entries.length;
    const { links, newestTime, ticks } = store;
    const last = links.at(-1)?.link;
    const first = links[0]?.link;
    const genesis = first?.message.body;
    this.start = {
      applied: links.length,
      hash: last?.hash ?? NO_HASH,
      head: this.#head,
      newestTime,
      genesis: genesis?.kind === "genesis" ? { ...genesis, hash: first?.hash ?? "" } : undefined,
      life: last?.message.author.life,
      ticks: new Map(ticks),
    };
  }

  get head(): number {
    return this.#head;
  }

  async commit(links: readonly CopyLink[]): Promise<void> {
    await this.#schedule.pause(this.#owner, this.#schedule.random() * 3);
    for (const link of links) this.#store.apply(link);
    // The thread has written, and the node hears of it later.
    await this.#schedule.pause(this.#owner, this.#schedule.random());
    this.#head = this.#store.entries.length;
    this.bell.ring();
  }

  versionOf(stream: string): number {
    return this.#store.versions.get(stream) ?? 0;
  }

  findKey(id: string): KeyState | undefined {
    return this.#store.keys.get(id);
  }

  findLink(n: number): Uint8Array | undefined {
    return this.#store.links[n - 1]?.bytes;
  }

  hashAt(n: number): string | undefined {
    return this.#store.links[n - 1]?.link.hash;
  }

  after(seq: number): readonly Entry[] {
    return this.#store.entries.slice(seq, this.#head);
  }

  async *read(options: ReadOptions): AsyncGenerator<Entry, void, undefined> {
    const { stream, backwards = false, limit = Infinity, after = 0 } = options;
    const found = this.#store.entries
      .slice(after, this.#head)
      .filter((entry) => stream === undefined || entry.stream === stream);
    const ordered = backwards ? found.toReversed() : found;
    yield* ordered.slice(0, limit);
  }

  recall(last: number, count: number): readonly Entry[] {
    return this.#store.entries.slice(last - count, last);
  }

  findSnapshot(name: string): Snapshot | undefined {
    return this.#store.snapshots.get(name);
  }

  async saveSnapshot(name: string, snapshot: Snapshot): Promise<void> {
    this.#store.snapshots.set(name, snapshot);
  }

  checkOpen(): void {
    if (this.isClosed) throw new Error("closed");
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.bell.ring();
  }
}
