/**
 * Which entries belong to a stream: in runs of adjacent numbers.
 *
 * Runs are filed many at a time. Filed one by one, each busy stream would cost every commit a
 * page of its own, and the pages would outweigh the entries. So the file's index is always a
 * little behind; what is not filed yet is kept here, and found again from the entries after a
 * crash. Filing is part of a commit: the mark and the runs are there together or not at all.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { readMeta, writeMeta } from "./schema.ts";

/** What is not filed must be searched entry by entry, so it may not grow without end. */
const MAX_UNFILED = 4096;

export class StreamIndex {
  readonly #db: DatabaseSync;
  readonly #addRun: StatementSync;
  readonly #findVersion: StatementSync;
  /** Per stream: first, last, first, last, ... */
  readonly #unfiled = new Map<string, number[]>();
  #filed: number;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#addRun = db.prepare("insert into runs (stream, first, last) values (?, ?, ?)");
    this.#findVersion = db.prepare(
      "select last from runs where stream = ? order by first desc limit 1",
    );
    this.#filed = Number(readMeta(db, "filed") ?? 0);
    const rest = db.prepare("select seq, stream from entries where seq > ? order by seq");
    for (const row of rest.iterate(this.#filed)) {
      const seq = Number(row["seq"]);
      this.add(String(row["stream"]), seq, seq);
    }
  }

  /** The number up to which everything is filed. */
  get filed(): number {
    return this.#filed;
  }

  versionOf(stream: string): number {
    const unfiled = this.#unfiled.get(stream)?.at(-1);
    return unfiled ?? Number(this.#findVersion.get(stream)?.["last"] ?? 0);
  }

  add(stream: string, first: number, last: number): void {
    const runs = this.#unfiled.get(stream);
    if (runs?.at(-1) === first - 1) {
      runs[runs.length - 1] = last;
      return;
    }
    if (runs === undefined) this.#unfiled.set(stream, [first, last]);
    else runs.push(first, last);
  }

  fileWhenMany(head: number): void {
    if (head - this.#filed < MAX_UNFILED) return;
    for (const [stream, runs] of this.#unfiled) {
      for (let at = 0; at < runs.length; at += 2) {
        this.#addRun.run(stream, runs[at] ?? 0, runs[at + 1] ?? 0);
      }
    }
    writeMeta(this.#db, "filed", `${head}`);
    this.#unfiled.clear();
    this.#filed = head;
  }
}
