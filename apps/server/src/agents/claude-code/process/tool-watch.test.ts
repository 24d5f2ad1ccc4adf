import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createToolWatch } from "./tool-watch.ts";

/** A watch whose time passes when told to. */
function openWatch() {
  const alive = new Set([7, 8]);
  const due = new Set<() => void>();
  const seen = { deaths: 0 };
  const watch = createToolWatch({
    after(_ms, run) {
      due.add(run);
      return () => void due.delete(run);
    },
    isAlive: (pid) => Promise.resolve(alive.has(pid)),
  });
  watch.onDead(() => (seen.deaths += 1));
  const pass = async (): Promise<void> => {
    const now = [...due];
    due.clear();
    for (const run of now) run();
    await setImmediate();
  };
  return { watch, alive, due, seen, pass };
}

test("[CLAUDE-13] a program that is dead and does not come back is noticed, once", async () => {
  const { watch, alive, due, seen, pass } = openWatch();
  watch.found(7);
  alive.delete(7);
  watch.lost();
  assert.equal(seen.deaths, 0);
  await pass();
  assert.equal(seen.deaths, 1);
  await pass();
  assert.deepEqual([seen.deaths, due.size], [1, 0]);
});

test("[CLAUDE-13] a connection that only breaks is no death, however long it takes", async () => {
  const { watch, alive, seen, pass } = openWatch();
  watch.found(7);
  watch.lost();
  for (let look = 0; look < 5; look++) await pass();
  assert.equal(seen.deaths, 0);
  watch.found(7);
  await pass();
  watch.lost();
  await pass();
  alive.delete(7);
  await pass();
  assert.equal(seen.deaths, 1);
});

test("[CLAUDE-13] one that was started again in the meantime counts, and after the end nobody looks", async () => {
  const { watch, alive, due, seen, pass } = openWatch();
  watch.found(7);
  alive.delete(7);
  watch.lost();
  watch.found(8);
  await pass();
  alive.delete(8);
  watch.lost();
  watch.stop();
  await pass();
  assert.deepEqual([seen.deaths, due.size], [0, 0]);
  watch.lost();
  assert.equal(due.size, 0);
});
