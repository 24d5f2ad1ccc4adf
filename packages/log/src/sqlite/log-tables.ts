/** What every writer of a log file does to its tables: transactions, entries, snapshots, erasing. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { LogFault, NOTHING_SAVED, type Snapshot } from "../log.ts";
import type { Texts } from "./messages.ts";
import { readMeta, writeMeta } from "./schema.ts";

/** Set once the file was written anew with secure_delete. */
const SCRUBBED = "scrubbed";

export class LogTables {
  /** Takes seq, stream, type, at and data. */
  readonly addEntry: StatementSync;
  readonly #db: DatabaseSync;
  readonly #sql: ReturnType<typeof prepareAll>;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#sql = prepareAll(db);
    this.addEntry = this.#sql.addEntry;
  }

  transact(work: () => void): void {
    this.#sql.begin.run();
    try {
      work();
      this.#sql.commit.run();
    } catch (error) {
      // SQLite has already rolled back by itself after some errors, such as a full disk.
      if (this.#db.isTransaction) this.#sql.rollback.run();
      throw error;
    }
  }

  saveSnapshot(name: string, { version, seq, text }: Snapshot): void {
    this.transact(() => this.#sql.saveSnapshot.run(name, version, seq, text));
  }

  /** Within a transaction; `scrub` comes after it. */
  rewrite(texts: Texts): void {
    for (const [seq, text] of texts) this.#sql.rewrite.run(text, seq);
    this.#sql.dropSnapshots.run();
  }

  /**
   * What SQLite frees it overwrites (secure_delete, log-file.ts), but not what was freed before it was told to: the whole
   * file is written anew once. Then the write-ahead log, which may hold pages as they were, is emptied.
   */
  scrub(): void {
    if (readMeta(this.#db, SCRUBBED) === undefined) {
      this.#db.exec("vacuum");
      writeMeta(this.#db, SCRUBBED, "yes");
    }
    const row = this.#db.prepare("pragma wal_checkpoint(truncate)").get();
    if (row?.["busy"] !== 0) {
      throw new LogFault(
        "locked",
        "the write-ahead log is being read; what was erased is still in it",
      );
    }
  }
}

function prepareAll(db: DatabaseSync) {
  return {
    begin: db.prepare("begin immediate"),
    commit: db.prepare("commit"),
    rollback: db.prepare("rollback"),
    addEntry: db.prepare(
      "insert into entries (seq, stream, type, at, data) values (?, ?, ?, ?, ?)",
    ),
    rewrite: db.prepare("update entries set data = ? where seq = ?"),
    dropSnapshots: db.prepare(`delete from snapshots where text <> '${NOTHING_SAVED}'`),
    saveSnapshot: db.prepare(
      "insert or replace into snapshots (name, version, seq, text) values (?, ?, ?, ?)",
    ),
  } satisfies Record<string, StatementSync>;
}
