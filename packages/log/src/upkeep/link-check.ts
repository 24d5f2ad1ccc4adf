/**
 * Whether the entries and keys of a node's copy are what its messages say. Reads come from those rows and the hashes
 * are those of the messages, so a row that changed shows nowhere else. Held against each other while both are read
 * once; what a message said of which something was erased can no longer be told, but for the numbers.
 */
import type { DatabaseSync } from "node:sqlite";
import { RETENTION } from "../chain/copy/link-tables.ts";
import { decodeMessage } from "../chain/state/message.ts";
import { LogFault } from "../log.ts";
import { readMeta, readNumber } from "../sqlite/schema.ts";
import { KeyCheck } from "./key-check.ts";
import { Peekable } from "./peekable.ts";
import type { Problems } from "./problems.ts";
import type { EntryRow, KeyRow } from "./read-rows.ts";
import { readToldRows, type ToldRows } from "./told-rows.ts";

export class LinkCheck {
  readonly #told: Peekable<ToldRows>;
  readonly #keys: KeyCheck;
  readonly #problems: Problems;
  /** What the newest erasure left of entries; those before it say nothing any more. */
  readonly #erased: ReadonlyMap<number, string>;

  constructor(db: DatabaseSync, keys: Iterable<KeyRow>, problems: Problems) {
    const newest = readNumber(db, "select newest from links order by n desc limit 1");
    const horizon = newest - Number(readMeta(db, RETENTION) ?? Infinity);
    this.#problems = problems;
    this.#told = new Peekable(readToldRows(db, problems));
    this.#keys = new KeyCheck(keys, horizon, problems);
    this.#erased = readErased(db);
  }

  /** The next one; they come in the order of their numbers. */
  entry(row: EntryRow): void {
    const { seq } = row;
    while (this.#told.next !== undefined && this.#told.next.last < seq) this.#pass(this.#told.next);
    const told = this.#told.next;
    if (told === undefined || seq < told.first) {
      this.#problems.add(`entry ${seq} stands in no message`);
      return;
    }
    const erased = this.#erased.get(seq);
    const said = told.entries?.[seq - told.first];
    if (said !== undefined && erased !== undefined) {
      this.#problems.add(`message ${told.n} still has what was erased of entry ${seq}`);
    }
    const differences = [
      said !== undefined && row.stream !== said.stream && "stream",
      said !== undefined && row.type !== said.type && "type",
      said !== undefined && row.at !== said.at && "time",
      row.text !== (erased ?? said?.text ?? row.text) && "data",
    ].filter((each) => each !== false);
    if (differences.length === 0) return;
    const { n } = told;
    this.#problems.add(
      `entry ${seq} is not what message ${n} says: another ${differences.join(", ")}`,
    );
  }

  /** There are no more; the newest has this number. */
  finish(head: number): void {
    let end = head;
    for (let told = this.#told.next; told !== undefined; told = this.#told.next) {
      end = Math.max(end, told.last);
      this.#pass(told);
    }
    if (end > head) this.#problems.add(`entries ${head + 1} to ${end} are missing`);
    this.#keys.finish();
  }

  #pass(told: ToldRows): void {
    this.#keys.add(told);
    this.#told.skip();
  }
}

function readErased(db: DatabaseSync): ReadonlyMap<number, string> {
  const erased = new Map<number, string>();
  const rows = db.prepare("select bytes from links where kind = 'erase' and bytes is not null");
  for (const { bytes } of rows.iterate()) {
    if (!(bytes instanceof Uint8Array)) continue;
    for (const { seq, text } of rewritesIn(bytes)) erased.set(seq, text);
  }
  return erased;
}

/** Damage is named where all messages are read. */
function rewritesIn(bytes: Uint8Array): readonly { readonly seq: number; readonly text: string }[] {
  try {
    const { body } = decodeMessage(bytes).message;
    return body.kind === "erase" ? body.rewrites : [];
  } catch (error) {
    if (error instanceof LogFault) return [];
    throw error;
  }
}
