import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog, type Entry, type Log } from "@atrium/log";
import { createTestTime } from "../testing/index.ts";
import { createCodec, EntryProblem } from "./codec.ts";
import { createDispatch, type Aggregate, type Dispatch } from "./dispatch.ts";
import { openProjections } from "./projection-runner.ts";
import type { Projection } from "./projection.ts";
import { Quarantine } from "./quarantine.ts";
import { accept, Fault } from "./refusal.ts";

interface Poured {
  readonly type: "poured";
  readonly milliliters: number;
  readonly what: string;
}

/** Version 1 said centiliters and had only water; version 2 said what it was. */
const glass: Aggregate<number, { readonly milliliters: number }, Poured> = {
  name: "glass",
  initial: 0,
  decide: (held, { milliliters }) =>
    accept([{ type: "poured", milliliters: held + milliliters, what: "tea" }]),
  evolve: (_held, { milliliters }) => milliliters,
  distrust: () => -1,
  ...createCodec<Poured>({
    poured: {
      version: 3,
      shape: { milliliters: "number", what: "string" },
      upcast: {
        1: ({ centiliters }) => ({ centiliters, what: "water" }),
        2: ({ centiliters, ...old }) => ({ ...old, milliliters: Number(centiliters) * 10 }),
      },
    },
  }),
};

const OLD = [
  { centiliters: 5 },
  { $version: 2, $event: { centiliters: 7, what: "milk" } },
  { $version: 3, $event: { milliliters: 90, what: "beer" } },
];
const NOW = [
  { type: "poured", milliliters: 50, what: "water" },
  { type: "poured", milliliters: 70, what: "milk" },
  { type: "poured", milliliters: 90, what: "beer" },
];

const createPourings = (folded: Poured[]): Projection => ({
  name: "pourings",
  version: 1,
  apply: (entry) => void folded.push(glass.read(entry)),
  save: () => null,
  load: () => undefined,
});

async function writeOld(log: Log, data: readonly unknown[] = OLD): Promise<void> {
  for (const each of data) {
    await log.append("glass/a", "any", [{ type: "poured", at: 1, data: each }]);
  }
}

function dispatchTo(log: Log): Dispatch {
  return createDispatch({ log, clock: createTestTime(), settled: () => undefined });
}

test("[CORE-9] entries of every older version fold as the present one: in projections, in dispatch and in history", async () => {
  await using log = openMemoryLog();
  await writeOld(log);
  const folded: Poured[] = [];
  await using projections = await openProjections(log, [createPourings(folded)], glass);
  assert.deepEqual(folded, NOW);
  assert.deepEqual((await Array.fromAsync(log.read())).map(glass.read), NOW);
  const next = await dispatchTo(log)(glass, "a", { milliliters: 1 });
  assert.ok(next.ok);
  assert.equal(next.value.events[0]?.milliliters, 91);
  await projections.settled(next.value.position.seq);
  assert.deepEqual(folded.at(-1), { type: "poured", milliliters: 91, what: "tea" });
});

test("[CORE-9] a version is written from the second on, around what the event says; the first is the data as it is", async () => {
  await using log = openMemoryLog();
  await dispatchTo(log)(glass, "a", { milliliters: 4 });
  const [entry] = await Array.fromAsync(log.read());
  const event = { milliliters: 4, what: "tea" };
  assert.deepEqual([entry?.type, entry?.data], ["poured", { $version: 3, $event: event }]);
  const first = createCodec<Poured>({
    poured: { version: 1, shape: { milliliters: "number", what: "string" } },
  });
  assert.deepEqual(first.write({ type: "poured", ...event }), event);
});

test("[CORE-10] an entry of a newer version is left out and named, also by a reader that never had a second one, and takes rights back", async () => {
  await using log = openMemoryLog();
  await writeOld(log, [...OLD, { $version: 4, $event: { milliliters: 1, what: "x" } }]);
  const newer = (await Array.fromAsync(log.read())).at(-1);
  assert.ok(newer);
  assert.match(glass.findProblem(newer)?.why ?? "", /version 4 is newer than 3/);
  assert.throws(() => glass.read(newer), Fault);
  const empty = createCodec<{ readonly type: "poured" }>({ poured: { version: 1, shape: {} } });
  assert.match(empty.findProblem(newer)?.why ?? "", /version 4 is newer than 1/);
  const first = createCodec<Poured>({
    poured: { version: 1, shape: { milliliters: "number", what: "string" } },
  });
  assert.match(first.findProblem(newer)?.why ?? "", /version 4 is newer than 1/);
  const reports: Fault[] = [];
  const quarantine = new Quarantine((fault) => reports.push(fault));
  const folded: Poured[] = [];
  await using _projections = await openProjections(log, [createPourings(folded)], {
    ...glass,
    quarantine,
  });
  assert.deepEqual(folded, NOW);
  assert.deepEqual([[...quarantine.unknown], [...quarantine.damaged]], [[["poured", 1]], []]);
  const next = await dispatchTo(log)(glass, "a", { milliliters: 1 });
  assert.ok(next.ok);
  assert.equal(next.value.events[0]?.milliliters, 0);
  assert.equal((await Array.fromAsync(log.read())).length, 5);
});

test("[CORE-10] entries of an unknown type are reported once per type, however many there are and whoever meets them", () => {
  const reports: Fault[] = [];
  const quarantine = new Quarantine((fault) => reports.push(fault));
  const entry: Entry = { seq: 1, stream: "glass/a", type: "poured", at: 1, data: {} };
  for (let seq = 1; seq <= 500; seq++) {
    const spilled = { ...entry, seq, type: "spilled" };
    for (const reader of ["all", "the stream glass"]) {
      quarantine.add(reader, spilled, glass.findProblem(spilled));
    }
  }
  assert.deepEqual([[...quarantine.unknown], [...quarantine.damaged]], [[["spilled", 500]], []]);
  assert.match(reports.map(String).join(), /^Fault: spilled: [^,]*$/);
  for (let seq = 501; seq <= 800; seq++) {
    const type = `spilled ${seq}`;
    quarantine.add("all", { ...entry, seq, type }, glass.findProblem({ ...entry, type }));
  }
  // A newer server does not know more types than this; more of them are noise.
  assert.equal(reports.length, 101);
  assert.equal(quarantine.unknown.get("other types"), 201);
});

test("[CORE-10] what cannot be lifted, or names a version that is none, is left out", () => {
  const entry: Entry = { seq: 1, stream: "glass/a", type: "poured", at: 1, data: {} };
  const lifting = createCodec<Poured>({
    poured: {
      version: 2,
      shape: { milliliters: "number", what: "string" },
      upcast: {
        1() {
          throw new Fault("not like this");
        },
      },
    },
  });
  assert.match(lifting.findProblem(entry)?.why ?? "", /version 1 could not be brought to 2/);
  const none = new EntryProblem("damaged", "its version is not a number");
  for (const $version of ["2", 0, 1.5, null, Number.NaN]) {
    const data = { $version, $event: { milliliters: 1, what: "x" } };
    assert.deepEqual(glass.findProblem({ ...entry, data }), none);
  }
  const data = { $version: 3, $event: [] };
  assert.equal(glass.findProblem({ ...entry, data })?.why, "its data is not an object");
  const named = { ...entry, data: { $version: 3, $event: { ...NOW[0], type: "spilled" } } };
  assert.equal(glass.read(named).type, "poured");
});

test("[CORE-9] an event type without a way up from an older version is a fault at the start", () => {
  const missing = { version: 3, shape: { milliliters: "number", what: "string" }, upcast: {} };
  const declare = () => createCodec<Poured>({ poured: missing as never });
  assert.throws(declare, (fault) => fault instanceof Fault && fault.context["from"] === 1);
});

test("[CORE-9] a repeated command is answered with what was stored, in the present version; where that cannot be read it fails alone", async () => {
  await using log = openMemoryLog();
  const key = { id: "k1", digest: "d" };
  await log.append("glass/a", "any", [{ type: "poured", at: 1, data: OLD[0] }], { key });
  const bad = { id: "k2", digest: "d" };
  await log.append("glass/a", "any", [{ type: "poured", at: 1, data: {} }], { key: bad });
  const dispatch = dispatchTo(log);
  const [again, broken, other] = await Promise.allSettled([
    dispatch(glass, "a", { milliliters: 1 }, key),
    dispatch(glass, "a", { milliliters: 1 }, bad),
    dispatch(glass, "a", { milliliters: 1 }),
  ]);
  assert.ok(again.status === "fulfilled" && again.value.ok && again.value.value.repeated);
  assert.deepEqual(again.value.value.events, [NOW[0]]);
  assert.ok(broken.status === "rejected" && broken.reason instanceof Fault);
  assert.ok(other.status === "fulfilled" && other.value.ok);
});
