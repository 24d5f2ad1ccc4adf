/** What the writers were told, held against what the log says. */
import assert from "node:assert/strict";
import type { Entry, Log } from "@atrium/log";
import type { Line } from "./log-writer-process.ts";

interface Wrote {
  n: number;
  part: number;
  of: number;
}

export class LogHistory {
  /** Per stream, the seq that was acknowledged for each number; the first number is 1. */
  readonly #acknowledged = new Map<string, number[]>();

  /** How many appends were found done by those who asked for them again. */
  repeats = 0;

  constructor(streams: readonly string[]) {
    for (const stream of streams) this.#acknowledged.set(stream, []);
  }

  /** The last acknowledged number of each stream. */
  get streams(): Record<string, number> {
    return Object.fromEntries([...this.#acknowledged].map(([name, seqs]) => [name, seqs.length]));
  }

  get size(): number {
    return [...this.#acknowledged.values()].reduce((sum, seqs) => sum + seqs.length, 0);
  }

  record(lines: readonly Line[]): void {
    const first = new Set(this.#acknowledged.keys());
    for (const line of lines) {
      if (line.type !== "wrote") continue;
      const seqs = this.#acknowledged.get(line.stream) ?? [];
      assert.equal(line.n, seqs.length + 1, `${line.stream} skipped a number`);
      // Only what was under way when the last process died can have been written before.
      assert.ok(!line.repeated || first.has(line.stream), `${line.stream}/${line.n} repeated`);
      first.delete(line.stream);
      if (line.repeated) this.repeats++;
      seqs.push(line.seq);
    }
  }

  /** Every acknowledged append is there, whole, once and in order, with at most one more per stream. */
  async check(log: Log): Promise<void> {
    const entries = await Array.fromAsync(log.read());
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      Array.from(entries, (_, index) => index + 1),
    );
    for (const [stream, seqs] of this.#acknowledged) {
      const own = entries.filter((entry) => entry.stream === stream);
      assert.deepEqual(await Array.fromAsync(log.read({ stream })), own, `${stream}, by its index`);
      for (const entry of own) {
        const found = log.read({ stream, after: entry.seq - 1, limit: 1 });
        assert.deepEqual(await Array.fromAsync(found), [entry], `${stream} at ${entry.seq}`);
      }
      const appends = wholeAppends(own);
      assert.deepEqual(appends.slice(0, seqs.length), seqs, stream);
      assert.ok(appends.length <= seqs.length + 1, `${stream} has more than was asked for`);
    }
  }
}

/** The last seq of each append; fails when one is torn, twice there, or out of order. */
function wholeAppends(entries: readonly Entry[]): number[] {
  const seqs: number[] = [];
  let rest = entries;
  while (rest.length > 0) {
    const n = seqs.length + 1;
    const of = 1 + (n % 3);
    const append = rest.slice(0, of);
    assert.deepEqual(
      append.map(({ data }) => pickNumbers(data as Wrote)),
      Array.from({ length: of }, (_, part) => ({ n, part, of })),
    );
    seqs.push(append.at(-1)?.seq ?? 0);
    rest = rest.slice(of);
  }
  return seqs;
}

function pickNumbers({ n, part, of }: Wrote): Wrote {
  return { n, part, of };
}
