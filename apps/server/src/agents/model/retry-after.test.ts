import assert from "node:assert/strict";
import { test } from "node:test";
import { retryAfterMs, waitBeforeRetry } from "./retry-after.ts";

test("[MODEL-4] the wait is read as seconds, milliseconds or a date", () => {
  const now = Date.UTC(2026, 0, 1, 12);
  const read = (headers: Record<string, string>): number | undefined => retryAfterMs(headers, now);
  assert.equal(read({ "retry-after": "7" }), 7_000);
  assert.equal(read({ "retry-after": "0.5" }), 500);
  assert.equal(read({ "retry-after": "7", "retry-after-ms": "250" }), 250);
  assert.equal(read({ "retry-after": "Thu, 01 Jan 2026 12:00:30 GMT" }), 30_000);
  assert.equal(read({ "retry-after": "Thu, 01 Jan 2026 11:00:00 GMT" }), 0);
  assert.equal(read({ "retry-after": "soon" }), undefined);
  assert.equal(read({}), undefined);
});

test("[MODEL-4] without a word from the server the waits grow, up to a minute", () => {
  const waits = [1, 2, 3, 4, 10].map((retry) => waitBeforeRetry(retry, undefined));
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 60_000]);
});
