import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog, type Log } from "@atrium/log";
import { readAs } from "./codec.ts";
import { createDispatch, type Aggregate, type Dispatch } from "./dispatch.ts";
import { accept, refuse } from "./refusal.ts";
import { createTestClock } from "./testing/index.ts";

interface Added {
  readonly type: "added";
  readonly amount: number;
}

/** A jar that holds at most ten. */
const jar: Aggregate<number, { readonly amount: number }, Added> = {
  name: "jar",
  initial: 0,
  decide: (held, { amount }) =>
    held + amount > 10 ? refuse("conversation.missing") : accept([{ type: "added", amount }]),
  evolve: (held, event) => held + event.amount,
  read: readAs<Added>,
};

function dispatchTo(
  log: Log,
  settled: (seq: number) => Promise<void> | void = () => undefined,
): Dispatch {
  return createDispatch({ log, clock: createTestClock(), settled });
}

async function amounts(log: Log, id: string): Promise<number[]> {
  const entries = await Array.fromAsync(log.read({ stream: `jar/${id}` }));
  return entries.map((entry) => jar.read(entry).amount);
}

test("[CORE-2] a decision sees everything that was decided before it", async () => {
  await using log = openMemoryLog();
  const dispatch = dispatchTo(log);
  assert.equal((await dispatch(jar, "a", { amount: 6 })).ok, true);
  const second = await dispatch(jar, "a", { amount: 4 });
  assert.ok(second.ok);
  assert.deepEqual(second.value.position, { epoch: log.epoch, seq: 2 });
  assert.deepEqual(await amounts(log, "a"), [6, 4]);
});

test("[CORE-3] a refused command writes nothing", async () => {
  await using log = openMemoryLog();
  const dispatch = dispatchTo(log);
  await dispatch(jar, "a", { amount: 9 });
  assert.deepEqual(await dispatch(jar, "a", { amount: 2 }), refuse("conversation.missing"));
  assert.deepEqual(await amounts(log, "a"), [9]);
});

test("[CORE-4] commands for one stream are decided in order, however many arrive at once", async () => {
  await using log = openMemoryLog();
  const dispatch = dispatchTo(log);
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => dispatch(jar, "a", { amount: 1 })),
  );
  assert.deepEqual(
    outcomes.map(({ ok }) => ok),
    [...Array(10).fill(true), ...Array(10).fill(false)],
  );
  assert.equal((await amounts(log, "a")).length, 10);
});

test("[CORE-4] a stream whose append hangs does not hold up another", async () => {
  await using log = openMemoryLog();
  const gate = Promise.withResolvers<void>();
  const slowForA: Log = {
    ...methodsOf(log),
    append: async (stream, ...rest) => {
      if (stream === "jar/a") await gate.promise;
      return log.append(stream, ...rest);
    },
  };
  const dispatch = dispatchTo(slowForA);
  const held = dispatch(jar, "a", { amount: 1 });
  assert.equal((await dispatch(jar, "b", { amount: 1 })).ok, true);
  assert.deepEqual(await amounts(log, "a"), []);
  gate.resolve();
  assert.equal((await held).ok, true);
});

test("[CORE-5] a writer that was overtaken decides again on what is true now", async () => {
  await using log = openMemoryLog();
  const mine = dispatchTo(log);
  const theirs = dispatchTo(log);
  await mine(jar, "a", { amount: 4 });
  await theirs(jar, "a", { amount: 4 });
  assert.deepEqual(await mine(jar, "a", { amount: 4 }), refuse("conversation.missing"));
  assert.equal((await mine(jar, "a", { amount: 2 })).ok, true);
  assert.deepEqual(await amounts(log, "a"), [4, 4, 2]);
});

test("[CORE-5] a writer that is always overtaken gives up and says so", async () => {
  await using log = openMemoryLog();
  const conflict = { ok: false, reason: "conflict", head: 1 } as const;
  const dispatch = dispatchTo({ ...methodsOf(log), append: () => Promise.resolve(conflict) });
  assert.deepEqual(await dispatch(jar, "a", { amount: 1 }), refuse("log.contended", "jar/a"));
});

test("[CORE-6] the same key gives the same answer and no second effect, also from another process", async () => {
  await using log = openMemoryLog();
  const key = { id: "k1", digest: "d1" };
  const first = await dispatchTo(log)(jar, "a", { amount: 3 }, key);
  const again = await dispatchTo(log)(jar, "a", { amount: 3 }, key);
  assert.ok(first.ok && again.ok);
  assert.deepEqual(again.value.events, first.value.events);
  assert.deepEqual(again.value.position, first.value.position);
  assert.deepEqual([first.value.repeated, again.value.repeated], [false, true]);
  assert.deepEqual(await amounts(log, "a"), [3]);
});

test("[CORE-6] a key that was accepted stays accepted when the same command would now be refused", async () => {
  await using log = openMemoryLog();
  const dispatch = dispatchTo(log);
  const key = { id: "k1", digest: "d1" };
  await dispatch(jar, "a", { amount: 10 }, key);
  assert.equal((await dispatch(jar, "a", { amount: 10 }, key)).ok, true);
  assert.deepEqual(await amounts(log, "a"), [10]);
});

test("[CORE-6] a key used for something else is refused", async () => {
  await using log = openMemoryLog();
  const dispatch = dispatchTo(log);
  await dispatch(jar, "a", { amount: 1 }, { id: "k1", digest: "d1" });
  const other = await dispatch(jar, "a", { amount: 2 }, { id: "k1", digest: "d2" });
  assert.deepEqual(other, refuse("key.reused", "k1"));
  assert.deepEqual(await amounts(log, "a"), [1]);
});

test("[CORE-7] the answer waits for the projections", async () => {
  await using log = openMemoryLog();
  const gate = Promise.withResolvers<void>();
  const waitedFor: number[] = [];
  const dispatch = dispatchTo(log, (seq) => {
    waitedFor.push(seq);
    return gate.promise;
  });
  let isAnswered = false;
  const answer = dispatch(jar, "a", { amount: 1 }).then(() => (isAnswered = true));
  await new Promise(setImmediate);
  assert.deepEqual([waitedFor, isAnswered], [[1], false]);
  gate.resolve();
  await answer;
});

test("[CORE-8] a log with no room is a refusal, a broken one a fault", async () => {
  await using log = openMemoryLog();
  const busy = { ok: false, reason: "busy" } as const;
  const full = dispatchTo({ ...methodsOf(log), append: () => Promise.resolve(busy) });
  assert.deepEqual(await full(jar, "a", { amount: 1 }), refuse("log.busy"));
  const broken = dispatchTo({ ...methodsOf(log), append: () => Promise.reject(new Error("disk")) });
  await assert.rejects(broken(jar, "a", { amount: 1 }), /disk/);
  await assert.rejects(broken(jar, "a", { amount: 1 }), /disk/);
});

/** A log whose members can be replaced one by one. */
function methodsOf(log: Log): Log {
  return {
    epoch: log.epoch,
    head: log.head,
    snapshots: log.snapshots,
    stopped: log.stopped,
    append: log.append.bind(log),
    findKey: log.findKey.bind(log),
    read: log.read.bind(log),
    tail: log.tail.bind(log),
    close: log.close.bind(log),
    [Symbol.asyncDispose]: () => log.close(),
  };
}
