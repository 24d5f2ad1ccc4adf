/** What keys promise. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { append, drafts, readAll, types, write, type OpenStep } from "./log-steps.ts";

export function describeKeys(open: OpenStep): void {
  const key = { id: "key-1", digest: "what was asked" };

  test("[LOG-9] answers a repeated key with what it did the first time", async () => {
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

  test("[LOG-10] refuses a key that stands for something else", async () => {
    await using log = await open();
    await append(log, "desk", 0, drafts("a"), key);
    const other = { key: { id: key.id, digest: "another question" } };
    const answer = await log.append("desk", "any", drafts("b"), other);
    assert.deepEqual(answer, { ok: false, reason: "key-reused" });
    assert.deepEqual(types(await readAll(log)), ["a"]);
  });

  test("[LOG-10] does not use up the key of a refused append", async () => {
    await using log = await open();
    const { position } = await write(log, "desk", drafts("a"));
    assert.equal((await log.append("desk", 0, drafts("b"), { key })).ok, false);
    assert.equal(await log.findKey(key.id), undefined);
    const second = await append(log, "desk", position.seq, drafts("b"), key);
    assert.equal(second.repeated, false);
  });

  test("[LOG-9] remembers a key that wrote nothing", async () => {
    await using log = await open();
    await write(log, "desk", drafts("a"));
    const first = await append(log, "desk", "any", [], key);
    await write(log, "desk", drafts("b"));
    assert.deepEqual(await append(log, "desk", "any", [], key), { ...first, repeated: true });
    const record = { digest: key.digest, seq: first.position.seq, entries: [] };
    assert.deepEqual(await log.findKey(key.id), record);
  });

  test("finds what a key did", async () => {
    await using log = await open();
    assert.equal(await log.findKey(key.id), undefined);
    const { entries, position } = await append(log, "desk", 0, drafts("a", "b"), key);
    await write(log, "desk", drafts("c"));
    const record = { digest: key.digest, seq: position.seq, entries };
    assert.deepEqual(await log.findKey(key.id), record);
  });

  test("[LOG-9] applies a key once when appends race with it", async () => {
    await using log = await open();
    const racers = Array.from({ length: 20 }, () => append(log, "desk", 0, drafts("a"), key));
    const answers = await Promise.all(racers);
    assert.equal(answers.filter((answer) => !answer.repeated).length, 1);
    for (const { entries } of answers) assert.deepEqual(entries, answers[0]?.entries);
    assert.deepEqual(types(await readAll(log)), ["a"]);
  });
}
