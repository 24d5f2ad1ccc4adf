/**
 * Reads every entry and key of a log file once, in order: whether they are whole, and a digest of them all, by which
 * a copy is compared with what it was made of.
 */
import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Problems } from "./problems.ts";
import { readEntries, readKeys } from "./read-rows.ts";

export interface RowFindings {
  /** The number of the newest entry. */
  readonly head: number;
  readonly entries: number;
  readonly keys: number;
  /** Of all entries and keys as they stand in the file. */
  readonly digest: string;
}

const NOTE_EVERY = 100_000;

export function verifyRows(
  db: DatabaseSync,
  problems: Problems,
  note: (seq: number) => void,
): RowFindings {
  const hash = createHash("sha256");
  let head = 0;
  let entries = 0;
  for (const { seq, stream, type, at, text } of readEntries(db)) {
    if (seq !== head + 1) problems.add(`entries ${head + 1} to ${seq - 1} are missing`);
    head = seq;
    entries++;
    if (stream === "" || type === "") problems.add(`entry ${seq} has no stream or type`);
    if (!isJson(text)) problems.add(`entry ${seq} (${type} of ${stream}) is no JSON any more`);
    hash.update(`${JSON.stringify([seq, stream, type, at, text.length])}${text}`);
    if (seq % NOTE_EVERY === 0) note(seq);
  }
  let keys = 0;
  for (const { id, digest, seq, count, at } of readKeys(db)) {
    keys++;
    if (seq > head || count < 0 || count > seq) {
      problems.add(`key ${JSON.stringify(id)} names entries that are not there`);
    }
    hash.update(JSON.stringify([id, digest, seq, count, at]));
  }
  return { head, entries, keys, digest: hash.digest("hex") };
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
