/**
 * Whether the keys of a node's copy are those that its messages wrote. Both come in the order of their numbers, so
 * that a key is held only until the entries behind it are there.
 */
import type { MessageKey, MessageRows } from "./message-rows.ts";
import { Peekable } from "./peekable.ts";
import type { Problems } from "./problems.ts";
import type { KeyRow } from "./read-rows.ts";

export class KeyCheck {
  readonly #rows: Peekable<KeyRow>;
  /** Keys that are older may have been forgotten. */
  readonly #horizon: number;
  readonly #problems: Problems;
  #expected: MessageKey[] = [];
  /** Numbers of messages that no longer say which keys they wrote. */
  #unknown: Pick<MessageRows, "first" | "last">[] = [];

  constructor(rows: Iterable<KeyRow>, horizon: number, problems: Problems) {
    this.#rows = new Peekable(rows);
    this.#horizon = horizon;
    this.#problems = problems;
  }

  /** What the next message says. */
  add({ entries, keys, first, last, newestTime }: MessageRows): void {
    if (entries === undefined) this.#unknown.push({ first, last });
    this.#expected.push(...keys);
    if (last < first) return;
    // A key without entries is as old as the next entry that anyone wrote.
    this.#expected = this.#expected.map((key) =>
      key.at === null ? { ...key, at: newestTime } : key,
    );
    this.#compare(last);
  }

  finish(): void {
    this.#compare(Infinity);
  }

  /** Of lower numbers only: more keys may stand behind the newest entry. */
  #compare(before: number): void {
    const due = this.#expected.filter(({ seq }) => seq < before);
    this.#expected = this.#expected.filter(({ seq }) => seq >= before);
    const wanted = new Map(due.map((key) => [key.id, key]));
    for (let row = this.#rows.next; row !== undefined && row.seq < before; row = this.#rows.next) {
      this.#rows.skip();
      const expected = wanted.get(row.id);
      wanted.delete(row.id);
      this.#compareOne(row, expected);
    }
    for (const { id, n, at } of wanted.values()) {
      if (at !== null && at < this.#horizon) continue;
      this.#problems.add(`key ${JSON.stringify(id)} of message ${n} is missing`);
    }
    this.#unknown = this.#unknown.filter(({ last }) => last >= before);
  }

  #compareOne(row: KeyRow, expected: MessageKey | undefined): void {
    const name = `key ${JSON.stringify(row.id)}`;
    if (expected === undefined) {
      const isUnknown = this.#unknown.some(
        ({ first, last }) => row.seq >= first - 1 && row.seq <= last,
      );
      if (!isUnknown) this.#problems.add(`${name} stands in no message`);
      return;
    }
    const { seq, count, digest, at } = expected;
    const isSame = row.seq === seq && row.count === count && row.digest === digest && row.at === at;
    if (!isSame) this.#problems.add(`${name} is not what message ${expected.n} says`);
  }
}
