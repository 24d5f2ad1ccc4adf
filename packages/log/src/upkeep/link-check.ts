/**
 * Whether the entries and keys of a node's copy are what its messages say. Reads come from those rows and the hashes
 * are those of the messages, so a row that changed shows nowhere else. Held against each other while both are read
 * once. What a message said of which something was erased since is gone, so of that only the numbers are compared.
 */
import type { DatabaseSync } from "node:sqlite";
import { RETENTION } from "../chain/copy/link-tables.ts";
import { decodeMessage } from "../chain/state/message.ts";
import { LogFault } from "../log.ts";
import { readMeta, readNumber } from "../sqlite/schema.ts";
import { KeyCheck } from "./key-check.ts";
import { readMessageRows, type MessageRows } from "./message-rows.ts";
import { Peekable } from "./peekable.ts";
import type { Problems } from "./problems.ts";
import type { EntryRow, KeyRow } from "./read-rows.ts";

export class LinkCheck {
  readonly #messages: Peekable<MessageRows>;
  readonly #keys: KeyCheck;
  readonly #problems: Problems;
  /** What the newest erasure left of entries; those before it say nothing any more. */
  readonly #erased: ReadonlyMap<number, string>;

  constructor(db: DatabaseSync, keys: Iterable<KeyRow>, problems: Problems) {
    const newest = readNumber(db, "select newest from links order by n desc limit 1");
    const horizon = newest - Number(readMeta(db, RETENTION) ?? Infinity);
    this.#problems = problems;
    this.#messages = new Peekable(readMessageRows(db, problems));
    this.#keys = new KeyCheck(keys, horizon, problems);
    this.#erased = readErased(db);
  }

  /** The next one; they come in the order of their numbers. */
  entry(row: EntryRow): void {
    const { seq } = row;
    const message = this.#messageOf(seq);
    if (message === undefined || seq < message.first) {
      this.#problems.add(`entry ${seq} stands in no message`);
      return;
    }
    const erased = this.#erased.get(seq);
    const expected = message.entries?.[seq - message.first];
    if (expected !== undefined && erased !== undefined) {
      this.#problems.add(`message ${message.n} still has what was erased of entry ${seq}`);
    }
    const differences = [
      expected !== undefined && row.stream !== expected.stream && "stream",
      expected !== undefined && row.type !== expected.type && "type",
      expected !== undefined && row.at !== expected.at && "time",
      row.text !== (erased ?? expected?.text ?? row.text) && "data",
    ].filter((each) => each !== false);
    if (differences.length === 0) return;
    const { n } = message;
    this.#problems.add(
      `entry ${seq} is not what message ${n} says: another ${differences.join(", ")}`,
    );
  }

  /** There are no more; the newest has this number. */
  finish(head: number): void {
    let end = head;
    for (let message = this.#messages.next; message !== undefined; message = this.#messages.next) {
      end = Math.max(end, message.last);
      this.#pass(message);
    }
    if (end > head) this.#problems.add(`entries ${head + 1} to ${end} are missing`);
    this.#keys.finish();
  }

  /** The first that ends there or behind it. */
  #messageOf(seq: number): MessageRows | undefined {
    let message = this.#messages.next;
    for (; message !== undefined && message.last < seq; message = this.#messages.next) {
      this.#pass(message);
    }
    return message;
  }

  #pass(message: MessageRows): void {
    this.#keys.add(message);
    this.#messages.skip();
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
