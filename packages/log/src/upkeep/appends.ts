/**
 * The appends that a log file was written by, as far as they can still be told: the entries of a key stood together in
 * one, and the others are cut where their stream changes. Written again in this order they give the same log.
 */
import type { MessageAppend, MessageEntry } from "../chain/state/message.ts";
import { LogFault } from "../log.ts";
import type { LogRows } from "./log-rows.ts";
import { Peekable } from "./peekable.ts";
import type { EntryRow, KeyRow } from "./read-rows.ts";
import { isJson } from "./verify-rows.ts";

/** What a copied log says in place of data that is no JSON any more. */
const LOST_DATA = "null";
/** The stream that a key without entries is written to: none is kept of it, and none is touched. */
const NO_STREAM = "copy";
const MAX_ENTRIES = 256;
const MAX_CHARACTERS = 128 * 1024;

export function* appendsIn(
  rows: Pick<LogRows, "entries" | "keys">,
  isKept: (key: KeyRow) => boolean,
): Generator<MessageAppend> {
  const entries = new Peekable(gapless(rows.entries()));
  const keys = new Peekable(filter(rows.keys(), isKept));
  for (let head = 0; ;) {
    const key = keys.next;
    if (key !== undefined && key.seq - key.count === head) {
      keys.skip();
      const taken = takeEntries(entries, (seq) => seq <= key.seq);
      yield appendOf(taken, { id: key.id, digest: key.digest });
      head = key.seq;
      continue;
    }
    const first = entries.next;
    if (first === undefined) return;
    const end = key === undefined ? Infinity : key.seq - key.count;
    const taken = takeRun(entries, first, end);
    yield appendOf(taken, undefined);
    head = taken.at(-1)?.seq ?? head;
  }
}

function takeEntries(entries: Peekable<EntryRow>, isWanted: (seq: number) => boolean): EntryRow[] {
  const taken: EntryRow[] = [];
  while (entries.next !== undefined && isWanted(entries.next.seq)) {
    taken.push(entries.next);
    entries.skip();
  }
  return taken;
}

function takeRun(entries: Peekable<EntryRow>, { stream }: EntryRow, end: number): EntryRow[] {
  let characters = 0;
  let count = 0;
  return takeEntries(entries, (seq) => {
    const { stream: own, text } = entries.next ?? { stream: "", text: "" };
    characters += text.length;
    const isFull = count > 0 && (count >= MAX_ENTRIES || characters > MAX_CHARACTERS);
    count++;
    return own === stream && seq <= end && !isFull;
  });
}

function appendOf(rows: readonly EntryRow[], key: MessageAppend["key"]): MessageAppend {
  const entries = rows.map(({ type, at, text }): MessageEntry => {
    return { type, at, text: isJson(text) ? text : LOST_DATA };
  });
  return { stream: rows[0]?.stream ?? NO_STREAM, key, entries };
}

/** What is written again is numbered again, so a gap would move everything behind it. */
function* gapless(entries: Iterable<EntryRow>): Generator<EntryRow> {
  let head = 0;
  for (const entry of entries) {
    if (entry.seq !== head + 1) {
      throw new LogFault(
        "corrupt",
        `entries ${head + 1} to ${entry.seq - 1} are missing: restore a copy of the log that has them`,
      );
    }
    head = entry.seq;
    yield entry;
  }
}

function* filter<Item>(items: Iterable<Item>, isKept: (item: Item) => boolean): Generator<Item> {
  for (const item of items) if (isKept(item)) yield item;
}
