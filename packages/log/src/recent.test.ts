import assert from "node:assert/strict";
import { test } from "node:test";
import { Recent } from "./recent.ts";

test("[LOG-21] keeps the newest entries and says when older ones are asked for", () => {
  const recent = new Recent(100);
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

test("[LOG-21] keeps less when entries are big, but always the newest", () => {
  const recent = new Recent(0);
  fill(recent, 1, 100, 1024 * 1024);
  assert.equal(recent.after(83, 10), undefined);
  assert.equal(seqs(recent, 84, 100)?.length, 16);
  fill(recent, 101, 101, 64 * 1024 * 1024);
  assert.deepEqual(seqs(recent, 100, 10), [101]);
  assert.equal(recent.after(99, 10), undefined);
});

function fill(recent: Recent, from: number, to: number, bytes: number): void {
  for (let seq = from; seq <= to; seq++) {
    recent.add({ seq, stream: "s", type: "t", at: 0, data: null }, bytes);
  }
}

function seqs(recent: Recent, after: number, limit: number): number[] | undefined {
  return recent.after(after, limit)?.map(({ seq }) => seq);
}
