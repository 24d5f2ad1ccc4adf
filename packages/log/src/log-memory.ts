/**
 * A log that lives as long as its process: for tests, demos and whoever wants no file.
 *
 * Real, not a mock: it passes the same contract. Each opening is a new epoch, so a reader
 * that comes back with a position of an earlier one is told so instead of being misled.
 */
import { randomUUID } from "node:crypto";
import { checkGuard, checkSnapshot, encodeAppend, encodeRewrite, type NewEntry } from "./draft.ts";
import {
  LogFault,
  NOTHING_SAVED,
  type AppendOptions,
  type AppendResult,
  type Draft,
  type Entry,
  type EraseOptions,
  type EraseResult,
  type Expected,
  type Guard,
  type KeyRecord,
  type Log,
  type ReadOptions,
  type Rewrite,
  type Snapshot,
} from "./log.ts";
import { Bell, followTail, type TailSource } from "./tail.ts";

const BATCH = 256;

export interface MemoryLogOptions {
  /** Random when left out. */
  readonly epoch?: string;
}

export function openMemoryLog(options: MemoryLogOptions = {}): Log {
  return new MemoryLog(options.epoch ?? randomUUID());
}

class MemoryLog implements Log, TailSource {
  readonly epoch: string;
  readonly snapshots: Log["snapshots"];
  readonly stopped: Promise<undefined>;
  readonly trouble = undefined;
  readonly bell = new Bell();
  isClosed = false;
  /** Of the last append, if it was written. */
  #written: string | undefined;
  readonly #entries: Entry[] = [];
  readonly #streams = new Map<string, Entry[]>();
  readonly #keys = new Map<string, KeyRecord>();
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #stopped = Promise.withResolvers<undefined>();

  constructor(epoch: string) {
    this.epoch = epoch;
    this.stopped = this.#stopped.promise;
    const kept = this.#snapshots;
    this.snapshots = {
      load: async (name) => {
        this.#checkOpen();
        return kept.get(name);
      },
      save: async (name, snapshot) => {
        this.#checkOpen();
        checkSnapshot(name, snapshot);
        kept.set(name, snapshot);
      },
    };
  }

  get head(): number {
    return this.#entries.length;
  }

  async append(
    stream: string,
    expected: Expected,
    drafts: readonly Draft[],
    options: AppendOptions = {},
  ): Promise<AppendResult> {
    this.#checkOpen();
    const { key, guard } = options;
    const previous = this.#written;
    this.#written = undefined;
    const { entries } = encodeAppend(stream, expected, drafts, options);
    const earlier = key && this.#keys.get(key.id);
    if (earlier !== undefined) {
      if (earlier.digest !== key?.digest) return { ok: false, reason: "key-reused" };
      return this.#appended(earlier.seq, earlier.entries, true);
    }
    const fenced = this.#fence(guard);
    if (fenced !== undefined) return fenced;
    const head = this.#versionOf(stream);
    const isExpected = expected === "after-previous" ? previous === stream : expected === head;
    if (expected !== "any" && !isExpected) return { ok: false, reason: "conflict", head };
    this.#write(stream, entries);
    this.#written = stream;
    if (key) this.#keys.set(key.id, { digest: key.digest, seq: this.head, entries });
    return this.#appended(this.head, entries, false);
  }

  async findKey(id: string): Promise<KeyRecord | undefined> {
    this.#checkOpen();
    return this.#keys.get(id);
  }

  async *read(options: ReadOptions = {}): AsyncGenerator<Entry, void, undefined> {
    this.#checkOpen();
    const { after = 0, before = Infinity, limit = Infinity, stream, backwards = false } = options;
    const all = stream === undefined ? this.#entries : (this.#streams.get(stream) ?? []);
    const first = indexOf(all, after + 1);
    const count = Math.max(0, Math.min(limit, indexOf(all, before) - first));
    const from = backwards ? indexOf(all, before) - count : first;
    const { isWanted } = options;
    // Taken and judged one by one: whoever reads backwards has mostly had enough long before the beginning. What comes
    // to be meanwhile comes after these, so they stay where they are.
    for (let n = 0; n < count; n++) {
      const entry = all[backwards ? from + count - 1 - n : from + n];
      if (entry !== undefined && (isWanted === undefined || isWanted(entry))) yield entry;
    }
  }

  tail(after: number, signal?: AbortSignal): AsyncIterable<readonly Entry[]> {
    return followTail(this, after, signal);
  }

  after(seq: number): readonly Entry[] {
    return this.#entries.slice(seq, seq + BATCH);
  }

  async erase(rewrites: readonly Rewrite[], { guard }: EraseOptions = {}): Promise<EraseResult> {
    this.#checkOpen();
    checkGuard(guard);
    const texts = rewrites.map((rewrite) => [rewrite.seq, encodeRewrite(rewrite)] as const);
    const fenced = this.#fence(guard);
    if (fenced !== undefined) return fenced;
    for (const [seq, text] of texts) {
      const entry = this.#entries[seq - 1];
      const data: unknown = JSON.parse(text);
      // Streams and keys hold the same entry.
      if (entry !== undefined) Object.assign(entry, { data });
    }
    for (const [name, { text }] of this.#snapshots) {
      if (text !== NOTHING_SAVED) this.#snapshots.delete(name);
    }
    return { ok: true };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.bell.ring();
    this.#stopped.resolve(undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #fence(guard: Guard | undefined): Extract<AppendResult, { reason: "fenced" }> | undefined {
    const head = guard === undefined ? 0 : this.#versionOf(guard.stream);
    if (guard === undefined || head === guard.version) return undefined;
    return { ok: false, reason: "fenced", head };
  }

  #versionOf(stream: string): number {
    return this.#streams.get(stream)?.at(-1)?.seq ?? 0;
  }

  #write(stream: string, entries: readonly NewEntry[]): void {
    if (entries.length === 0) return;
    const own = this.#streams.get(stream) ?? [];
    this.#streams.set(stream, own);
    for (const entry of entries) {
      entry.seq = this.#entries.length + 1;
      this.#entries.push(entry);
      own.push(entry);
    }
    this.bell.ring();
  }

  #appended(seq: number, entries: readonly Entry[], repeated: boolean): AppendResult {
    return { ok: true, position: { epoch: this.epoch, seq }, entries, repeated };
  }

  #checkOpen(): void {
    if (this.isClosed) throw new LogFault("closed", "the log in memory was closed; open another");
  }
}

/** Where the first entry with at least this seq stands. */
function indexOf(entries: readonly Entry[], seq: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.seq ?? Infinity) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
