/**
 * Whether a log file is whole: the file itself, numbers without gaps, data that is JSON, keys that name entries, and
 * an index that finds every entry of its stream. Reads everything once and changes nothing.
 */
import type { DatabaseSync } from "node:sqlite";
import { readMeta, readNumber } from "../sqlite/schema.ts";
import { readEntries, readKeys } from "./log-rows.ts";

export interface FileFindings {
  readonly head: number;
  readonly keys: number;
  /** One sentence each; none when all is well. */
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 50;
const NOTE_EVERY = 100_000;

export function verifyFile(db: DatabaseSync, note: (done: number) => void): FileFindings {
  const problems = new Problems();
  for (const row of db.prepare("pragma quick_check(10)").iterate()) {
    const text = String(row["quick_check"]);
    if (text !== "ok") problems.add(`the file is damaged: ${text}`);
  }
  const head = verifyEntries(db, problems, note);
  const keys = verifyKeys(db, head, problems);
  verifyIndex(db, problems);
  return { head, keys, problems: problems.list };
}

function verifyEntries(db: DatabaseSync, problems: Problems, note: (done: number) => void): number {
  let head = 0;
  for (const { seq, stream, type, text } of readEntries(db)) {
    if (seq !== head + 1) problems.add(`entries ${head + 1} to ${seq - 1} are missing`);
    head = seq;
    if (stream === "" || type === "") problems.add(`entry ${seq} has no stream or type`);
    if (!isJson(text)) problems.add(`entry ${seq} (${type} of ${stream}) is no JSON any more`);
    if (seq % NOTE_EVERY === 0) note(seq);
  }
  return head;
}

function verifyKeys(db: DatabaseSync, head: number, problems: Problems): number {
  let keys = 0;
  for (const { id, seq, count } of readKeys(db)) {
    keys++;
    if (seq > head || count < 0 || count > seq) {
      problems.add(`key ${JSON.stringify(id)} names entries that are not there`);
    }
  }
  return keys;
}

/** Up to `filed`, the runs of a stream are its entries and nothing else. */
function verifyIndex(db: DatabaseSync, problems: Problems): void {
  const filed = Number(readMeta(db, "filed") ?? 0);
  const strangers = readNumber(
    db,
    `select count(*) from entries where seq <= ${filed} and not exists (
       select 1 from runs where runs.stream = entries.stream and first <= seq and last >= seq)`,
  );
  if (strangers > 0) problems.add(`the index of streams lacks ${strangers} entries`);
  const covered = readNumber(db, "select coalesce(sum(last - first + 1), 0) from runs");
  if (covered !== Math.min(filed, readNumber(db, "select count(*) from entries"))) {
    problems.add(`the index of streams covers ${covered} entries and should cover ${filed}`);
  }
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The first of them; a file with a million wrong entries says so in one more. */
class Problems {
  readonly #found: string[] = [];
  #more = 0;

  add(problem: string): void {
    if (this.#found.length < MAX_PROBLEMS) this.#found.push(problem);
    else this.#more++;
  }

  get list(): readonly string[] {
    return this.#more === 0 ? this.#found : [...this.#found, `and ${this.#more} more`];
  }
}
