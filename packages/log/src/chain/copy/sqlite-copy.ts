/** The copy in a file: the tables, thread and readers of the log in a file, which follow the chain. */
import { LogFault, type Entry, type ReadOptions, type Snapshot } from "../../log.ts";
import { faultOf } from "../../sqlite/fault.ts";
import { moveAway } from "../../sqlite/move-away.ts";
import { PublishedEntries } from "../../sqlite/published-entries.ts";
import { startWriter, type StartedWriter, type WriterThread } from "../../sqlite/writer-thread.ts";
import type { Bell } from "../../tail.ts";
import type { ChainStart, KeyState } from "../state/chain-state.ts";
import { CopyReader } from "./copy-reader.ts";
import type { Copy, CopyLink } from "./copy.ts";

const WORKER = new URL("./worker-entry.mjs", import.meta.url);

/** A damaged file is moved away and begun anew, because the chain has everything that was in it. */
export async function openSqliteCopy(file: string): Promise<Copy> {
  try {
    return await openCopy(file, []);
  } catch (error) {
    if (!(error instanceof LogFault) || error.code !== "corrupt") throw error;
    // An older one may have what the servers lost since.
    const kept = moveAway(file, "damaged");
    return openCopy(file, [
      `this node's copy of the log was damaged and is filled again from the servers; the old one is ${kept}, remove it once all is well`,
    ]);
  }
}

async function openCopy(file: string, warnings: readonly string[]): Promise<Copy> {
  // Not waiting for the disk is safe: what a power cut takes, the chain still has. Keys follow the chain's genesis.
  const writer = await startWriter({ file, durability: "normal", keyRetentionMs: 0 }, WORKER);
  try {
    return new SqliteCopy(writer, warnings);
  } catch (error) {
    await writer.thread.close();
    throw faultOf(error, writer.opened.path);
  }
}

class SqliteCopy implements Copy {
  readonly path: string;
  readonly warnings: readonly string[];
  readonly start: ChainStart;
  readonly bell: Bell;
  readonly #thread: WriterThread;
  readonly #published: PublishedEntries;
  readonly #reader: CopyReader;

  constructor({ thread, opened }: StartedWriter, warnings: readonly string[]) {
    this.warnings = warnings;
    this.path = opened.path;
    this.#thread = thread;
    this.#reader = new CopyReader(opened.path);
    this.start = this.#reader.readStart();
    this.#published = new PublishedEntries(opened);
    this.bell = this.#published.bell;
  }

  get head(): number {
    return this.#published.head;
  }

  get isClosed(): boolean {
    return this.#published.isClosed;
  }

  async commit(links: readonly CopyLink[]): Promise<void> {
    const { head } = this;
    const filed = await this.#thread.apply(links.map(({ n, bytes }) => ({ n, bytes })));
    this.#published.filed = filed;
    for (const { entries, bytes, message } of links) {
      // About as much as each of them takes.
      const size = bytes.length / entries.length;
      for (const entry of entries) this.#published.add(entry, size);
      if (message.body.kind !== "erase") continue;
      for (const { seq, text } of message.body.rewrites) {
        this.#published.rewrite(seq, JSON.parse(text));
      }
    }
    if (this.head > head) this.bell.ring();
  }

  after(seq: number): readonly Entry[] {
    return this.#published.after(seq);
  }

  read(options: ReadOptions): AsyncIterable<Entry> {
    return this.#published.read(options);
  }

  recall(last: number, count: number): readonly Entry[] {
    return this.#published.recall(last, count);
  }

  versionOf(stream: string): number {
    return this.#reader.versionOf(stream);
  }

  findKey(id: string): KeyState | undefined {
    return this.#reader.findKey(id);
  }

  findLink(n: number): Uint8Array | undefined {
    return this.#reader.findLink(n);
  }

  hashAt(n: number): string | undefined {
    return this.#reader.hashAt(n);
  }

  findSnapshot(name: string): Snapshot | undefined {
    return this.#published.findSnapshot(name);
  }

  async saveSnapshot(name: string, snapshot: Snapshot): Promise<void> {
    await this.#thread.save(name, snapshot);
  }

  checkOpen(): void {
    this.#published.checkOpen();
  }

  async close(): Promise<void> {
    this.#published.close();
    this.#reader.close();
    await this.#thread.close();
  }
}
