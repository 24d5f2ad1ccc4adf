/**
 * What every log must do. Each engine's test file calls this once.
 *
 * Assumes nothing an engine need not promise: numbers grow, but may leave gaps.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LogFault, type Appended, type Draft, type Entry, type Log } from "./log.ts";

type Open = () => Log | Promise<Log>;
type Written = Extract<Appended, { ok: true }>;

export function describeLog(name: string, open: Open): void {
  describe(`log contract: ${name}`, () => {
    describeWriting(open);
    describeChains(open);
    describeRefusals(open);
    describeKeys(open);
    describeReading(open);
    describeTail(open);
    describeRaces(open);
    describeLife(open);
  });
}

function describeWriting(open: Open): void {
  test("[LOG-1] numbers entries upwards and keeps the drafts of one append together", async () => {
    await using log = await open();
    const first = await write(log, "desk", drafts("a", "b"));
    const second = await write(log, "wall", drafts("c"));
    const third = await write(log, "desk", drafts("d", "e"));
    const all = await readAll(log);
    assert.deepEqual(types(all), ["a", "b", "c", "d", "e"]);
    assertAscending(all);
    assert.deepEqual(all, [...first.entries, ...second.entries, ...third.entries]);
  });

  test("[LOG-3] versions a stream by its own newest entry", async () => {
    await using log = await open();
    const first = await append(log, "desk", 0, drafts("a", "b"));
    assert.equal(first.position.seq, first.entries[1]?.seq);
    await append(log, "wall", 0, drafts("c"));
    await append(log, "desk", first.position.seq, drafts("d"));
  });

  test("[LOG-4] lets a writer append that expects any version", async () => {
    await using log = await open();
    await append(log, "desk", "any", drafts("a"));
    await append(log, "desk", "any", drafts("b"));
    assert.deepEqual(types(await readAll(log)), ["a", "b"]);
  });

  test("[LOG-5] shows an entry everywhere once its append has resolved", async () => {
    await using log = await open();
    assert.equal(log.head, 0);
    const key = { id: "k", digest: "d" };
    const { position, entries } = await append(log, "desk", 0, drafts("a"), key);
    assert.equal(position.epoch, log.epoch);
    assert.equal(log.head, position.seq);
    assert.deepEqual(await readAll(log), entries);
    assert.equal((await log.findKey("k"))?.seq, position.seq);
    for await (const batch of log.tail(0)) {
      assert.deepEqual(batch, entries);
      break;
    }
  });

  test("[LOG-6] writes in the order of the calls", async () => {
    await using log = await open();
    const names = Array.from({ length: 300 }, (_, n) => `n${n}`);
    await Promise.all(names.map((name) => write(log, `s${name.length}`, drafts(name))));
    assert.deepEqual(types(await readAll(log)), names);
  });

  test("[LOG-7] gives entries back as they were handed in", async () => {
    await using log = await open();
    const data = [
      null,
      "text with \u0000, \ud83d\ude00 and half a pair \ud83d",
      { nested: { list: [1, -2.5, 1e300, true, false, null, ""] }, "": {}, __proto__key: 1 },
      [],
      9_007_199_254_740_991,
      "long ".repeat(100_000),
    ];
    const written = data.map((value, n) => ({ type: `t\u{1f600}${n}`, at: n + 0.5, data: value }));
    const { entries } = await write(log, "desk / ünïcode: 机", written);
    const read = await readAll(log, { stream: "desk / ünïcode: 机" });
    assert.deepEqual(read, entries);
    assert.deepEqual(
      read.map(({ type, at, data: value }) => ({ type, at, data: value })),
      written,
    );
  });

  test("[LOG-9] writes nothing when there are no drafts", async () => {
    await using log = await open();
    const { position } = await write(log, "desk", drafts("a"));
    assert.deepEqual(await log.append("wall", 0, []), {
      ok: true,
      position,
      entries: [],
      repeated: false,
    });
    assert.equal((await log.append("wall", 7, [])).ok, false);
    assert.equal(log.head, position.seq);
  });
}

function describeChains(open: Open): void {
  const outcome = (appended: Appended): string => (appended.ok ? "written" : appended.reason);

  test("[LOG-27] writes what builds on appends that are still under way", async () => {
    await using log = await open();
    const chain = await Promise.all([
      log.append("desk", 0, drafts("a")),
      log.append("desk", "after-previous", drafts("b", "c")),
      log.append("desk", "after-previous", []),
      log.append("desk", "after-previous", drafts("d")),
    ]);
    assert.deepEqual(chain.map(outcome), ["written", "written", "written", "written"]);
    assert.deepEqual(types(await readAll(log)), ["a", "b", "c", "d"]);
  });

  test("[LOG-27] refuses everything behind an append that was refused", async () => {
    await using log = await open();
    await write(log, "desk", drafts("theirs"));
    const chain = await Promise.all([
      log.append("desk", 0, drafts("a")),
      log.append("desk", "after-previous", drafts("b")),
      log.append("desk", "after-previous", drafts("c")),
    ]);
    assert.deepEqual(chain.map(outcome), ["conflict", "conflict", "conflict"]);
    assert.deepEqual(types(await readAll(log)), ["theirs"]);
  });

  test("[LOG-27] refuses what follows another stream's append, or one that only repeated a key", async () => {
    await using log = await open();
    const key = { id: "k", digest: "d" };
    await log.append("desk", 0, drafts("once"), { key });
    const chain = await Promise.all([
      log.append("wall", 0, drafts("a")),
      log.append("desk", "after-previous", drafts("b")),
      log.append("desk", "any", drafts("once"), { key }),
      log.append("desk", "after-previous", drafts("c")),
    ]);
    assert.deepEqual(chain.map(outcome), ["written", "conflict", "written", "conflict"]);
    assert.deepEqual(types(await readAll(log)), ["once", "a"]);
  });
}

function describeRefusals(open: Open): void {
  test("[LOG-2] refuses a stale writer and tells it the head", async () => {
    await using log = await open();
    const { position } = await append(log, "desk", 0, drafts("a"));
    await write(log, "wall", drafts("b"));
    const refusal = { ok: false, reason: "conflict", head: position.seq };
    assert.deepEqual(await log.append("desk", 0, drafts("late", "later")), refusal);
    assert.deepEqual(await log.append("desk", log.head + 1, drafts("early")), refusal);
    assert.deepEqual(await log.append("new", 1, drafts("x")), { ...refusal, head: 0 });
    assert.deepEqual(types(await readAll(log)), ["a", "b"]);
  });

  test("[LOG-8] rejects what it cannot keep and goes on", async () => {
    await using log = await open();
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const good = { type: "t", at: 1, data: {} };
    const attempts: [string, number | "any", Draft[], { id: string; digest: string }?][] = [
      ["desk", "any", [good, { ...good, data: undefined }]],
      ["desk", "any", [{ ...good, data: () => 1 }]],
      ["desk", "any", [{ ...good, data: { big: 1n } }]],
      ["desk", "any", [{ ...good, data: cycle }]],
      ["desk", "any", [{ ...good, at: Number.NaN }]],
      ["desk", "any", [{ ...good, type: "" }]],
      ["desk", "any", [{ ...good, type: "half \ud83d" }]],
      ["", "any", [good]],
      ["nul\0", "any", [good]],
      ["desk", -1, [good]],
      ["desk", 0.5, [good]],
      ["desk", "any", [good], { id: "", digest: "d" }],
    ];
    const sound = write(log, "desk", drafts("before"));
    for (const [stream, expected, bad, key] of attempts) {
      const options = key === undefined ? {} : { key };
      await assert.rejects(log.append(stream, expected, bad, options), isFault("malformed"));
    }
    for (const [name, text] of [
      ["", "fine"],
      ["fine", "half \ud83d"],
    ] as const) {
      const saving = log.snapshots.save(name, { version: 1, seq: 1, text });
      await assert.rejects(saving, isFault("malformed"));
    }
    await sound;
    await write(log, "desk", drafts("after"));
    assert.deepEqual(types(await readAll(log)), ["before", "after"]);
  });
}

function describeKeys(open: Open): void {
  const key = { id: "key-1", digest: "what was asked" };

  test("[LOG-11] answers a repeated key with what it did the first time", async () => {
    await using log = await open();
    const first = await append(log, "desk", 0, drafts("a", "b"), key);
    await write(log, "desk", drafts("c"));
    assert.equal(first.repeated, false);
    for (const expected of [0, "any", 12_345] as const) {
      const again = await append(log, "desk", expected, drafts("a", "b"), key);
      assert.deepEqual(again, { ...first, repeated: true });
    }
    assert.deepEqual(types(await readAll(log)), ["a", "b", "c"]);
  });

  test("[LOG-12] refuses a key that stands for something else", async () => {
    await using log = await open();
    await append(log, "desk", 0, drafts("a"), key);
    const other = { key: { id: key.id, digest: "another question" } };
    const answer = await log.append("desk", "any", drafts("b"), other);
    assert.deepEqual(answer, { ok: false, reason: "key-reused" });
    assert.deepEqual(types(await readAll(log)), ["a"]);
  });

  test("[LOG-13] does not use up the key of a refused append", async () => {
    await using log = await open();
    const { position } = await write(log, "desk", drafts("a"));
    assert.equal((await log.append("desk", 0, drafts("b"), { key })).ok, false);
    assert.equal(await log.findKey(key.id), undefined);
    const second = await append(log, "desk", position.seq, drafts("b"), key);
    assert.equal(second.repeated, false);
  });

  test("[LOG-14] remembers a key that wrote nothing", async () => {
    await using log = await open();
    await write(log, "desk", drafts("a"));
    const first = await append(log, "desk", "any", [], key);
    await write(log, "desk", drafts("b"));
    assert.deepEqual(await append(log, "desk", "any", [], key), { ...first, repeated: true });
    const record = { digest: key.digest, seq: first.position.seq, entries: [] };
    assert.deepEqual(await log.findKey(key.id), record);
  });

  test("[LOG-15] finds what a key did", async () => {
    await using log = await open();
    assert.equal(await log.findKey(key.id), undefined);
    const { entries, position } = await append(log, "desk", 0, drafts("a", "b"), key);
    await write(log, "desk", drafts("c"));
    const record = { digest: key.digest, seq: position.seq, entries };
    assert.deepEqual(await log.findKey(key.id), record);
  });

  test("[LOG-16] applies a key once when appends race with it", async () => {
    await using log = await open();
    const racers = Array.from({ length: 20 }, () => append(log, "desk", 0, drafts("a"), key));
    const answers = await Promise.all(racers);
    assert.equal(answers.filter((answer) => !answer.repeated).length, 1);
    for (const { entries } of answers) assert.deepEqual(entries, answers[0]?.entries);
    assert.deepEqual(types(await readAll(log)), ["a"]);
  });
}

function describeReading(open: Open): void {
  test("[LOG-17] reads what the options leave, in order", async () => {
    await using log = await open();
    const all = await fill(log, 600);
    const [low, high] = [all[99]?.seq ?? 0, all[500]?.seq ?? 0];
    const even = all.filter(({ stream }) => stream === "even");
    assert.deepEqual(await readAll(log), all);
    assert.deepEqual(await readAll(log, { after: low }), all.slice(100));
    assert.deepEqual(await readAll(log, { before: high }), all.slice(0, 500));
    assert.deepEqual(await readAll(log, { after: low, before: high }), all.slice(100, 500));
    assert.deepEqual(await readAll(log, { limit: 7 }), all.slice(0, 7));
    assert.deepEqual(await readAll(log, { limit: 0 }), []);
    assert.deepEqual(await readAll(log, { limit: 550, after: low }), all.slice(100));
    assert.deepEqual(await readAll(log, { stream: "even" }), even);
    assert.deepEqual(await readAll(log, { stream: "even", limit: 270 }), even.slice(0, 270));
    assert.deepEqual(
      await readAll(log, { stream: "even", after: low, before: high }),
      even.filter(({ seq }) => seq > low && seq < high),
    );
    assert.deepEqual(await readAll(log, { stream: "none" }), []);
    assert.deepEqual(await readAll(log, { after: log.head }), []);
    assert.deepEqual(await readAll(log, { after: high, before: low }), []);
  });

  test("[LOG-18] reads backwards from the newest", async () => {
    await using log = await open();
    const all = await fill(log, 600);
    const [low, high] = [all[99]?.seq ?? 0, all[500]?.seq ?? 0];
    const odd = all.filter(({ stream }) => stream === "odd");
    const backwards = true;
    assert.deepEqual(await readAll(log, { backwards }), all.toReversed());
    assert.deepEqual(await readAll(log, { backwards, limit: 5 }), all.slice(-5).toReversed());
    assert.deepEqual(
      await readAll(log, { backwards, after: low, before: high, limit: 350 }),
      all.slice(150, 500).toReversed(),
    );
    assert.deepEqual(await readAll(log, { backwards, stream: "odd" }), odd.toReversed());
    assert.deepEqual(
      await readAll(log, { backwards, stream: "odd", limit: 2 }),
      odd.slice(-2).toReversed(),
    );
  });

  test("[LOG-19] ends a read at the head it found", async () => {
    await using log = await open();
    const all = await fill(log, 400);
    const seen: Entry[] = [];
    for await (const entry of log.read()) {
      seen.push(entry);
      await write(log, "even", drafts("more"));
    }
    assert.deepEqual(seen, all);
  });
}

function describeTail(open: Open): void {
  test("[LOG-20] follows writers from any point without gap or repeat", async () => {
    await using log = await open();
    await fill(log, 50);
    const total = 1050;
    const tails: Promise<Entry[]>[] = [follow(log, 0, total), follow(log, log.head, total)];
    const starts = [0, log.head];
    const writers = Array.from({ length: 5 }, async (_, writer) => {
      for (let n = 0; n < 200; n++) {
        await write(log, `writer ${writer}`, drafts(`${writer}.${n}`));
        if (n % 50 === writer) {
          starts.push(log.head);
          tails.push(follow(log, log.head, total));
        }
      }
    });
    await Promise.all(writers);
    const all = await readAll(log);
    assert.equal(all.length, total);
    for (const [index, seen] of (await Promise.all(tails)).entries()) {
      assert.deepEqual(
        seen,
        all.filter(({ seq }) => seq > (starts[index] ?? 0)),
      );
    }
  });

  test("[LOG-21] catches up from far behind while writers go on", async () => {
    await using log = await open();
    await fill(log, 12_000);
    const dawdler = log.tail(0)[Symbol.asyncIterator]();
    const seen = await nextBatch(dawdler);
    await fill(log, 12_000);
    const quick = follow(log, 0, 25_000);
    const late = fill(log, 1000);
    while (seen.length < 25_000) seen.push(...(await nextBatch(dawdler)));
    await late;
    await dawdler.return?.();
    const all = await readAll(log);
    assert.deepEqual(seqs(seen), seqs(all));
    assert.deepEqual(seqs(await quick), seqs(all));
    assertAscending(seen);
  });

  test("[LOG-22] ends a tail when its signal aborts", async () => {
    await using log = await open();
    await fill(log, 10);
    const leave = new AbortController();
    const seen = collect(log.tail(0, leave.signal), (entries) => {
      if (entries.length === 10) setImmediate(() => leave.abort());
    });
    assert.equal((await seen).length, 10);
    assert.deepEqual(await collect(log.tail(0, leave.signal)), []);
  });

  test("[LOG-22] ends every tail when the log closes", async () => {
    const log = await open();
    await fill(log, 10);
    const tails = [collect(log.tail(0)), collect(log.tail(log.head)), collect(log.tail(5))];
    await write(log, "even", drafts("last"));
    await log.close();
    await Promise.all(tails);
    assert.deepEqual(await collect(log.tail(0)), []);
  });
}

function describeRaces(open: Open): void {
  test("[LOG-10] lets every racing writer through in the end", async () => {
    await using log = await open();
    const conflicts = { count: 0 };
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 25; n++) await insist(log, "shared", `${writer}.${n}`, conflicts);
    });
    await Promise.all(writers);
    const all = types(await readAll(log, { stream: "shared" }));
    assert.equal(all.length, 200);
    assert.ok(conflicts.count > 0, "the writers never met");
    for (let writer = 0; writer < 8; writer++) {
      const own = all.filter((type) => type.startsWith(`${writer}.`));
      assert.deepEqual(
        own,
        Array.from({ length: 25 }, (_, n) => `${writer}.${n}`),
      );
    }
  });
}

function describeLife(open: Open): void {
  test("[LOG-23] keeps one snapshot per name", async () => {
    await using log = await open();
    assert.equal(await log.snapshots.load("board"), undefined);
    await log.snapshots.save("board", { version: 1, seq: 3, text: "old" });
    await log.snapshots.save("other", { version: 9, seq: 1, text: "" });
    const newer = { version: 2, seq: 5, text: "neü ".repeat(1000) };
    await log.snapshots.save("board", newer);
    assert.deepEqual(await log.snapshots.load("board"), newer);
    assert.deepEqual(await log.snapshots.load("other"), { version: 9, seq: 1, text: "" });
  });

  test("[LOG-24] finishes what it accepted before it closes", async () => {
    const log = await open();
    const answers = Array.from({ length: 50 }, (_, n) => write(log, "desk", drafts(`n${n}`)));
    await Promise.all([log.close(), log.close()]);
    const written = await Promise.all(answers);
    assertAscending(written.flatMap(({ entries }) => entries));
    assert.equal(await log.stopped, undefined);
    await log.close();
  });

  test("[LOG-25] refuses everything once it is closed", async () => {
    const log = await open();
    await write(log, "desk", drafts("a"));
    const closing = log.close();
    await assert.rejects(log.append("desk", "any", drafts("b")), isFault("closed"));
    await closing;
    const snapshot = { version: 1, seq: 1, text: "" };
    await assert.rejects(readAll(log), isFault("closed"));
    await assert.rejects(log.findKey("k"), isFault("closed"));
    await assert.rejects(log.snapshots.load("s"), isFault("closed"));
    await assert.rejects(log.snapshots.save("s", snapshot), isFault("closed"));
  });
}

function drafts(...names: string[]): Draft[] {
  return names.map((type) => ({ type, at: 1_700_000_000_000, data: { name: type } }));
}

async function append(log: Log, ...call: [...Parameters<Call>]): Promise<Written> {
  const [stream, expected, entries, key] = call;
  const options = key === undefined ? {} : { key };
  const answer = await log.append(stream, expected, entries, options);
  assert.ok(answer.ok, `refused: ${JSON.stringify(answer)}`);
  return answer;
}

type Call = (
  stream: string,
  expected: number | "any",
  entries: readonly Draft[],
  key?: { id: string; digest: string },
) => void;

function write(log: Log, stream: string, entries: readonly Draft[]): Promise<Written> {
  return append(log, stream, "any", entries);
}

/** So many entries, turn about in the streams `even` and `odd`. */
async function fill(log: Log, count: number): Promise<Entry[]> {
  const writes: Promise<Written>[] = [];
  for (let n = 0; n < count; n += 10) {
    const names = Array.from({ length: 10 }, (_, offset) => `n${n + offset}`);
    writes.push(write(log, (n / 10) % 2 === 0 ? "even" : "odd", drafts(...names)));
  }
  return (await Promise.all(writes)).flatMap(({ entries }) => entries);
}

/** Appends as a decider would: look at the stream, try, and look again after a conflict. */
async function insist(log: Log, stream: string, name: string, conflicts: { count: number }) {
  for (;;) {
    const [newest] = await readAll(log, { stream, backwards: true, limit: 1 });
    const answer = await log.append(stream, newest?.seq ?? 0, drafts(name));
    if (answer.ok) return;
    assert.equal(answer.reason, "conflict");
    conflicts.count++;
  }
}

function readAll(log: Log, options?: Parameters<Log["read"]>[0]): Promise<Entry[]> {
  return Array.fromAsync(log.read(options));
}

/** Follows until the log holds `total` entries and all of them were seen. */
async function follow(log: Log, after: number, total: number): Promise<Entry[]> {
  const before = (await readAll(log, { before: after + 1 })).length;
  const leave = new AbortController();
  return collect(log.tail(after, leave.signal), (entries) => {
    if (entries.length >= total - before) leave.abort();
  });
}

async function nextBatch(batches: AsyncIterator<readonly Entry[]>): Promise<Entry[]> {
  const next = await batches.next();
  return next.done === true ? [] : [...next.value];
}

async function collect(
  batches: AsyncIterable<readonly Entry[]>,
  watch?: (entries: readonly Entry[]) => void,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const batch of batches) {
    entries.push(...batch);
    watch?.(entries);
  }
  return entries;
}

const types = (entries: readonly Entry[]): string[] => entries.map(({ type }) => type);
const seqs = (entries: readonly Entry[]): number[] => entries.map(({ seq }) => seq);

function assertAscending(entries: readonly Entry[]): void {
  let last = 0;
  for (const { seq } of entries) {
    assert.ok(seq > last, `${seq} after ${last}`);
    last = seq;
  }
}

function isFault(code: LogFault["code"]): (error: unknown) => boolean {
  return (error) => error instanceof LogFault && error.code === code;
}
