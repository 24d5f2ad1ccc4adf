import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog, type Entry, type Log, type Snapshot } from "@atrium/log";
import { openProjections } from "./projection-runner.ts";
import type { Projection } from "./projection.ts";
import { Quarantine } from "./quarantine.ts";
import { Fault } from "./refusal.ts";
import { writeSnapshot } from "./snapshot-text.ts";

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

test("[CORE-7] a projection from its snapshot equals one that folded everything", async () => {
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

/** What the runner saves is not what a test should have to know; its own line is taken from a real one. */
async function saveSnapshot(log: Log, snapshot: { version: number; seq: number }): Promise<void> {
  const witness = { ...createWitness(), seen: [99] };
  const { text } = writeSnapshot(witness, { epoch: log.epoch, seq: 1 });
  await log.snapshots.save("witness", { ...snapshot, text });
}

test("[CORE-7] a snapshot of another version, or from the future, is ignored", async () => {
  for (const snapshot of [
    { version: 1, seq: 1 },
    { version: 2, seq: 77 },
  ]) {
    await using log = openMemoryLog();
    await write(log, 2);
    await saveSnapshot(log, snapshot);
    const witness = createWitness(2);
    await using _running = await openProjections(log, [witness]);
    assert.deepEqual([witness.loaded, witness.seen], [false, [1, 2]]);
  }
});

test("[CORE-6] whoever waits for an entry goes on when it is folded and listeners have it, and not before", async () => {
  await using log = openMemoryLog();
  await write(log, 2);
  const witness = createWitness();
  await using running = await openProjections(log, [witness]);
  const events: string[] = [];
  running.onBatch((entries) => {
    for (const { seq } of entries) events.push(`told ${seq}`);
  });
  const waiters = [5, 3, 4, 3].map(async (seq) => {
    await running.settled(seq);
    events.push(`settled ${seq}`);
    assert.ok(witness.seen.includes(seq));
  });
  assert.equal(running.settled(2), undefined);
  await write(log, 1);
  await Promise.all([waiters[1], waiters[3]]);
  assert.deepEqual(events, ["told 3", "settled 3", "settled 3"]);
  await write(log, 2);
  await Promise.all(waiters);
  assert.deepEqual(events.slice(3), ["told 4", "told 5", "settled 4", "settled 5"]);
  assert.deepEqual(witness.seen, [1, 2, 3, 4, 5]);
});

test("[CORE-6] listeners see live entries once, in order, and folded", async () => {
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

test("[CORE-7] a snapshot that cannot be trusted is discarded, the log is folded, and one report names it", async () => {
  const damages: Record<string, (snapshot: Snapshot, epoch: string) => Partial<Snapshot>> = {
    "cut off": ({ text }) => ({ text: text.slice(0, -3) }),
    empty: () => ({ text: "" }),
    "no JSON": ({ text }) => ({ text: text.replace("[1,2]", "[1,2") }),
    "one digit changed": ({ text }) => ({ text: text.replace("[1,2]", "[1,7]") }),
    "of a version before": () => ({ text: "[1,2]" }),
    "of another log": ({ text }, epoch) => ({ text: text.replace(epoch, "elsewhere") }),
    "from the future": () => ({ seq: 77 }),
    "from nowhere": () => ({ seq: -1 }),
    "not a number": () => ({ seq: Number.NaN }),
  };
  for (const [name, damage] of Object.entries(damages)) {
    await using log = openMemoryLog();
    await write(log, 2);
    await (await openProjections(log, [createWitness()])).close();
    const snapshot = await log.snapshots.load("witness");
    assert.ok(snapshot);
    const damaged = { ...snapshot, ...damage(snapshot, log.epoch) };
    const { reports, report } = collectReports();
    const witness = createWitness();
    // Past the checks of `save`: damage does not ask.
    const snapshots = { ...log.snapshots, load: async () => damaged };
    const opened = { ...pick(log), snapshots };
    await using _running = await openProjections(opened, [witness], { report });
    assert.deepEqual([witness.loaded, witness.seen], [false, [1, 2]], name);
    assert.equal(reports.length, 1, name);
    assert.match(reports[0]?.message ?? "", /made again from the log: witness: it is /, name);
  }
});

test("[CORE-7] a load that throws half-way leaves the projection as it was", async () => {
  await using log = openMemoryLog();
  await write(log, 2);
  await (await openProjections(log, [createWitness()])).close();
  const { reports, report } = collectReports();
  let isFirst = true;
  const fragile = {
    ...createWitness(),
    load(this: { seen: number[] }, saved: unknown) {
      this.seen = [...(saved as number[])];
      if (isFirst) {
        isFirst = false;
        throw new TypeError("not like that");
      }
    },
  };
  await using _running = await openProjections(log, [fragile], { report });
  assert.deepEqual(fragile.seen, [1, 2]);
  assert.match(reports[0]?.message ?? "", /witness: it cannot be read \(not like that\)/);
});

test("[CORE-7] a snapshot that cannot be saved is reported and stops nothing", async () => {
  await using log = openMemoryLog();
  const { reports, report } = collectReports();
  const save = () => Promise.reject(new Fault("no room"));
  const full = { ...pick(log), snapshots: { ...log.snapshots, save } };
  const running = await openProjections(full, [createWitness()], { report });
  await running.settled(await write(log, 1));
  await running.close();
  assert.match(reports[0]?.message ?? "", /could not be saved/);
});

/** Cannot take what it is told not to, and remembers what it distrusts. */
function createPicky(isBad: (entry: Entry) => boolean): Projection & {
  seen: number[];
  distrusted: number[];
} {
  const witness = createWitness();
  const seen: number[] = [];
  const distrusted: number[] = [];
  return {
    ...witness,
    name: "picky",
    seen,
    distrusted,
    apply(entry) {
      if (isBad(entry)) throw new TypeError("cannot read");
      seen.push(entry.seq);
    },
    distrust: (entry) => void distrusted.push(entry.seq),
    save: () => seen,
    load: (saved) => void seen.splice(0, Infinity, ...(saved as number[])),
  };
}

test("[CORE-8] an entry that cannot be folded is left out, live and after a restart, and told to nobody", async () => {
  await using log = openMemoryLog();
  await write(log, 1);
  await (await openProjections(log, [createPicky(() => false), createWitness()])).close();
  const isBad = ({ seq }: Entry): boolean => seq === 2 || seq === 4;
  for (const life of ["live", "replayed", "once more"]) {
    const picky = createPicky(isBad);
    const witness = createWitness();
    const { reports, report } = collectReports();
    const quarantine = new Quarantine(report);
    const running = await openProjections(log, [picky, witness], { quarantine, report });
    const told: number[] = [];
    running.onBatch((batch) => told.push(...batch.map(({ seq }) => seq)));
    if (life === "live") await running.settled(await write(log, 4));
    assert.deepEqual(
      [picky.seen, witness.seen],
      [
        [1, 3, 5],
        [1, 2, 3, 4, 5],
      ],
      life,
    );
    assert.deepEqual(picky.distrusted, [2, 4], life);
    assert.deepEqual([...quarantine.damaged], [["picky", 2]], life);
    assert.deepEqual(
      reports.map(({ context }) => context),
      [2, 4].map((seq) => ({ reader: "picky", stream: "s", type: "x", seq })),
      life,
    );
    assert.deepEqual(told, life === "live" ? [3, 5] : [], life);
    await running.close();
  }
});

test("[CORE-8] what a projection left out it folds once it can", async () => {
  await using log = openMemoryLog();
  await write(log, 3);
  await (await openProjections(log, [createPicky(({ seq }) => seq === 2)])).close();
  const newer = createPicky(() => false);
  await using _running = await openProjections(log, [newer]);
  assert.deepEqual(newer.seen, [1, 2, 3]);
});

test("[CORE-8] many such entries are all counted and not all reported", async () => {
  await using log = openMemoryLog();
  await write(log, 500);
  const { reports, report } = collectReports();
  const quarantine = new Quarantine(report);
  await using _running = await openProjections(log, [createPicky(() => true)], { quarantine });
  assert.deepEqual([...quarantine.damaged], [["picky", 500]]);
  assert.equal(reports.length, 100);
  assert.match(reports.at(-1)?.message ?? "", /further ones are counted/);
});

test("[CORE-8] a listener that throws misses that batch; the others get it, and it gets the next", async () => {
  await using log = openMemoryLog();
  const { reports, report } = collectReports();
  await using running = await openProjections(log, [createWitness()], { report });
  const heard: string[] = [];
  const hear = (name: string) => (batch: readonly Entry[]) => {
    if (name === "b" && batch.some(({ seq }) => seq === 1)) throw new TypeError("not this one");
    for (const { seq } of batch) heard.push(`${name}${seq}`);
  };
  for (const name of ["a", "b", "c"]) running.onBatch(hear(name), name);
  await running.settled(await write(log, 1));
  await running.settled(await write(log, 1));
  assert.deepEqual(heard, ["a1", "c1", "a2", "b2", "c2"]);
  assert.deepEqual([...running.listenerFaults], [["b", 1]]);
  assert.deepEqual(reports[0]?.context, { listener: "b", from: 1, to: 1 });
});

test("when the log can be read no further, whoever waits is told, then and later", async () => {
  await using log = openMemoryLog();
  const broken = Promise.withResolvers<never>();
  const unreadable = {
    ...pick(log),
    async *tail() {
      yield await broken.promise;
    },
  };
  const running = await openProjections(unreadable, [createWitness()]);
  const waiting = running.settled(1);
  broken.reject(new Fault("the disk is gone"));
  await assert.rejects(Promise.resolve(waiting), /the disk is gone/);
  await assert.rejects(running.stopped, /the disk is gone/);
  await assert.rejects(Promise.resolve(running.settled(1)), /the disk is gone/);
});

test("whoever waits when it is closed is told", async () => {
  await using log = openMemoryLog();
  const running = await openProjections(log, [createWitness()]);
  const waiting = running.settled(1);
  await Promise.all([running.close(), assert.rejects(Promise.resolve(waiting), /have stopped/)]);
});

function collectReports(): { reports: Fault[]; report: (fault: Fault) => void } {
  const reports: Fault[] = [];
  return { reports, report: (fault) => void reports.push(fault) };
}

/** The log's methods, bound: they are its class's. */
function pick(log: Log): Pick<Log, "tail" | "read" | "head" | "epoch" | "snapshots"> {
  return {
    get head() {
      return log.head;
    },
    epoch: log.epoch,
    snapshots: log.snapshots,
    read: (options) => log.read(options),
    tail: (after, signal) => log.tail(after, signal),
  };
}

test("[CORE-14] folded anew, projections know what entries say now; what is appended meanwhile is neither lost nor taken twice", async () => {
  await using log = openMemoryLog();
  const createReader = (): Projection & { told: unknown[] } => ({
    name: "reader",
    version: 1,
    told: [],
    apply(entry) {
      this.told.push(entry.data);
    },
    save() {
      return this.told;
    },
    load(saved) {
      this.told = [...(saved as unknown[])];
    },
  });
  const reader = createReader();
  await using projections = await openProjections(log, [reader], {
    createFresh: () => [createReader()],
  });
  const tell = async (text: string): Promise<number> => {
    const done = await log.append("s", "any", [{ type: "x", at: 1, data: { text } }]);
    assert.ok(done.ok);
    return done.position.seq;
  };
  for (let n = 0; n < 600; n++) await tell(`secret ${n}`);
  await projections.settled(600);
  await log.erase(Array.from({ length: 600 }, (_, n) => ({ seq: n + 1, data: { text: "" } })));
  const late = Array.from({ length: 100 }, (_, n) => tell(`late ${n}`));
  await Promise.all([projections.refold(), ...late]);
  await projections.settled(700);
  const texts = reader.told.map((data) => (data as { text: string }).text);
  assert.deepEqual(texts, [
    ...Array.from({ length: 600 }, () => ""),
    ...Array.from({ length: 100 }, (_, n) => `late ${n}`),
  ]);
});
