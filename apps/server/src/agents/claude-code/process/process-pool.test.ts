import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { ProcessPool, type Running } from "./process-pool.ts";

function openPool() {
  const pool = new ProcessPool(
    { idleStopMs: 60_000, maxProcesses: 1 },
    { after: () => () => undefined, now: () => 0 },
  );
  const count = { opened: 0, stopped: 0, most: 0 };
  const { signal } = new AbortController();
  const open = async (): Promise<Running> => {
    count.opened += 1;
    count.most = Math.max(count.most, count.opened - count.stopped);
    await turnOfLoop();
    const stop = async (): Promise<void> => {
      await turnOfLoop();
      count.stopped += 1;
    };
    // The pool only ever ends what it has started.
    return { stop } as unknown as Running;
  };
  const hold = async (session: string) => {
    const { slot, release } = await pool.hold(session, signal);
    await pool.start(slot, open, signal);
    return release;
  };
  return { pool, count, hold };
}

test("[CLAUDE-3] processes that are being started or ended count too", async () => {
  const { count, hold } = openPool();
  const turns = ["a", "b", "c"].map(async (session) => (await hold(session))());
  await Promise.all(turns);
  assert.deepEqual(count, { opened: 3, stopped: 2, most: 1 });
});

test("[CLAUDE-3] a process at work is not ended for another conversation", async () => {
  const { count, hold } = openPool();
  const release = await hold("a");
  const waiting = hold("b");
  for (let turn = 0; turn < 10; turn++) await turnOfLoop();
  assert.deepEqual([count.opened, count.stopped], [1, 0]);
  release();
  await waiting;
  assert.deepEqual([count.opened, count.stopped], [2, 1]);
});

test("[CLAUDE-4] a turn that waits for a process while the pool is closed leaves none", async () => {
  const { pool, count, hold } = openPool();
  await hold("a");
  const waiting = hold("b");
  await turnOfLoop();
  await pool.close();
  await waiting;
  assert.equal(count.stopped, count.opened);
});
