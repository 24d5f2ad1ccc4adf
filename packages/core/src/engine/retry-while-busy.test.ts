import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse, type Outcome } from "./refusal.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

const BUSY = refuse("log.busy");

/** Answers in turn; the last answer is given from then on. */
function answering(...answers: Outcome<string>[]): () => Promise<Outcome<string>> {
  let last: Outcome<string> = BUSY;
  return () => Promise.resolve((last = answers.shift() ?? last));
}

test("a busy log is tried again, after 50 ms and then twice as long, up to a second", async () => {
  const waits: number[] = [];
  const sleep = (ms: number): Promise<void> => {
    waits.push(ms);
    return Promise.resolve();
  };
  const { signal } = new AbortController();
  const attempt = answering(BUSY, BUSY, BUSY, refuse("log.contended"), BUSY, BUSY, accept("done"));
  assert.deepEqual(await retryWhileBusy(attempt, { sleep, signal }), accept("done"));
  assert.deepEqual(waits, [50, 100, 200, 400, 800, 1_000]);
  waits.length = 0;
  const missing = refuse("run.missing");
  assert.deepEqual(await retryWhileBusy(answering(missing), { sleep, signal }), missing);
  assert.deepEqual(waits, []);
});

test("the signal ends it with the last refusal; a sleep that breaks by itself is no such end", async () => {
  const ending = new AbortController();
  const sleep = (): Promise<void> => {
    ending.abort();
    return Promise.reject(new Error("aborted"));
  };
  const { signal } = ending;
  assert.deepEqual(await retryWhileBusy(answering(BUSY), { sleep, signal }), BUSY);
  const broken = (): Promise<void> => Promise.reject(new Error("broken"));
  const alive = new AbortController().signal;
  await assert.rejects(retryWhileBusy(answering(BUSY), { sleep: broken, signal: alive }), /broken/);
});
