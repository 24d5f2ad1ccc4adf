/**
 * The log in a file: SQLite in write-ahead mode, one writer's thread, group commit.
 *
 *   append -> encode -> group commit -> writer's thread (decide, commit) -> publish -> answer
 *   read, tail, findKey -> what is published: from memory, else from the file in chunks
 *
 * An entry is published once it is durable, and before its writer hears of it. This file joins the two sides; what
 * touches the disk is beside it.
 */
import { checkGuard, checkSnapshot, encodeAppend, encodeRewrite } from "../draft.ts";
import {
  LogFault,
  type AppendOptions,
  type AppendResult,
  type Draft,
  type Entry,
  type EraseOptions,
  type EraseResult,
  type Expected,
  type KeyRecord,
  type Log,
  type ReadOptions,
  type Rewrite,
  type Snapshots,
} from "../log.ts";
import { followTail } from "../tail.ts";
import { faultOf } from "./fault.ts";
import { GroupCommit } from "./group-commit.ts";
import type { Durability } from "./log-file.ts";
import {
  CONFLICT,
  FENCED,
  packBatch,
  REPEATED,
  REUSED,
  VERDICT_SIZE,
  WRITTEN,
  type PackedAppend,
  type CommitReply,
} from "./messages.ts";
import { PublishedEntries } from "./published-entries.ts";
import { startWriter, type StartedWriter, type WriterThread } from "./writer-thread.ts";

const HOUR_MS = 60 * 60 * 1000;
const MIB = 1024 * 1024;

export interface SqliteLogOptions {
  /** The folder is made when it is missing; the file's companions are put beside it. */
  readonly file: string;
  /** "full" survives power loss; "normal" survives `kill -9`. "full" when left out. */
  readonly durability?: Durability;
  /** What may wait in memory to be written before append answers `busy`. */
  readonly maxPendingBytes?: number;
  readonly maxPendingAppends?: number;
  /** How long a key is remembered, by the times that writers stamp. */
  readonly keyRetentionMs?: number;
}

interface PendingAppend extends PackedAppend {
  readonly answer: PromiseWithResolvers<AppendResult>;
}

export async function openSqliteLog(options: SqliteLogOptions): Promise<Log> {
  const { file, durability = "full", keyRetentionMs = 48 * HOUR_MS } = options;
  const writer = await startWriter({ file, durability, keyRetentionMs });
  try {
    return new SqliteLog(writer, options);
  } catch (error) {
    await writer.thread.close();
    throw faultOf(error, writer.opened.path);
  }
}

class SqliteLog implements Log {
  readonly epoch: string;
  readonly snapshots: Snapshots;
  readonly stopped: Promise<LogFault | undefined>;
  readonly trouble = undefined;
  readonly #path: string;
  readonly #thread: WriterThread;
  readonly #published: PublishedEntries;
  readonly #commits: GroupCommit<PendingAppend, CommitReply>;
  readonly #maxBytes: number;
  readonly #stopped = Promise.withResolvers<LogFault | undefined>();
  #isPreviousTaken = false;
  #fault: LogFault | undefined;
  #closing: Promise<void> | undefined;

  constructor({ thread, opened }: StartedWriter, options: SqliteLogOptions) {
    this.epoch = opened.epoch;
    this.stopped = this.#stopped.promise;
    this.#path = opened.path;
    this.#thread = thread;
    this.#published = new PublishedEntries(opened);
    this.#maxBytes = options.maxPendingBytes ?? 32 * MIB;
    this.#commits = new GroupCommit(
      { maxItems: options.maxPendingAppends ?? 20_000, maxBytes: this.#maxBytes },
      {
        send: (items) => thread.commit(packBatch(items), items.length),
        settle: (items, result) => this.#settle(items, result),
        fail: (items, reason) => this.#fail(items, reason),
      },
    );
    this.snapshots = {
      load: async (name) => this.#published.findSnapshot(name),
      save: async (name, snapshot) => {
        this.#checkWritable();
        checkSnapshot(name, snapshot);
        await thread.save(name, snapshot);
      },
    };
    thread.ended.catch((reason: unknown) => this.#fail([], reason));
  }

  get head(): number {
    return this.#published.head;
  }

  async append(
    stream: string,
    expected: Expected,
    drafts: readonly Draft[],
    options: AppendOptions = {},
  ): Promise<AppendResult> {
    const wasPreviousTaken = this.#isPreviousTaken;
    this.#isPreviousTaken = false;
    this.#checkWritable();
    if (expected === "after-previous" && !wasPreviousTaken) return { ok: false, reason: "busy" };
    const encoded = encodeAppend(stream, expected, drafts, options);
    const maxBytes = this.#maxBytes;
    if (encoded.bytes > maxBytes) return { ok: false, reason: "oversize", maxBytes };
    const answer = Promise.withResolvers<AppendResult>();
    const { key, guard } = options;
    const append = { ...encoded, stream, expected, key, guard, answer };
    this.#isPreviousTaken = this.#commits.offer(append);
    return this.#isPreviousTaken ? answer.promise : { ok: false, reason: "busy" };
  }

  async findKey(id: string): Promise<KeyRecord | undefined> {
    return this.#published.findKey(id);
  }

  read(options: ReadOptions = {}): AsyncIterable<Entry> {
    return this.#published.read(options);
  }

  tail(after: number, signal?: AbortSignal): AsyncIterable<readonly Entry[]> {
    return followTail(this.#published, after, signal);
  }

  async erase(rewrites: readonly Rewrite[], { guard }: EraseOptions = {}): Promise<EraseResult> {
    this.#checkWritable();
    checkGuard(guard);
    const texts = rewrites.map((rewrite) => [rewrite.seq, encodeRewrite(rewrite)] as const);
    const head = await this.#thread.erase(texts, guard);
    if (head !== undefined) return { ok: false, reason: "fenced", head };
    for (const [seq, text] of texts) this.#published.rewrite(seq, JSON.parse(text));
    return { ok: true };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    await this.#commits.drained();
    // Before the writer: the last one to leave clears the write-ahead log away.
    this.#published.close();
    try {
      await this.#thread.close();
    } catch (error) {
      this.#fail([], error);
    }
    this.#stopped.resolve(undefined);
  }

  #settle(items: readonly PendingAppend[], { verdicts, filed }: CommitReply): void {
    const head = this.head;
    this.#published.filed = filed;
    for (const [index, item] of items.entries()) {
      const at = index * VERDICT_SIZE;
      if (verdicts[at] === WRITTEN) this.#publish(item, verdicts[at + 1] ?? 0);
    }
    if (this.head > head) this.#published.bell.ring();
    for (const [index, item] of items.entries()) {
      const at = index * VERDICT_SIZE;
      this.#answer(item, verdicts[at] ?? -1, verdicts[at + 1] ?? 0, verdicts[at + 2] ?? 0);
    }
  }

  #publish({ entries, texts }: PendingAppend, last: number): void {
    let seq = last - entries.length;
    for (const [index, entry] of entries.entries()) {
      entry.seq = ++seq;
      this.#published.add(entry, texts[index]?.length ?? 0);
    }
  }

  #answer({ answer, entries }: PendingAppend, kind: number, seq: number, count: number): void {
    const position = { epoch: this.epoch, seq };
    switch (kind) {
      case WRITTEN:
        return answer.resolve({ ok: true, position, entries, repeated: false });
      case CONFLICT:
        return answer.resolve({ ok: false, reason: "conflict", head: seq });
      case FENCED:
        return answer.resolve({ ok: false, reason: "fenced", head: seq });
      case REUSED:
        return answer.resolve({ ok: false, reason: "key-reused" });
      case REPEATED:
        try {
          const earlier = this.#published.recall(seq, count);
          return answer.resolve({ ok: true, position, entries: earlier, repeated: true });
        } catch (error) {
          return answer.reject(error);
        }
    }
  }

  #fail(items: readonly PendingAppend[], reason: unknown): void {
    this.#fault ??= faultOf(reason, this.#path);
    for (const { answer } of items) answer.reject(this.#fault);
    this.#stopped.resolve(this.#fault);
  }

  #checkWritable(): void {
    if (this.#closing !== undefined) {
      throw new LogFault("closed", `${this.#path} was closed; open it again`);
    }
    if (this.#fault !== undefined) throw this.#fault;
  }
}
