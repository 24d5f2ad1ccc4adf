import assert from "node:assert/strict";
import { test } from "node:test";
import { tabulate } from "./fault-times.ts";

test("times are summed up by fault, with those above the goal", () => {
  const kill = [1_000, 4_000, 2_000].map((ms) => ({ fault: "kill", ms, goalMs: 3_000 }));
  const rows = tabulate([...kill, { fault: "stop", ms: 12_000, goalMs: 12_000 }]).split("\n");
  assert.deepEqual(rows.slice(2), [
    "| kill | 3 | 2.0 s | 4.0 s | 3.0 s | 1 |",
    "| stop | 1 | 12.0 s | 12.0 s | 12.0 s | 0 |",
  ]);
});
