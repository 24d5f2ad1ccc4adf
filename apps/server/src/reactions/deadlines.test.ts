import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { accept, refuse, type Outcome } from "@atrium/core";
import { createTestTime } from "@atrium/core/testing";
import { createDeadlines } from "./deadlines.ts";

test("an ending that finds the log busy is tried again until it is written or cleared", async () => {
  const time = createTestTime();
  const deadlines = createDeadlines({ ...time, report: (name) => assert.fail(name) });
  let attempts = 0;
  let answer: Outcome<unknown> = refuse("log.busy");
  const end = (): Promise<Outcome<unknown>> => {
    attempts += 1;
    return Promise.resolve(answer);
  };
  const pass = async (ms: number): Promise<void> => {
    time.advance(ms);
    await setImmediate();
  };
  deadlines.set("one", time.now() + 10, end);
  await pass(10);
  await pass(50);
  assert.equal(attempts, 2);
  answer = accept(undefined);
  await pass(100);
  assert.equal(attempts, 3);
  assert.equal(time.pending, 0);

  answer = refuse("log.busy");
  deadlines.set("two", time.now(), end);
  await pass(0);
  assert.equal(attempts, 4);
  deadlines.clear("two");
  await pass(60_000);
  assert.equal(attempts, 4);
  assert.equal(time.pending, 0);
});
