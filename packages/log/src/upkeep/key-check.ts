/**
 * Whether the keys of a node's copy are those that its messages wrote. Both come in the order of their numbers, so
 * that a key is held only until the entries behind it are there.
 */
import { Peekable } from "./peekable.ts";
import type { Problems } from "./problems.ts";
import type { KeyRow } from "./read-rows.ts";
import type { ToldKey, ToldRows } from "./told-rows.ts";

export class KeyCheck {
  readonly #rows: Peekable<KeyRow>;
  /** Keys that are older may have been forgotten. */
  readonly #horizon: number;
  readonly #problems: Problems;
  #told: ToldKey[] = [];
  /** Numbers of messages that no longer say which keys they wrote. */
  #silent: Pick<ToldRows, "first" | "last">[] = [];

  constructor(rows: Iterable<KeyRow>, horizon: number, problems: Problems) {
    this.#rows = new Peekable(rows);
    this.#horizon = horizon;
    this.#problems = problems;
  }

  /** What the next message says. */
  add({ entries, keys, first, last, newestTime }: ToldRows): void {
    if (entries === undefined) this.#silent.push({ first, last });
    this.#told.push(...keys);
    if (last < first) return;
    // A key without entries is as old as the next entry that anyone wrote.
    this.#told = this.#told.map((key) => (key.at === null ? { ...key, at: newestTime } : key));
    this.#compare(last);
  }

  finish(): void {
    this.#compare(Infinity);
  }

  /** Of lower numbers only: more keys may stand behind the newest entry. */
  #compare(before: number): void {
    const due = this.#told.filter(({ seq }) => seq < before);
    this.#told = this.#told.filter(({ seq }) => seq >= before);
    const wanted = new Map(due.map((key) => [key.id, key]));
    for (let row = this.#rows.next; row !== undefined && row.seq < before; row = this.#rows.next) {
      this.#rows.skip();
      const told = wanted.get(row.id);
      wanted.delete(row.id);
      this.#compareOne(row, told);
    }
    for (const { id, n, at } of wanted.values()) {
      if (at !== null && at < this.#horizon) continue;
      this.#problems.add(`key ${JSON.stringify(id)} of message ${n} is missing`);
    }
    this.#silent = this.#silent.filter(({ last }) => last >= before);
  }

  #compareOne(row: KeyRow, told: ToldKey | undefined): void {
    const name = `key ${JSON.stringify(row.id)}`;
    if (told === undefined) {
      const isSilent = this.#silent.some(
        ({ first, last }) => row.seq >= first - 1 && row.seq <= last,
      );
      if (!isSilent) this.#problems.add(`${name} stands in no message`);
      return;
    }
    const { seq, count, digest, at } = told;
    const isSame = row.seq === seq && row.count === count && row.digest === digest && row.at === at;
    if (!isSame) this.#problems.add(`${name} is not what message ${told.n} says`);
  }
}
