/**
 * The one writer of a log file: decides each append of a batch and commits them together.
 *
 * Appends are decided one after the other, each against what those before it left, as if each
 * had come alone; one that is refused writes nothing and does not disturb the rest. After a
 * throw the writer no longer knows the file and must not be used again.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { LogFault, type Guard, type Snapshot } from "../log.ts";
import { LogTables } from "./log-tables.ts";
import {
  AFTER_PREVIOUS,
  ANY,
  BatchCursor,
  CONFLICT,
  FENCED,
  REPEATED,
  REUSED,
  VERDICT_SIZE,
  WRITTEN,
  type Batch,
  type WriteRequest,
  type Texts,
  type Verdicts,
  type WorkerReply,
} from "./messages.ts";
import { readNumber } from "./schema.ts";
import type { FileWriter } from "./serve-file.ts";
import { StreamIndex } from "./stream-index.ts";

/** Old keys leave a few at a time, so that no commit waits for a great clearing. */
const MAX_FORGOTTEN = 256;

interface Append {
  readonly stream: string;
  readonly expected: number;
  readonly key: string | undefined;
  readonly digest: string;
  readonly guard: string | undefined;
  readonly guardVersion: number;
  readonly count: number;
}

type Verdict = readonly [kind: number, seq?: number, count?: number];

export class Writer implements FileWriter {
  readonly #tables: LogTables;
  readonly #keyRetentionMs: number;
  readonly #streams: StreamIndex;
  readonly #sql: ReturnType<typeof prepareAll>;
  #head: number;
  /** The stream of the append before, if it is written. */
  #written: string | undefined;
  /** The newest time any writer gave: the only clock by which keys grow old. */
  #now: number;
  #hasTimelessKeys: boolean;

  constructor(db: DatabaseSync, keyRetentionMs: number) {
    this.#tables = new LogTables(db);
    this.#keyRetentionMs = keyRetentionMs;
    this.#sql = prepareAll(db);
    this.#streams = new StreamIndex(db);
    this.#hasTimelessKeys = readNumber(db, "select count(*) from keys where at is null") > 0;
    this.#head = readNumber(db, "select max(seq) from entries");
    this.#now = readNumber(
      db,
      `select max(at) from (
         select at from (select at from keys where at is not null order by n desc limit 1)
         union all
         select at from (select at from entries order by seq desc limit 1))`,
    );
  }

  get head(): number {
    return this.#head;
  }

  /** Up to here, what belongs to a stream can be looked up in the file. */
  get filed(): number {
    return this.#streams.filed;
  }

  commit(request: WriteRequest): WorkerReply {
    if (request.type !== "commit") throw new LogFault("failed", "this file is no copy of a chain");
    const verdicts = this.#commit(request.batch, request.appends);
    return { type: "committed", verdicts, filed: this.filed };
  }

  #commit(batch: Batch, appends: number): Verdicts {
    const verdicts = new Float64Array(appends * VERDICT_SIZE);
    this.#tables.transact(() => {
      const cursor = new BatchCursor(batch);
      const head = this.#head;
      let keys = 0;
      for (let at = 0; !cursor.done; at += VERDICT_SIZE) {
        const append = takeAppend(cursor);
        const [kind, seq = 0, count = 0] = this.#decide(append, cursor);
        this.#written = kind === WRITTEN ? append.stream : undefined;
        verdicts[at] = kind;
        verdicts[at + 1] = seq;
        verdicts[at + 2] = count;
        if (append.key !== undefined && kind === WRITTEN) keys++;
      }
      if (this.#head > head) this.#stampKeys();
      if (keys > 0) this.#forgetKeys(keys + MAX_FORGOTTEN);
      this.#streams.fileWhenMany(this.#head);
    });
    return verdicts;
  }

  saveSnapshot(name: string, snapshot: Snapshot): void {
    this.#tables.saveSnapshot(name, snapshot);
  }

  erase(texts: Texts, guard: Guard | undefined): number | undefined {
    const version = guard === undefined ? 0 : this.#streams.versionOf(guard.stream);
    if (guard !== undefined && version !== guard.version) return version;
    this.#tables.transact(() => this.#tables.rewrite(texts));
    this.#tables.scrub();
    return undefined;
  }

  /** Takes the append's entries off the cursor in any case. */
  #decide(append: Append, cursor: BatchCursor): Verdict {
    const refusal = this.#repeat(append) ?? this.#fence(append) ?? this.#conflict(append);
    if (refusal !== undefined) {
      for (let left = append.count; left > 0; left--) takeEntry(cursor);
      return refusal;
    }
    const first = this.#head + 1;
    for (let left = append.count; left > 0; left--) {
      const { type, at, text } = takeEntry(cursor);
      this.#tables.addEntry.run(++this.#head, append.stream, type, at, text);
      if (at > this.#now) this.#now = at;
    }
    if (append.count > 0) this.#streams.add(append.stream, first, this.#head);
    if (append.key !== undefined) {
      const at = append.count > 0 ? this.#now : null;
      this.#sql.addKey.run(append.key, append.digest, this.#head, append.count, at);
      if (at === null) this.#hasTimelessKeys = true;
    }
    return [WRITTEN, this.#head, append.count];
  }

  #repeat({ key, digest }: Append): Verdict | undefined {
    const earlier = key === undefined ? undefined : this.#sql.findKey.get(key);
    if (earlier === undefined) return undefined;
    if (earlier["digest"] !== digest) return [REUSED];
    return [REPEATED, Number(earlier["seq"]), Number(earlier["count"])];
  }

  #fence({ guard, guardVersion }: Append): Verdict | undefined {
    if (guard === undefined) return undefined;
    const version = this.#streams.versionOf(guard);
    return version === guardVersion ? undefined : [FENCED, version];
  }

  #conflict({ stream, expected }: Append): Verdict | undefined {
    if (expected === ANY) return undefined;
    if (expected === AFTER_PREVIOUS && this.#written === stream) return undefined;
    const version = this.#streams.versionOf(stream);
    return version === expected ? undefined : [CONFLICT, version];
  }

  /** A key without entries came without a time; it is as old as the next entry anyone writes. */
  #stampKeys(): void {
    if (!this.#hasTimelessKeys) return;
    this.#sql.stampKeys.run(this.#now);
    this.#hasTimelessKeys = false;
  }

  #forgetKeys(limit: number): void {
    const horizon = this.#now - this.#keyRetentionMs;
    const oldest = Number(this.#sql.findOldestKey.get()?.["at"] ?? horizon);
    if (oldest < horizon) this.#sql.forgetKeys.run(limit, horizon);
  }
}

function takeAppend(cursor: BatchCursor): Append {
  const stream = cursor.text();
  const expected = cursor.number();
  const key = cursor.optionalText();
  const digest = cursor.optionalText() ?? "";
  const guard = cursor.optionalText();
  const guardVersion = cursor.number();
  return { stream, expected, key, digest, guard, guardVersion, count: cursor.number() };
}

function takeEntry(cursor: BatchCursor): { type: string; at: number; text: string } {
  const type = cursor.text();
  const at = cursor.number();
  return { type, at, text: cursor.text() };
}

function prepareAll(db: DatabaseSync) {
  return {
    addKey: db.prepare("insert into keys (id, digest, seq, count, at) values (?, ?, ?, ?, ?)"),
    findKey: db.prepare("select digest, seq, count from keys where id = ?"),
    findOldestKey: db.prepare("select at from keys order by n limit 1"),
    stampKeys: db.prepare("update keys set at = ? where at is null"),
    forgetKeys: db.prepare(
      "delete from keys where n in (select n from keys order by n limit ?) and at < ?",
    ),
  } satisfies Record<string, StatementSync>;
}
