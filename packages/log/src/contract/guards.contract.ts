/** What guards promise. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Guard, Log } from "../log.ts";
import { drafts, isFault, readAll, types, write, type OpenStep } from "./log-steps.ts";

const LEASE = "lease/desk";

async function grant(log: Log): Promise<Guard> {
  const { position } = await write(log, LEASE, drafts("granted"));
  return { stream: LEASE, version: position.seq };
}

export function describeGuards(open: OpenStep): void {
  test("[LOG-29] writes while the guard's stream is where the writer believes it to be", async () => {
    await using log = await open();
    const absent = { stream: LEASE, version: 0 };
    assert.equal((await log.append("desk", 0, drafts("a"), { guard: absent })).ok, true);
    const guard = await grant(log);
    assert.equal((await log.append("desk", "any", drafts("b"), { guard })).ok, true);
    assert.deepEqual(types(await readAll(log, { stream: "desk" })), ["a", "b"]);
  });

  test("[LOG-29] refuses what comes under an earlier version of the guard, and what builds on it", async () => {
    await using log = await open();
    const guard = await grant(log);
    const { version: head } = await grant(log);
    const key = { id: "k", digest: "d" };
    const results = await Promise.all([
      log.append("desk", "any", drafts("a"), { guard, key }),
      log.append("desk", "after-previous", drafts("b")),
      log.append("desk", 77, drafts("c"), { guard }),
      log.append("desk", "any", drafts("d"), { guard: { stream: LEASE, version: head } }),
    ]);
    const fenced = { ok: false, reason: "fenced", head };
    const conflict = { ok: false, reason: "conflict", head: 0 };
    assert.deepEqual(results.slice(0, 3), [fenced, conflict, fenced]);
    assert.deepEqual(types(await readAll(log, { stream: "desk" })), ["d"]);
    assert.equal(await log.findKey("k"), undefined);
  });

  test("[LOG-29] answers a repeated key as the first time after its guard has moved on", async () => {
    await using log = await open();
    const guard = await grant(log);
    const key = { id: "k", digest: "d" };
    const first = await log.append("desk", "any", drafts("a"), { guard, key });
    await grant(log);
    assert.ok(first.ok);
    const again = await log.append("desk", "any", drafts("a"), { guard, key });
    assert.deepEqual(again, { ...first, repeated: true });
  });

  test("[LOG-29] a guard may be the stream itself, and sees what is written in the same breath", async () => {
    await using log = await open();
    const guard = { stream: "desk", version: 0 };
    const answers = await Promise.all(
      ["a", "b"].map((name) => log.append("desk", "any", drafts(name), { guard })),
    );
    assert.deepEqual(
      answers.map(({ ok }) => ok),
      [true, false],
    );
  });

  test("[LOG-29] erases while the guard's stream is where the writer believes it to be, and else nothing", async () => {
    await using log = await open();
    const { position } = await write(log, "desk", drafts("a", "b"));
    const snapshot = { version: 1, seq: position.seq, text: "a and b" };
    await log.snapshots.save("board", snapshot);
    const former = await grant(log);
    const guard = await grant(log);
    const before = await readAll(log);
    const rewrites = before.slice(0, 2).map(({ seq }) => ({ seq, data: {} }));
    const fenced = { ok: false, reason: "fenced", head: guard.version };
    assert.deepEqual(await log.erase(rewrites, { guard: former }), fenced);
    const early = { stream: LEASE, version: guard.version + 1 };
    assert.deepEqual(await log.erase(rewrites, { guard: early }), fenced);
    const absent = { stream: "lease/other", version: 1 };
    assert.deepEqual(await log.erase(rewrites, { guard: absent }), { ...fenced, head: 0 });
    assert.deepEqual(await readAll(log), before);
    assert.deepEqual(await log.snapshots.load("board"), snapshot);
    assert.deepEqual(await log.erase(rewrites, { guard }), { ok: true });
    const data = (await readAll(log, { stream: "desk" })).map((entry) => entry.data);
    assert.deepEqual(data, [{}, {}]);
    assert.equal(await log.snapshots.load("board"), undefined);
  });

  test("[LOG-7] a guard that could never be met throws and leaves the log usable", async () => {
    await using log = await open();
    for (const guard of [
      { stream: "", version: 0 },
      { stream: "a\0b", version: 0 },
      { stream: LEASE, version: -1 },
      { stream: LEASE, version: Number.NaN },
    ]) {
      await assert.rejects(log.append("desk", "any", drafts("a"), { guard }), isFault("malformed"));
      await assert.rejects(log.erase([{ seq: 1, data: {} }], { guard }), isFault("malformed"));
    }
    await write(log, "desk", drafts("b"));
  });
}
