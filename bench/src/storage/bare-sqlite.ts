/** SQLite without a log around it: write-ahead mode, durable commits, one table, one thread. */
import { DatabaseSync } from "node:sqlite";
import type { Draft } from "@atrium/log";

export interface BareSqlite extends Disposable {
  readonly insert: (row: Draft) => void;
  /** In one transaction. */
  readonly insertTogether: (rows: readonly Draft[]) => void;
}

export function openBareSqlite(file: string): BareSqlite {
  const database = new DatabaseSync(file);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE entries (seq INTEGER PRIMARY KEY, stream TEXT, type TEXT, at INTEGER, data TEXT);
  `);
  const insertion = database.prepare(
    "INSERT INTO entries (stream, type, at, data) VALUES (?, ?, ?, ?)",
  );
  const insert = ({ type, at, data }: Draft): void => {
    insertion.run("bare", type, at, JSON.stringify(data));
  };
  return {
    insert,
    insertTogether(rows) {
      database.exec("BEGIN IMMEDIATE");
      for (const row of rows) insert(row);
      database.exec("COMMIT");
    },
    [Symbol.dispose]: () => database.close(),
  };
}
