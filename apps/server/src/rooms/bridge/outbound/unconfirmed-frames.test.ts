import assert from "node:assert/strict";
import { test } from "node:test";
import { UnconfirmedFrames } from "./unconfirmed-frames.ts";

function takeAll(kept: UnconfirmedFrames<number>): number[] {
  const taken: number[] = [];
  for (let next = kept.takeNext(); next !== undefined; next = kept.takeNext()) taken.push(next);
  return taken;
}

test("[BRIDGE-7] what is proven leaves, what is not waits again, in order", () => {
  const kept = new UnconfirmedFrames<number>(() => 3);
  for (const n of [1, 2, 3]) kept.add(n);
  assert.deepEqual(takeAll(kept), [1, 2, 3]);
  assert.deepEqual(takeAll(kept), []);
  const mark = kept.mark;
  kept.add(4);
  assert.deepEqual(takeAll(kept), [4]);
  kept.prove(mark);
  kept.prove(mark);
  assert.equal(kept.hasUnproven, true);
  kept.rewind();
  kept.add(5);
  assert.deepEqual(takeAll(kept), [4, 5]);
  kept.prove(kept.mark);
  assert.equal(kept.hasUnproven, false);
  assert.deepEqual(kept.clear(), []);
});

test("[BRIDGE-8] trimming takes exactly the oldest", () => {
  const kept = new UnconfirmedFrames<number>(() => 2);
  for (const n of [1, 2, 3, 4]) kept.add(n);
  assert.deepEqual(kept.trim(), [1, 2]);
  assert.deepEqual(kept.trim(), []);
  assert.deepEqual(takeAll(kept), [3, 4]);
});

test("[BRIDGE-8] losing the connection loses nothing, but makes no room for more either", () => {
  const kept = new UnconfirmedFrames<number>(() => 2);
  for (const n of [1, 2, 3, 4]) kept.add(n);
  takeAll(kept);
  kept.rewind();
  assert.deepEqual(kept.trim(), []);
  kept.add(5);
  assert.deepEqual(kept.trim(), [1]);
  assert.deepEqual(takeAll(kept), [2, 3, 4, 5]);
  kept.prove(kept.mark);
  kept.rewind();
  for (const n of [6, 7, 8]) kept.add(n);
  assert.deepEqual(kept.trim(), [6]);
});
