/** What holds when writers race, and from opening to closing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertAscending,
  drafts,
  insist,
  isFault,
  readAll,
  types,
  write,
  type OpenStep,
} from "./log-steps.ts";

export function describeRaces(open: OpenStep): void {
  test("[LOG-8] lets every racing writer through in the end", async () => {
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

export function describeLife(open: OpenStep): void {
  test("[LOG-20] keeps one snapshot per name", async () => {
    await using log = await open();
    assert.equal(await log.snapshots.load("board"), undefined);
    await log.snapshots.save("board", { version: 1, seq: 3, text: "old" });
    await log.snapshots.save("other", { version: 9, seq: 1, text: "" });
    const newer = { version: 2, seq: 5, text: "neü ".repeat(1000) };
    await log.snapshots.save("board", newer);
    assert.deepEqual(await log.snapshots.load("board"), newer);
    assert.deepEqual(await log.snapshots.load("other"), { version: 9, seq: 1, text: "" });
  });

  test("[LOG-18] finishes what it accepted before it closes", async () => {
    const log = await open();
    const answers = Array.from({ length: 50 }, (_, n) => write(log, "desk", drafts(`n${n}`)));
    await Promise.all([log.close(), log.close()]);
    const written = await Promise.all(answers);
    assertAscending(written.flatMap(({ entries }) => entries));
    assert.equal(await log.stopped, undefined);
    await log.close();
  });

  test("[LOG-18] refuses everything once it is closed", async () => {
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
