/**
 * Moves what is committed from the write-ahead log into the file proper.
 *
 * Done by hand and in the writer's thread: SQLite's own way would do it in the middle of some
 * commit. Mostly when nothing else is to do; during a long rush, often enough that the
 * write-ahead log stays small.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { COMMIT_TIMEOUT_MS } from "./log-file.ts";

const IDLE_MS = 200;
/** In pages of 4 KiB: when to begin during a rush, and when to insist. */
const MANY_PAGES = 4096;
const TOO_MANY_PAGES = 16_384;
/** In commits: looking costs a tenth of one. */
const LOOK_EVERY = 16;
/** Insisting waits for readers of other programs; appends wait with it. */
const INSIST_MS = 100;

export class Checkpointer {
  readonly #db: DatabaseSync;
  readonly #look: StatementSync;
  readonly #move: StatementSync;
  readonly #timer: NodeJS.Timeout;
  #insistAt = TOO_MANY_PAGES;
  #commits = 0;

  constructor(db: DatabaseSync, whenIdle: () => void) {
    this.#db = db;
    this.#look = db.prepare("pragma wal_checkpoint(noop)");
    this.#move = db.prepare("pragma wal_checkpoint(passive)");
    this.#timer = setTimeout(whenIdle, IDLE_MS);
  }

  afterCommit(): void {
    this.#timer.refresh();
    if (++this.#commits % LOOK_EVERY !== 0) return;
    const { pages, moved } = progress(this.#look);
    if (pages - moved >= MANY_PAGES) this.run();
  }

  run(): void {
    const { pages, moved } = progress(this.#move);
    // When all is moved, the next commit begins the write-ahead log again from its start.
    if (pages === moved || pages < this.#insistAt) return;
    this.#db.exec(`pragma busy_timeout = ${INSIST_MS}; pragma wal_checkpoint(truncate)`);
    this.#db.exec(`pragma busy_timeout = ${COMMIT_TIMEOUT_MS}`);
    // If it was in vain, someone holds on to an old state: asking at each commit would not help.
    const left = progress(this.#look).pages;
    this.#insistAt = left + TOO_MANY_PAGES;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

function progress(statement: StatementSync): { pages: number; moved: number } {
  const row = statement.get();
  return { pages: Number(row?.["log"] ?? 0), moved: Number(row?.["checkpointed"] ?? 0) };
}
