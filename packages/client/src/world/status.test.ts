import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { worldBackoffMs } from "../base/stream-backoff.ts";
import { next, type LinkEvent, type WorldStatus } from "./status.ts";

const lost = (code = 1006): LinkEvent => ({ type: "lost", code, reason: "", roll: 0.5 });
const run = (...events: readonly LinkEvent[]): WorldStatus =>
  events.reduce<WorldStatus>(next, { state: "idle" });
const start: LinkEvent = { type: "start" };
const caughtUp: LinkEvent = { type: "caught-up" };
const timer: LinkEvent = { type: "timer" };

test("[CLIENT-33] it waits 1, 2, 4 and then 8 seconds and up to half a second more", () => {
  const waits = [1, 2, 3, 4, 5, 99].map((attempt) => worldBackoffMs(attempt, 0));
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  assert.equal(worldBackoffMs(4, 1), 8_500);
  assert.equal(worldBackoffMs(1, 1), 1_000);
});

test("[CLIENT-33] losing the connection makes it stale with a retry count, which a new one ends", () => {
  const first = run(start, caughtUp, lost());
  assert.deepEqual(first, {
    state: "stale",
    retries: 1,
    delayMs: 1_000,
    reason: "the connection closed (1006)",
  });
  const second = [timer, lost()].reduce(next, first);
  assert.deepEqual(second.state === "stale" && [second.retries, second.delayMs], [2, 2_000]);
  assert.deepEqual([timer, caughtUp].reduce(next, second), { state: "connected" });
  const again = [timer, caughtUp, lost()].reduce(next, second);
  assert.equal(again.state === "stale" && again.retries, 1);
});

test("[CLIENT-33] it does not come back where the same would happen again, unless it is started", () => {
  for (const code of [4500, 4501, 4502, 1008]) {
    const failed = run(start, lost(code));
    assert.equal(failed.state, "failed");
    assert.deepEqual(next(failed, timer), failed);
    assert.deepEqual(next(failed, start), { state: "connecting" });
  }
  for (const code of [4000, 1006, 1012, 1013]) {
    assert.equal(run(start, lost(code)).state, "stale");
  }
});

test("[CLIENT-33] nothing leads out of stopped, and every happening has a next status in every status", () => {
  const event = fc.oneof(
    fc.constantFrom<LinkEvent>(start, caughtUp, timer, { type: "stop" }),
    fc.constantFrom(1000, 1006, 4000, 4501).map(lost),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const stopped = events.findIndex(({ type }) => type === "stop");
      const end = run(...events);
      if (stopped !== -1) assert.equal(end.state, "stopped");
      assert.ok(end.state !== "stale" || end.retries >= 1);
    }),
  );
});
