/**
 * What readers may see: everything up to the head, and nothing beyond.
 *
 * The writer's thread may have committed more than the log has heard of; that stays hidden, so
 * that head, read, tail and findKey always agree. New entries are kept in memory for those who
 * follow; everything else comes from the file.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { LogFault, type Entry, type KeyRecord, type ReadOptions, type Snapshot } from "../log.ts";
import { RecentEntries } from "../recent-entries.ts";
import { Bell, type TailSource } from "../tail.ts";
import type { OpenReply } from "./messages.ts";
import { Reader, type Chunk, type Range } from "./reader.ts";

const TAIL_BATCH = 256;

export class PublishedEntries implements TailSource {
  readonly bell = new Bell();
  isClosed = false;
  /** Up to here, what belongs to a stream can be looked up in the file. */
  filed: number;
  readonly #path: string;
  readonly #reader: Reader;
  readonly #recent: RecentEntries;

  constructor({ path, head, filed }: OpenReply) {
    this.filed = filed;
    this.#path = path;
    this.#reader = new Reader(path);
    this.#recent = new RecentEntries(head);
  }

  get head(): number {
    return this.#recent.newest;
  }

  /** Followers learn of it when the bell rings. */
  add(entry: Entry, bytes: number): void {
    this.#recent.add(entry, bytes);
  }

  /** What is held of it in memory; the file has it already. */
  rewrite(seq: number, data: unknown): void {
    this.#recent.rewrite(seq, data);
  }

  after(seq: number): readonly Entry[] {
    const recent = this.#recent.after(seq, TAIL_BATCH);
    if (recent !== undefined) return recent;
    const { entries } = this.#reader.readAll({ above: seq, below: this.head + 1 });
    if (entries[0]?.seq === seq + 1) return entries;
    throw new LogFault("corrupt", `${this.#path}: entry ${seq + 1} is missing; restore a copy`);
  }

  async *read(options: ReadOptions): AsyncGenerator<Entry, void, undefined> {
    const { stream, backwards = false, isWanted } = options;
    let { after: above = 0, limit = Infinity } = options;
    let below = Math.min(options.before ?? Infinity, this.head + 1);
    for (;;) {
      this.checkOpen();
      const range = { above, below, backwards, limit };
      const { entries, more } =
        stream === undefined ? this.#reader.readAll(range) : this.#readStream(stream, range);
      // Each is judged when it is its turn. Not yield*, which costs several promises for every entry.
      for (const entry of entries) if (isWanted === undefined || isWanted(entry)) yield entry;
      const last = entries.at(-1);
      if (!more || last === undefined) return;
      limit -= entries.length;
      if (backwards) below = last.seq;
      else above = last.seq;
      await nextTurn();
    }
  }

  findKey(id: string): KeyRecord | undefined {
    this.checkOpen();
    const row = this.#reader.findKey(id);
    if (row === undefined || row.seq > this.head) return undefined;
    return { digest: row.digest, seq: row.seq, entries: this.recall(row.seq, row.count) };
  }

  /** The entries of one append: so many, up to this one. */
  recall(last: number, count: number): readonly Entry[] {
    const recent = this.#recent.after(last - count, count);
    if (recent?.length === count) return recent;
    const entries: Entry[] = [];
    while (entries.length < count) {
      const above = entries.at(-1)?.seq ?? last - count;
      const chunk = this.#reader.readAll({ above, below: last + 1 });
      entries.push(...chunk.entries);
      if (!chunk.more) break;
    }
    return entries;
  }

  findSnapshot(name: string): Snapshot | undefined {
    this.checkOpen();
    return this.#reader.findSnapshot(name);
  }

  close(): void {
    this.isClosed = true;
    this.#reader.close();
    this.bell.ring();
  }

  checkOpen(): void {
    if (this.isClosed) throw new LogFault("closed", `${this.#path} was closed; open it again`);
  }

  /** Older entries by the file's index, newer ones by searching; in the order of the range. */
  #readStream(stream: string, range: Required<Range>): Chunk {
    const older = (limit: number): Chunk =>
      this.#reader.readFiled(stream, {
        ...range,
        below: Math.min(range.below, this.filed + 1),
        limit,
      });
    const newer = (limit: number): Chunk =>
      this.#searchUnfiled(stream, { ...range, above: Math.max(range.above, this.filed), limit });
    const [first, second] = range.backwards ? [newer, older] : [older, newer];
    const start = first(range.limit);
    if (start.more) return start;
    const rest = second(range.limit - start.entries.length);
    return { entries: [...start.entries, ...rest.entries], more: rest.more };
  }

  #searchUnfiled(stream: string, range: Required<Range>): Chunk {
    const { above, below, backwards, limit } = range;
    const found = this.#recent.ofStream(stream, above, below, backwards ? limit : Infinity);
    if (found === undefined) return this.#reader.searchUnfiled(stream, range);
    return { entries: backwards ? found : found.toReversed().slice(0, limit), more: false };
  }
}
