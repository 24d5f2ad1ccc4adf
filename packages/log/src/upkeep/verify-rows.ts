/**
 * Reads every entry and key of a log file once, in order: whether they are whole, in a node's copy whether its messages
 * say the same, and a digest of them all, by which a copy is compared with what it was made of.
 */
import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { readNumber } from "../sqlite/schema.ts";
import { LinkCheck } from "./link-check.ts";
import type { Problems } from "./problems.ts";
import { hasLinks, readEntries, readKeys, type KeyRow } from "./read-rows.ts";

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
  const keys = new KeysOnTheWay(db, problems);
  const rest = keys.read();
  const links = hasLinks(db) ? new LinkCheck(db, rest, problems) : undefined;
  const hash = createHash("sha256");
  let head = 0;
  let entries = 0;
  for (const row of readEntries(db)) {
    const { seq, stream, type, at, text } = row;
    if (seq !== head + 1) problems.add(`entries ${head + 1} to ${seq - 1} are missing`);
    head = seq;
    entries++;
    if (stream === "" || type === "") problems.add(`entry ${seq} has no stream or type`);
    if (!isJson(text)) problems.add(`entry ${seq} (${type} of ${stream}) is no JSON any more`);
    links?.entry(row);
    hash.update(`${JSON.stringify([seq, stream, type, at, text.length])}${text}`);
    if (seq % NOTE_EVERY === 0) note(seq);
  }
  links?.finish(head);
  // Whoever compared them has read them all.
  while (rest.next().done !== true);
  return { head, entries, keys: keys.count, digest: hash.update(keys.digest).digest("hex") };
}

/** Keys are looked at as they are read, by whoever does. */
class KeysOnTheWay {
  count = 0;
  readonly #db: DatabaseSync;
  readonly #problems: Problems;
  readonly #hash = createHash("sha256");

  constructor(db: DatabaseSync, problems: Problems) {
    this.#db = db;
    this.#problems = problems;
  }

  get digest(): string {
    return this.#hash.digest("hex");
  }

  *read(): Generator<KeyRow> {
    const head = readNumber(this.#db, "select max(seq) from entries");
    for (const key of readKeys(this.#db)) {
      const { id, digest, seq, count, at } = key;
      this.count++;
      if (seq > head || count < 0 || count > seq) {
        this.#problems.add(`key ${JSON.stringify(id)} names entries that are not there`);
      }
      this.#hash.update(JSON.stringify([id, digest, seq, count, at]));
      yield key;
    }
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
