import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog, type Log } from "@atrium/log";
import { createTestTime } from "../testing/index.ts";
import { createCodec } from "./codec.ts";
import { createDispatch, guarded, type Aggregate, type Dispatch } from "./dispatch.ts";
import type { BatchListener } from "./projection-runner.ts";
import { accept, refuse } from "./refusal.ts";

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
  ...createCodec<Added>({ added: { version: 1, shape: { amount: "number" } } }),
};

function dispatchTo(
  log: Log,
  settled: (seq: number) => Promise<void> | void = () => undefined,
): Dispatch {
  return createDispatch({ log, clock: createTestTime(), settled });
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

test("[CORE-2] a refused command writes nothing", async () => {
  await using log = openMemoryLog();
  const dispatch = dispatchTo(log);
  await dispatch(jar, "a", { amount: 9 });
  assert.deepEqual(await dispatch(jar, "a", { amount: 2 }), refuse("conversation.missing"));
  assert.deepEqual(await amounts(log, "a"), [9]);
});

test("[CORE-3] commands for one stream are decided in order, however many arrive at once", async () => {
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

test("[CORE-3] a stream whose append hangs does not hold up another", async () => {
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

test("[CORE-3] commands that wait together are appended together", async () => {
  await using log = openMemoryLog();
  const gate = Promise.withResolvers<void>();
  let underWay = 0;
  let most = 0;
  const slow: Log = {
    ...methodsOf(log),
    append: async (...args) => {
      most = Math.max(most, ++underWay);
      const written = log.append(...args);
      await gate.promise;
      underWay--;
      return written;
    },
  };
  const dispatch = dispatchTo(slow);
  const first = dispatch(jar, "a", { amount: 1 });
  await new Promise(setImmediate);
  const rest = Array.from({ length: 5 }, () => dispatch(jar, "a", { amount: 1 }));
  assert.equal(most, 1);
  gate.resolve();
  for (const { ok } of await Promise.all([first, ...rest])) assert.equal(ok, true);
  assert.equal(most, 5);
  assert.deepEqual(await amounts(log, "a"), [1, 1, 1, 1, 1, 1]);
});

test("[CORE-3] when one of them is overtaken, those behind it are decided again, refusals too", async () => {
  await using log = openMemoryLog();
  const mine = dispatchTo(log);
  await mine(jar, "a", { amount: 5 });
  // Another process fills the jar to 8; the round below was decided while it held 5.
  await dispatchTo(log)(jar, "a", { amount: 3 });
  const outcomes = await Promise.all([4, 2, 1].map((amount) => mine(jar, "a", { amount })));
  assert.deepEqual(
    outcomes.map(({ ok }) => ok),
    [false, true, false],
  );
  assert.deepEqual(await amounts(log, "a"), [5, 3, 2]);
});

test("[CORE-3] a decider that throws fails its own command alone", async () => {
  await using log = openMemoryLog();
  const moody: typeof jar = {
    ...jar,
    decide: (held, command) =>
      command.amount === 13 ? assert.fail("unlucky") : jar.decide(held, command),
  };
  const dispatch = dispatchTo(log);
  const outcomes = await Promise.allSettled(
    [1, 13, 2].map((amount) => dispatch(moody, "a", { amount })),
  );
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  assert.deepEqual(await amounts(log, "a"), [1, 2]);
});

test("[CORE-3] the same key twice in one breath counts once", async () => {
  await using log = openMemoryLog();
  const dispatch = dispatchTo(log);
  const key = { id: "k", digest: "d" };
  const outcomes = await Promise.all([1, 2, 3].map(() => dispatch(jar, "a", { amount: 1 }, key)));
  assert.deepEqual(
    outcomes.map((outcome) => outcome.ok && outcome.value.repeated),
    [false, true, true],
  );
  assert.deepEqual(await amounts(log, "a"), [1]);
});

test("[CORE-3] two processes that race over one stream never break its rule or lose an answer", async (t) => {
  const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  t.diagnostic(`seed ${seed}`);
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state % below;
  };
  for (let round = 0; round < 200; round++) {
    await using log = openMemoryLog();
    const processes = [dispatchTo(log), dispatchTo(log)];
    const asked = Array.from({ length: 12 }, async () => {
      for (let pause = random(4); pause > 0; pause--) await Promise.resolve();
      const amount = 1 + random(4);
      const key = random(2) === 0 ? { id: `k${random(3)}`, digest: "d" } : undefined;
      const outcome = await processes[random(2)]?.(jar, "a", { amount }, key);
      return outcome?.ok === true && !outcome.value.repeated
        ? (outcome.value.events[0]?.amount ?? 0)
        : 0;
    });
    const accepted = (await Promise.all(asked)).filter((amount) => amount > 0);
    const written = await amounts(log, "a");
    const total = written.reduce((sum, amount) => sum + amount, 0);
    assert.ok(total <= 10, `round ${round}: the jar holds ${total}`);
    const bySize = (a: number, b: number): number => a - b;
    assert.deepEqual(written.toSorted(bySize), accepted.toSorted(bySize), `round ${round}`);
  }
});

test("[CORE-4] a writer that was overtaken decides again on what is true now", async () => {
  await using log = openMemoryLog();
  const mine = dispatchTo(log);
  const theirs = dispatchTo(log);
  await mine(jar, "a", { amount: 4 });
  await theirs(jar, "a", { amount: 4 });
  assert.deepEqual(await mine(jar, "a", { amount: 4 }), refuse("conversation.missing"));
  assert.equal((await mine(jar, "a", { amount: 2 })).ok, true);
  assert.deepEqual(await amounts(log, "a"), [4, 4, 2]);
});

test("[CORE-4] a writer that is always overtaken gives up and says so", async () => {
  await using log = openMemoryLog();
  const conflict = { ok: false, reason: "conflict", head: 1 } as const;
  const dispatch = dispatchTo({ ...methodsOf(log), append: () => Promise.resolve(conflict) });
  assert.deepEqual(await dispatch(jar, "a", { amount: 1 }), refuse("log.contended", "jar/a"));
});

test("[CORE-53] a guarded command is refused once its guard has moved on, and those beside it are decided without it", async () => {
  await using log = openMemoryLog();
  const dispatch = dispatchTo(log);
  const grant = await log.append("lease/jars", 0, [{ type: "granted", at: 1, data: {} }]);
  assert.ok(grant.ok);
  const held = guarded(dispatch, () => ({ stream: "lease/jars", version: grant.position.seq }));
  assert.equal((await held(jar, "a", { amount: 1 })).ok, true);
  await log.append("lease/jars", "any", [{ type: "granted", at: 2, data: {} }]);
  const outcomes = await Promise.all([
    dispatch(jar, "a", { amount: 2 }),
    held(jar, "a", { amount: 7 }),
    dispatch(jar, "a", { amount: 7 }),
  ]);
  assert.deepEqual(outcomes[1], refuse("log.fenced"));
  assert.deepEqual(await amounts(log, "a"), [1, 2, 7]);
});

test("[CORE-56] a command is decided on what another node has written to its stream", async () => {
  await using log = openMemoryLog();
  const listeners: BatchListener[] = [];
  const clock = createTestTime();
  const onBatch = (listener: BatchListener): void => void listeners.push(listener);
  const here = createDispatch({ log, clock, settled: () => undefined, onBatch });
  const elsewhere = dispatchTo(log);
  assert.equal((await here(jar, "a", { amount: 9 })).ok, true);
  assert.deepEqual(await here(jar, "a", { amount: 2 }), refuse("conversation.missing"));
  await elsewhere(jar, "a", { amount: -5 });
  const [entry] = await Array.fromAsync(log.read({ backwards: true, limit: 1 }));
  assert.ok(entry);
  for (const listener of listeners) listener([entry]);
  assert.equal((await here(jar, "a", { amount: 2 })).ok, true);
  assert.deepEqual(await amounts(log, "a"), [9, -5, 2]);
});

test("[CORE-5] the same key gives the same answer and no second effect, also from another process", async () => {
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

test("[CORE-5] a key that was accepted stays accepted when the same command would now be refused", async () => {
  await using log = openMemoryLog();
  const dispatch = dispatchTo(log);
  const key = { id: "k1", digest: "d1" };
  await dispatch(jar, "a", { amount: 10 }, key);
  assert.equal((await dispatch(jar, "a", { amount: 10 }, key)).ok, true);
  assert.deepEqual(await amounts(log, "a"), [10]);
});

test("[CORE-5] a key used for something else is refused", async () => {
  await using log = openMemoryLog();
  const dispatch = dispatchTo(log);
  await dispatch(jar, "a", { amount: 1 }, { id: "k1", digest: "d1" });
  const other = await dispatch(jar, "a", { amount: 2 }, { id: "k1", digest: "d2" });
  assert.deepEqual(other, refuse("key.reused", "k1"));
  assert.deepEqual(await amounts(log, "a"), [1]);
});

test("[CORE-6] the answer waits for the projections", async () => {
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

test("[CORE-4] a log with no room is a refusal, a broken one a fault", async () => {
  await using log = openMemoryLog();
  const busy = { ok: false, reason: "busy" } as const;
  const full = dispatchTo({ ...methodsOf(log), append: () => Promise.resolve(busy) });
  assert.deepEqual(await full(jar, "a", { amount: 1 }), refuse("log.busy"));
  const broken = dispatchTo({ ...methodsOf(log), append: () => Promise.reject(new Error("disk")) });
  const away = { ok: false, reason: "unavailable" } as const;
  const remote = dispatchTo({ ...methodsOf(log), append: () => Promise.resolve(away) });
  assert.deepEqual(await remote(jar, "a", { amount: 1 }), refuse("log.unavailable"));
  await assert.rejects(broken(jar, "a", { amount: 1 }), /disk/);
  await assert.rejects(broken(jar, "a", { amount: 1 }), /disk/);
});

/** A log whose members can be replaced one by one. */
function methodsOf(log: Log): Log {
  return {
    epoch: log.epoch,
    head: log.head,
    snapshots: log.snapshots,
    trouble: log.trouble,
    stopped: log.stopped,
    append: log.append.bind(log),
    erase: log.erase.bind(log),
    findKey: log.findKey.bind(log),
    read: log.read.bind(log),
    tail: log.tail.bind(log),
    close: log.close.bind(log),
    [Symbol.asyncDispose]: () => log.close(),
  };
}

test("[NODE-71] while the log is away nobody waits behind what is under way, which is answered later", async () => {
  await using log = openMemoryLog();
  const gate = Promise.withResolvers<void>();
  const listeners: (() => void)[] = [];
  const trouble = {
    reason: undefined as string | undefined,
    onChange: (listener: () => void) => void listeners.push(listener),
  };
  const append: Log["append"] = async (...args) => {
    await gate.promise;
    return log.append(...args);
  };
  const { epoch } = log;
  const slow = { append, findKey: log.findKey.bind(log), read: log.read.bind(log), epoch };
  const clock = createTestTime();
  const dispatch = createDispatch({ log: slow, clock, settled: () => undefined, trouble });
  const first = dispatch(jar, "a", { amount: 1 });
  await new Promise(setImmediate);
  const second = dispatch(jar, "a", { amount: 2 });
  trouble.reason = "the servers are gone";
  for (const listener of listeners) listener();
  assert.deepEqual(await second, refuse("log.unavailable"));
  assert.deepEqual(await dispatch(jar, "a", { amount: 3 }), refuse("log.unavailable"));
  trouble.reason = undefined;
  for (const listener of listeners) listener();
  const last = dispatch(jar, "a", { amount: 4 });
  gate.resolve();
  assert.deepEqual([(await first).ok, (await last).ok], [true, true]);
  assert.deepEqual(await amounts(log, "a"), [1, 4]);
});
