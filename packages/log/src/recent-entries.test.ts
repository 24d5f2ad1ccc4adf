import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { RecentEntries } from "./recent-entries.ts";

test("[LOG-14] keeps the newest entries and says when older ones are asked for", () => {
  const recent = new RecentEntries(100);
  assert.deepEqual(recent.after(100, 10), []);
  assert.equal(recent.after(99, 10), undefined);
  fill(recent, 101, 20_000, 1);
  assert.equal(recent.newest, 20_000);
  const oldest = 20_000 - 8192;
  assert.equal(recent.after(oldest - 1, 10), undefined);
  assert.deepEqual(seqs(recent, oldest, 3), [oldest + 1, oldest + 2, oldest + 3]);
  assert.deepEqual(seqs(recent, 19_998, 10), [19_999, 20_000]);
  assert.deepEqual(seqs(recent, 20_000, 10), []);
  assert.deepEqual(seqs(recent, 30_000, 10), []);
});

test("[LOG-14] keeps less when entries are big, but always the newest", () => {
  const recent = new RecentEntries(0);
  fill(recent, 1, 100, 1024 * 1024);
  assert.equal(recent.after(83, 10), undefined);
  assert.equal(seqs(recent, 84, 100)?.length, 16);
  fill(recent, 101, 101, 64 * 1024 * 1024);
  assert.deepEqual(seqs(recent, 100, 10), [101]);
  assert.equal(recent.after(99, 10), undefined);
});

test("[LOG-14] finds what it holds of a stream as looking through all of it would", () => {
  const entries = fc.record({
    stream: fc.constantFrom("a", "b", "c"),
    megabytes: fc.nat({ max: 6 }),
  });
  const look = fc.record({
    above: fc.nat({ max: 40 }),
    below: fc.nat({ max: 45 }),
    limit: fc.nat({ max: 9 }),
  });
  fc.assert(
    fc.property(
      fc.array(entries, { maxLength: 30 }),
      fc.array(look, { maxLength: 9 }),
      (added, looks) => {
        const recent = new RecentEntries(7);
        for (const [at, { stream, megabytes }] of added.entries()) {
          recent.add({ seq: 8 + at, stream, type: "t", at, data: at }, megabytes * 1024 * 1024);
        }
        for (const { above, below, limit } of looks) {
          const all = recent.after(above, Infinity);
          const found = all
            ?.filter(({ stream, seq }) => stream === "a" && seq < below)
            .toReversed();
          assert.deepEqual(recent.ofStream("a", above, below, limit), found?.slice(0, limit));
        }
      },
    ),
  );
});

function fill(recent: RecentEntries, from: number, to: number, bytes: number): void {
  for (let seq = from; seq <= to; seq++) {
    recent.add({ seq, stream: "s", type: "t", at: 0, data: null }, bytes);
  }
}

function seqs(recent: RecentEntries, after: number, limit: number): number[] | undefined {
  return recent.after(after, limit)?.map(({ seq }) => seq);
}
