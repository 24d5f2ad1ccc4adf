/**
 * The newest entries, in memory, for readers that keep up.
 *
 * Bounded by count and by bytes; what falls out is read from the engine again. Entries are
 * found by number, so the numbers must have no gaps.
 */
import type { Entry } from "./log.ts";

const MAX_ENTRIES = 8192;
const MAX_BYTES = 16 * 1024 * 1024;

export class RecentEntries {
  readonly #slots: (Entry | undefined)[] = [];
  readonly #sizes: number[] = [];
  /** The number of the entry before it in its stream, 0 for none: by slot. */
  readonly #previous: number[] = [];
  /** The newest held of each stream. */
  readonly #newestOf = new Map<string, number>();
  #bytes = 0;
  /** The number of the oldest entry held; above `#newest` when none is. */
  #oldest: number;
  #newest: number;

  constructor(head: number) {
    this.#oldest = head + 1;
    this.#newest = head;
  }

  get newest(): number {
    return this.#newest;
  }

  add(entry: Entry, bytes: number): void {
    const slot = entry.seq % MAX_ENTRIES;
    if (this.#newest - this.#oldest + 1 === MAX_ENTRIES) this.#dropOldest();
    this.#slots[slot] = entry;
    this.#sizes[slot] = bytes;
    this.#previous[slot] = this.#newestOf.get(entry.stream) ?? 0;
    this.#newestOf.set(entry.stream, entry.seq);
    this.#newest = entry.seq;
    this.#bytes += bytes;
    while (this.#bytes > MAX_BYTES && this.#oldest < this.#newest) this.#dropOldest();
  }

  /** A new entry in the place of the old one: who holds that keeps what it said. */
  rewrite(seq: number, data: unknown): void {
    const slot = seq % MAX_ENTRIES;
    const entry = this.#slots[slot];
    if (entry?.seq === seq) this.#slots[slot] = { ...entry, data };
  }

  /** Up to `limit` entries after `seq`; undefined when they are no longer all here. */
  after(seq: number, limit: number): readonly Entry[] | undefined {
    if (seq + 1 < this.#oldest) return undefined;
    const found: Entry[] = [];
    const last = Math.min(this.#newest, seq + limit);
    for (let next = seq + 1; next <= last; next++) {
      const entry = this.#slots[next % MAX_ENTRIES];
      if (entry !== undefined) found.push(entry);
    }
    return found;
  }

  /** The newest of one stream between two numbers, newest first; undefined when not all of that is here any more. */
  ofStream(stream: string, above: number, below: number, limit = Infinity): Entry[] | undefined {
    if (above + 1 < this.#oldest) return undefined;
    const found: Entry[] = [];
    let seq = this.#newestOf.get(stream) ?? 0;
    while (seq > above && found.length < limit) {
      const slot = seq % MAX_ENTRIES;
      const entry = this.#slots[slot];
      if (seq < below && entry !== undefined) found.push(entry);
      seq = this.#previous[slot] ?? 0;
    }
    return found;
  }

  #dropOldest(): void {
    const slot = this.#oldest % MAX_ENTRIES;
    const stream = this.#slots[slot]?.stream ?? "";
    if (this.#newestOf.get(stream) === this.#oldest) this.#newestOf.delete(stream);
    this.#slots[slot] = undefined;
    this.#bytes -= this.#sizes[slot] ?? 0;
    this.#oldest++;
  }
}
