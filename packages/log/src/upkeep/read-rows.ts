/** The rows of a log file, one by one. */
import type { DatabaseSync } from "node:sqlite";
import { readNumber } from "../sqlite/schema.ts";

export interface EntryRow {
  readonly seq: number;
  readonly stream: string;
  readonly type: string;
  readonly at: number;
  /** Its data, which should be JSON. */
  readonly text: string;
}

export interface KeyRow {
  readonly id: string;
  readonly digest: string;
  readonly seq: number;
  readonly count: number;
  /** Null: it came without entries, and nothing was written since. */
  readonly at: number | null;
}

/** Whether the file is a node's copy of a chain. */
export function hasLinks(db: DatabaseSync): boolean {
  return readNumber(db, "select count(*) from sqlite_schema where name = 'links'") > 0;
}

/** In order; of streams whose names begin so. */
export function* readEntries(db: DatabaseSync, prefix = ""): Generator<EntryRow> {
  const statement = db.prepare(
    `select seq, stream, type, at, data from entries
     where ?1 = '' or substr(stream, 1, length(?1)) = ?1 order by seq`,
  );
  for (const row of statement.iterate(prefix)) {
    yield {
      seq: Number(row["seq"]),
      stream: String(row["stream"]),
      type: String(row["type"]),
      at: Number(row["at"]),
      text: String(row["data"]),
    };
  }
}

export function* readKeys(db: DatabaseSync): Generator<KeyRow> {
  const statement = db.prepare("select id, digest, seq, count, at from keys order by seq, n");
  for (const row of statement.iterate()) {
    yield {
      id: String(row["id"]),
      digest: String(row["digest"]),
      seq: Number(row["seq"]),
      count: Number(row["count"]),
      at: row["at"] === null ? null : Number(row["at"]),
    };
  }
}
