import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog, type Entry, type Log } from "@atrium/log";
import { Fault } from "../refusal.ts";
import type { Projection } from "./projection.ts";
import { openProjections } from "./runner.ts";

/** Remembers every seq it was given. */
function createWitness(version = 1): Projection & { seen: number[]; loaded: boolean } {
  return {
    name: "witness",
    version,
    seen: [],
    loaded: false,
    apply(entry) {
      this.seen.push(entry.seq);
    },
    save() {
      return this.seen;
    },
    load(saved) {
      this.seen = [...(saved as number[])];
      this.loaded = true;
    },
  };
}

async function write(log: Log, count: number): Promise<number> {
  const drafts = Array.from({ length: count }, () => ({ type: "x", at: 1, data: {} }));
  const done = await log.append("s", "any", drafts);
  assert.ok(done.ok);
  return done.position.seq;
}

test("[CORE-10] a projection from its snapshot equals one that folded everything", async () => {
  await using log = openMemoryLog();
  await write(log, 3);
  const first = createWitness();
  await (await openProjections(log, [first])).close();
  await write(log, 2);
  const second = createWitness();
  await using _again = await openProjections(log, [second]);
  assert.equal(second.loaded, true);
  assert.deepEqual(second.seen, [1, 2, 3, 4, 5]);
});

test("[CORE-11] a snapshot of another version, or from the future, is ignored", async () => {
  for (const snapshot of [
    { version: 1, seq: 1, text: "[99]" },
    { version: 2, seq: 77, text: "[99]" },
  ]) {
    await using log = openMemoryLog();
    await write(log, 2);
    await log.snapshots.save("witness", snapshot);
    const witness = createWitness(2);
    await using _running = await openProjections(log, [witness]);
    assert.deepEqual([witness.loaded, witness.seen], [false, [1, 2]]);
  }
});

test("[CORE-12] listeners see live entries once, in order, and folded", async () => {
  await using log = openMemoryLog();
  await write(log, 2);
  const witness = createWitness();
  await using running = await openProjections(log, [witness]);
  const told: number[] = [];
  running.onBatch((entries: readonly Entry[]) => {
    for (const { seq } of entries) told.push(seq);
    assert.equal(witness.seen.at(-1), entries.at(-1)?.seq);
  });
  const last = Math.max(...(await Promise.all([write(log, 2), write(log, 1), write(log, 3)])));
  await running.settled(last);
  assert.deepEqual(told, [3, 4, 5, 6, 7, 8]);
});

test("[CORE-13] a fold that throws stops the runner and names what it could not fold", async () => {
  await using log = openMemoryLog();
  const broken = { ...createWitness(), apply: () => assert.fail("no") };
  const running = await openProjections(log, [broken]);
  await write(log, 1);
  await assert.rejects(running.stopped, (fault: unknown) => {
    assert.ok(fault instanceof Fault);
    assert.deepEqual(fault.context, { projection: "witness", stream: "s", type: "x", seq: 1 });
    return true;
  });
});
