import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { systemTimers } from "../../platform/timers.ts";
import { watchReader } from "./watch-reader.ts";

async function* endless(onEnd: () => void): AsyncGenerator<Buffer, void> {
  try {
    for (;;) yield Buffer.from("x");
  } finally {
    onEnd();
  }
}

test("[CLONE-5] a reader that stops, or never starts, is given up once", async () => {
  for (const reads of [0, 1, 3]) {
    const ends: string[] = [];
    const bytes = endless(() => ends.push("bytes"));
    const onEnd = (): void => void ends.push("watch");
    const watched = watchReader(bytes, { timers: systemTimers, silenceMs: 20, onEnd });
    const iterator = watched[Symbol.asyncIterator]();
    for (let n = 0; n < reads; n++) assert.equal((await iterator.next()).done, false);
    await setTimeout(100);
    assert.deepEqual(ends, reads === 0 ? ["watch"] : ["bytes", "watch"]);
    await assert.rejects(iterator.next(), /nobody read on/);
    await iterator.return?.();
    assert.equal(ends.filter((each) => each === "watch").length, 1);
  }
});
