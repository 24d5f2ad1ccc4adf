/**
 * Reads a log file beside its writer, in chunks.
 *
 * A chunk is one short query: bounded in rows and bytes because it runs on the event loop, and
 * finished before it is handed out because an open query would keep the write-ahead log from
 * being emptied. Whoever wants more comes back with a new bound.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { parseData } from "../draft.ts";
import type { Entry, Snapshot } from "../log.ts";
import { faultOf } from "./fault.ts";

const MAX_ROWS = 256;
const MAX_CHARACTERS = 1024 * 1024;
const TIMEOUT_MS = 1000;

/** Entries strictly between two numbers. */
export interface Range {
  readonly above: number;
  readonly below: number;
  readonly backwards?: boolean;
  readonly limit?: number;
}

export interface Chunk {
  readonly entries: readonly Entry[];
  /** True when the range may hold more than this. */
  readonly more: boolean;
}

interface KeyRow {
  readonly digest: string;
  readonly seq: number;
  readonly count: number;
}

interface BothWays {
  readonly forwards: StatementSync;
  readonly backwards: StatementSync;
}

type EntryRow = [seq: number, stream: string, type: string, at: number, data: unknown];

/**
 * Runs do not overlap, so the one that holds the lower bound is the first that matters. The plus
 * keeps SQLite from searching by the outer bounds, which would read all entries for each run.
 */
const FROM_FILED = `
  from runs cross join entries on seq between first and last
  where runs.stream = ?1 and +seq > ?2 and +seq < ?3 and first < ?3 and first >= coalesce(
    (select max(first) from runs where stream = ?1 and first <= ?2 + 1), 0)`;

export class Reader {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #sql: ReturnType<typeof prepareAll>;

  constructor(path: string) {
    this.#path = path;
    this.#db = new DatabaseSync(path, { readOnly: true, timeout: TIMEOUT_MS });
    this.#sql = prepareAll(this.#db);
  }

  readAll(range: Range): Chunk {
    return this.#chunk(this.#sql.all, [], range);
  }

  /** Only what the index of streams covers. */
  readFiled(stream: string, range: Range): Chunk {
    return this.#chunk(this.#sql.filed, [stream], range);
  }

  /** Looks at every entry of the range, which had better be short. */
  searchUnfiled(stream: string, range: Range): Chunk {
    return this.#chunk(this.#sql.unfiled, [stream], range);
  }

  findKey(id: string): KeyRow | undefined {
    const row = this.#guard(() => this.#sql.key.get(id));
    return (
      row && { digest: String(row["digest"]), seq: Number(row["seq"]), count: Number(row["count"]) }
    );
  }

  findSnapshot(name: string): Snapshot | undefined {
    const row = this.#guard(() => this.#sql.snapshot.get(name));
    return (
      row && { version: Number(row["version"]), seq: Number(row["seq"]), text: String(row["text"]) }
    );
  }

  close(): void {
    this.#db.close();
  }

  #chunk(sql: BothWays, stream: string[], range: Range): Chunk {
    const { above, below, backwards = false, limit = Infinity } = range;
    if (above + 1 >= below || limit <= 0) return { entries: [], more: false };
    const statement = backwards ? sql.backwards : sql.forwards;
    const { rows, more } = this.#guard(() =>
      takeRows(statement.iterate(...stream, above, below), limit),
    );
    return { entries: rows.map(toEntry), more };
  }

  #guard<Result>(query: () => Result): Result {
    try {
      return query();
    } catch (error) {
      throw faultOf(error, this.#path);
    }
  }
}

function toEntry([seq, stream, type, at, text]: EntryRow): Entry {
  return { seq, stream, type, at, data: parseData(String(text)) };
}

function takeRows(found: Iterable<unknown>, limit: number): { rows: EntryRow[]; more: boolean } {
  const rows: EntryRow[] = [];
  let characters = 0;
  for (const columns of found) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns of the select
    const row = columns as EntryRow;
    rows.push(row);
    characters += String(row[4]).length;
    if (rows.length >= limit) return { rows, more: false };
    if (rows.length === MAX_ROWS || characters > MAX_CHARACTERS) return { rows, more: true };
  }
  return { rows, more: false };
}

function prepareAll(db: DatabaseSync) {
  return {
    all: prepareBothWays(db, "from entries where seq > ? and seq < ?", "seq"),
    filed: prepareBothWays(db, FROM_FILED, "first", "seq"),
    unfiled: prepareBothWays(db, "from entries where stream = ? and seq > ? and seq < ?", "seq"),
    key: db.prepare("select digest, seq, count from keys where id = ?"),
    snapshot: db.prepare("select version, seq, text from snapshots where name = ?"),
  };
}

function prepareBothWays(db: DatabaseSync, from: string, ...order: string[]): BothWays {
  const prepare = (direction: "asc" | "desc"): StatementSync => {
    const by = order.map((column) => `${column} ${direction}`).join(", ");
    const statement = db.prepare(
      `select seq, entries.stream, type, at, data ${from} order by ${by}`,
    );
    // Rows as lists: an object per row would be made only to be taken apart.
    statement.setReturnArrays(true);
    return statement;
  };
  return { forwards: prepare("asc"), backwards: prepare("desc") };
}
