/**
 * Opening and closing the file of a log.
 *
 *   path -> folder -> lock -> create, or recognize -> open -> mark as in use
 *
 * Runs in the writer's thread. Until the file is known to be ours nothing in it is changed: it
 * is looked at through a read-only connection. A new one is built beside and moved into place,
 * so a file under the log's own name is always whole; one that is empty was cut off.
 */
import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LogFault } from "../log.ts";
import { faultOf } from "./fault.ts";
import { createPrivately, takeLock } from "./lock.ts";
import {
  APPLICATION_ID,
  createTables,
  readMeta,
  readNumber,
  VERSION,
  writeMeta,
} from "./schema.ts";

/** How long someone else's transaction may hold us up: when opening, and once at work. */
const OPEN_TIMEOUT_MS = 1500;
export const COMMIT_TIMEOUT_MS = 10_000;

/** The leaves of the stream index that busy streams append to must stay in memory. */
const CACHE_KIB = 32 * 1024;

export type Durability = "full" | "normal";

export interface LogFile {
  readonly path: string;
  readonly db: DatabaseSync;
  readonly epoch: string;
  /** Frees everything; `clean` says that all that was promised is in the file. */
  close(clean: boolean): void;
}

export function openLogFile(file: string, durability: Durability): LogFile {
  using stack = new DisposableStack();
  let path = resolve(file);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    path = realPath(path);
    stack.use(takeLock(path));
    if (!isThere(path)) createLogFile(path);
    recognize(path);
    const db = stack.use(new DatabaseSync(path, { timeout: OPEN_TIMEOUT_MS }));
    db.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma wal_autocheckpoint = 0;
      pragma secure_delete = on;
      pragma cache_size = -${CACHE_KIB};
      pragma journal_size_limit = ${64 * 1024 * 1024};
    `);
    const epoch = markInUse(db, durability);
    db.exec(`pragma synchronous = ${durability}; pragma busy_timeout = ${COMMIT_TIMEOUT_MS}`);
    const held = stack.move();
    return { path, db, epoch, close: (clean) => closeLogFile(db, held, clean) };
  } catch (error) {
    throw faultOf(error, path);
  }
}

function closeLogFile(db: DatabaseSync, held: DisposableStack, clean: boolean): void {
  try {
    if (!clean) return;
    // The mark must not reach the disk before what it vouches for.
    db.exec(`pragma synchronous = full; pragma busy_timeout = ${OPEN_TIMEOUT_MS}`);
    writeMeta(db, "state", "clean");
    db.exec("pragma wal_checkpoint(truncate)");
  } finally {
    held.dispose();
  }
}

/** Two names of one file must meet at one lock. */
function realPath(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return join(realpathSync(dirname(path)), basename(path));
  if (stat.isFile()) return realpathSync(path);
  throw new LogFault("unreadable", `${path} is not a file: give the log the name of a file`);
}

function isThere(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  const hasSize = stat !== undefined && stat.size > 0;
  // SQLite would take an empty file for a new one and throw its write-ahead log away.
  const journal = `${path}-wal`;
  if (!hasSize && (statSync(journal, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new LogFault(
      "corrupt",
      `${path} is gone but ${journal} is not: restore the first, or move both away`,
    );
  }
  if (stat !== undefined && !hasSize) {
    throw new LogFault(
      "corrupt",
      `${path} is empty, which a log never is: restore a copy, or delete it to begin anew`,
    );
  }
  return hasSize;
}

function createLogFile(path: string): void {
  const draft = `${path}.new`;
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(draft + end, { force: true });
  createPrivately(draft);
  const db = new DatabaseSync(draft);
  try {
    db.exec("pragma journal_mode = wal; pragma synchronous = full");
    createTables(db, randomUUID());
    // Nothing was freed in it before it was opened with secure_delete.
    writeMeta(db, "scrubbed", "yes");
  } finally {
    db.close();
  }
  renameSync(draft, path);
  syncFolder(dirname(path));
}

/** A file's name is only as durable as its folder. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Throws a fault unless it is a log file of ours. */
export function recognize(path: string): void {
  const db = new DatabaseSync(path, { readOnly: true, timeout: OPEN_TIMEOUT_MS });
  try {
    if (readNumber(db, "pragma application_id") !== APPLICATION_ID) {
      throw new LogFault(
        "foreign",
        `${path} belongs to another program: give the log a file of its own`,
      );
    }
    const version = readNumber(db, "pragma user_version");
    if (version > VERSION) {
      const versions = `version ${version}, and this program knows ${VERSION}`;
      throw new LogFault(
        "foreign",
        `${path} was written by a newer program (${versions}): update this one`,
      );
    }
    // Reads the schema and the way to the newest entry, where a file that was cut off shows.
    readNumber(db, "select max(seq) from entries");
  } finally {
    db.close();
  }
}

/**
 * Says in the file that it is in use, and how. Whoever finds it so knows that the last one did
 * not close it. If that one did not wait for the disk, entries that readers saw may be gone, and
 * their numbers will be given out again: only a new epoch tells those readers.
 */
function markInUse(db: DatabaseSync, durability: Durability): string {
  db.exec("begin immediate");
  const state = readMeta(db, "state");
  const kept = readMeta(db, "epoch");
  const epoch = kept === undefined || state === "normal" ? randomUUID() : kept;
  if (epoch !== kept) writeMeta(db, "epoch", epoch);
  // Nothing is written when nothing changed, so that a full disk can still be read.
  if (state !== durability) writeMeta(db, "state", durability);
  db.exec("commit");
  return epoch;
}
