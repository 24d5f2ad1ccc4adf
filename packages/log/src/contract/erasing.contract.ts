/** What holds when entries are made to say something else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NOTHING_SAVED } from "../log.ts";
import { isFault, readAll, type OpenStep } from "./log-steps.ts";

const SECRET = { text: "the secret" };

export function describeErasing(open: OpenStep): void {
  test("[LOG-16] replaces what entries say, and nothing else of them", async () => {
    await using log = await open();
    const key = { id: "k", digest: "d" };
    const told = { type: "told", at: 1, data: SECRET };
    const other = { type: "other", at: 3, data: { kept: true } };
    await log.append("desk", 0, [told, { ...told, at: 2 }], { key });
    await log.append("wall", 0, [other]);
    const before = await readAll(log);
    const [first] = before;
    assert.ok(first !== undefined);
    await log.erase([
      { seq: first.seq, data: { text: "" } },
      { seq: 999_999, data: null },
    ]);
    const expected = before.map((entry) =>
      entry.seq === first.seq ? { ...entry, data: { text: "" } } : entry,
    );
    assert.deepEqual(await readAll(log), expected);
    assert.deepEqual((await readAll(log, { stream: "desk" }))[0], expected[0]);
    assert.deepEqual((await log.findKey("k"))?.entries[0], expected[0]);
    for await (const batch of log.tail(0)) {
      assert.deepEqual(batch[0], expected[0]);
      break;
    }
    const again = await log.append("desk", 0, [told], { key });
    assert.ok(again.ok && again.repeated);
    assert.deepEqual(again.entries[0], expected[0]);
    const next = await log.append("desk", "any", [told]);
    assert.ok(next.ok && next.position.seq > (before.at(-1)?.seq ?? 0));
  });

  test("[LOG-16] every snapshot goes with it, and may be saved anew", async () => {
    await using log = await open();
    await log.append("desk", 0, [{ type: "told", at: 1, data: SECRET }]);
    const snapshot = { version: 1, seq: 1, text: "the secret" };
    await log.snapshots.save("board", snapshot);
    await log.erase([{ seq: 1, data: {} }]);
    assert.equal(await log.snapshots.load("board"), undefined);
    await log.snapshots.save("board", { ...snapshot, text: "" });
    assert.equal((await log.snapshots.load("board"))?.text, "");
  });

  test("[LOG-16] a snapshot that keeps a position alone stays", async () => {
    await using log = await open();
    await log.append("desk", 0, [{ type: "told", at: 1, data: SECRET }]);
    const cursor = { version: 1, seq: 1, text: NOTHING_SAVED };
    await log.snapshots.save("reactor", cursor);
    await log.erase([{ seq: 1, data: {} }]);
    assert.deepEqual(await log.snapshots.load("reactor"), cursor);
  });

  test("[LOG-16] what is no JSON is refused, and then nothing is erased", async () => {
    await using log = await open();
    await log.append("desk", 0, [{ type: "told", at: 1, data: SECRET }]);
    const both = [
      { seq: 1, data: {} },
      { seq: 1, data: undefined },
    ];
    await assert.rejects(log.erase(both), isFault("malformed"));
    assert.deepEqual((await readAll(log))[0]?.data, SECRET);
  });
}
