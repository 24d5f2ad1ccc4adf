/**
 * The tables of a log file, and how a file of ours is told from any other.
 *
 * Entries are only ever added at the end. Which of them belong to a stream is in `runs`, kept by
 * stream-index.ts. Keys are numbered as they come, so that the oldest are found without an index.
 */
import type { DatabaseSync } from "node:sqlite";

/** "ATRM", in the header field that SQLite keeps for this, https://www.sqlite.org/fileformat.html */
export const APPLICATION_ID = 0x4154524d;
export const VERSION = 1;

const TABLES = `
  create table meta (
    name text primary key,
    value text not null
  ) without rowid;

  create table entries (
    seq integer primary key,
    stream text not null,
    type text not null,
    at real not null,
    data text not null
  );

  create table runs (
    stream text not null,
    first integer not null,
    last integer not null,
    primary key (stream, first)
  ) without rowid;

  create table keys (
    n integer primary key,
    id text not null unique,
    digest text not null,
    seq integer not null,
    count integer not null,
    at real
  );
  create index keys_without_time on keys (n) where at is null;

  create table snapshots (
    name text primary key,
    version integer not null,
    seq integer not null,
    text text not null
  ) without rowid;
`;

export function createTables(db: DatabaseSync, epoch: string): void {
  db.exec(`
    begin immediate;
    ${TABLES}
    pragma application_id = ${APPLICATION_ID};
    pragma user_version = ${VERSION};
  `);
  writeMeta(db, "epoch", epoch);
  db.exec("commit");
}

export function readMeta(db: DatabaseSync, name: string): string | undefined {
  const row = db.prepare("select value from meta where name = ?").get(name);
  return row === undefined ? undefined : String(row["value"]);
}

export function writeMeta(db: DatabaseSync, name: string, value: string): void {
  db.prepare("insert or replace into meta (name, value) values (?, ?)").run(name, value);
}

/** The one number a pragma or aggregate answers with; 0 when it answers with nothing. */
export function readNumber(db: DatabaseSync, sql: string): number {
  const row = db.prepare(sql).get();
  return row === undefined ? 0 : Number(Object.values(row)[0] ?? 0);
}
