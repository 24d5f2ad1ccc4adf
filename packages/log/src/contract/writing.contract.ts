/** What appending promises: order, versions, chains, refusals. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AppendResult, Draft } from "../log.ts";
import {
  append,
  assertAscending,
  drafts,
  isFault,
  readAll,
  types,
  write,
  type OpenStep,
} from "./log-steps.ts";

export function describeWriting(open: OpenStep): void {
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

  test("[LOG-2] versions a stream by its own newest entry", async () => {
    await using log = await open();
    const first = await append(log, "desk", 0, drafts("a", "b"));
    assert.equal(first.position.seq, first.entries[1]?.seq);
    await append(log, "wall", 0, drafts("c"));
    await append(log, "desk", first.position.seq, drafts("d"));
  });

  test("[LOG-2] lets a writer append that expects any version", async () => {
    await using log = await open();
    await append(log, "desk", "any", drafts("a"));
    await append(log, "desk", "any", drafts("b"));
    assert.deepEqual(types(await readAll(log)), ["a", "b"]);
  });

  test("[LOG-4] shows an entry everywhere once its append has resolved", async () => {
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

  test("[LOG-5] writes in the order of the calls", async () => {
    await using log = await open();
    const names = Array.from({ length: 300 }, (_, n) => `n${n}`);
    await Promise.all(names.map((name) => write(log, `s${name.length}`, drafts(name))));
    assert.deepEqual(types(await readAll(log)), names);
  });

  test("[LOG-6] gives entries back as they were handed in", async () => {
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

  test("writes nothing when there are no drafts", async () => {
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

export function describeChains(open: OpenStep): void {
  const outcome = (appended: AppendResult): string => (appended.ok ? "written" : appended.reason);

  test("[LOG-3] writes what builds on appends that are still under way", async () => {
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

  test("[LOG-3] refuses everything behind an append that was refused", async () => {
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

  test("[LOG-3] refuses what follows another stream's append, or one that only repeated a key", async () => {
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

export function describeRefusals(open: OpenStep): void {
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

  test("[LOG-7] rejects what it cannot keep and goes on", async () => {
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
