import assert from "node:assert/strict";
import { test } from "node:test";
import { KeyedBuckets, TokenBucket } from "./token-bucket.ts";

const RULES = { capacity: 3, refillTokens: 1, refillMs: 1_000 };

test("a bucket gives what it holds, then as much as time gives back, and never more than it holds", () => {
  let now = 0;
  const bucket = new TokenBucket(RULES, () => now);
  const take = (): number => bucket.take();
  assert.deepEqual(Array.from({ length: 4 }, take), [0, 0, 0, 1_000]);
  now += 400;
  assert.equal(bucket.take(), 600);
  now += 600;
  assert.equal(bucket.take(), 0);
  assert.equal(bucket.isFull, false);
  now += 60_000;
  assert.equal(bucket.isFull, true);
  assert.deepEqual(Array.from({ length: 4 }, take), [0, 0, 0, 1_000]);
});

test("what is spent beyond what is there is owed", () => {
  let now = 0;
  const bucket = new TokenBucket(RULES, () => now);
  bucket.spend(5);
  assert.equal(bucket.waitMs(), 3_000);
  now += 3_000;
  assert.equal(bucket.take(), 0);
});

test("a clock that is set back gives nothing and takes nothing", () => {
  let now = 10_000;
  const bucket = new TokenBucket(RULES, () => now);
  bucket.spend(3);
  now = 0;
  assert.equal(bucket.waitMs(), 1_000);
  now = 1_000;
  assert.equal(bucket.take(), 0);
});

test("every key has a bucket of its own, and of too many the ones used last are kept", () => {
  const buckets = new KeyedBuckets(RULES, () => 0, 2);
  for (const key of ["a", "b"]) buckets.of(key).spend(3);
  assert.equal(buckets.of("a").waitMs(), 1_000);
  assert.equal(buckets.of("c").waitMs(), 0);
  assert.equal(buckets.of("a").waitMs(), 1_000);
  assert.equal(buckets.of("b").waitMs(), 0);
});
