/** Makes a log file of a node's copy: what only nodes need goes, and so do the bytes of entries that were erased since. */
import { DatabaseSync } from "node:sqlite";
import { RETENTION } from "../chain/copy/link-tables.ts";
import { NOTHING_SAVED } from "../log.ts";
import { faultOf } from "../sqlite/fault.ts";
import { readMeta, writeMeta } from "../sqlite/schema.ts";
import { markConverted, type MadeOf } from "./copy-draft.ts";
import type { SavedPosition } from "./log-rows.ts";
import { hasLinks, readEntries, type EntryRow } from "./read-rows.ts";

/** Where nodes keep in the log how far someone has come who reacts to it: a file keeps that as a snapshot. */
export interface Cursors {
  /** What the names of such streams begin with. */
  readonly prefix: string;
  readonly read: (entry: EntryRow) => SavedPosition | undefined;
}

export interface Conversion {
  readonly cursors: Cursors;
  readonly epoch: string;
  readonly made: MadeOf;
}

/** In `meta`, as long as the file holds pages with what was removed. */
const SCRUBBED = "scrubbed";

/** In one step. A file that is no node's copy gets its epoch. */
export function convertDraft(path: string, { cursors, epoch, made }: Conversion): void {
  try {
    using db = new DatabaseSync(path);
    db.exec("pragma secure_delete = on; pragma synchronous = full; begin immediate");
    writeMeta(db, "epoch", epoch);
    if (hasLinks(db)) {
      db.exec("drop table links; drop table ticks; delete from snapshots");
      db.exec(`delete from meta where name = '${RETENTION}'`);
      savePositions(db, cursors);
    }
    db.exec(`delete from meta where name = '${SCRUBBED}'`);
    writeMeta(db, "state", "clean");
    markConverted(db, made);
    db.exec("commit");
  } catch (error) {
    throw faultOf(error, path);
  }
}

/** Takes minutes where the log is large, so it is not done again. */
export function scrubDraft(path: string): void {
  try {
    using db = new DatabaseSync(path);
    db.exec("pragma synchronous = full");
    if (readMeta(db, SCRUBBED) === undefined) {
      db.exec("vacuum");
      writeMeta(db, SCRUBBED, "yes");
    }
    db.exec("pragma wal_checkpoint(truncate)");
  } catch (error) {
    throw faultOf(error, path);
  }
}

function savePositions(db: DatabaseSync, { prefix, read }: Cursors): void {
  const save = db.prepare(
    "insert or replace into snapshots (name, version, seq, text) values (?, ?, ?, ?)",
  );
  for (const entry of readEntries(db, prefix)) {
    const position = read(entry);
    if (position === undefined) continue;
    save.run(position.name, position.version, position.seq, NOTHING_SAVED);
  }
}
