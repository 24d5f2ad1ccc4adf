import assert from "node:assert/strict";
import { test } from "node:test";
import { createUpdateReader } from "./session-updates.ts";

test("[DIR-8] an ACP agent's plan tells what is at hand and how much is done", () => {
  const read = createUpdateReader({ called: () => [], returned: () => [] } as never);
  const entry = (content: string, status: "pending" | "in_progress" | "completed") =>
    ({ content, status, priority: "medium" }) as const;
  const entries = [entry("Look", "completed"), entry("Build it", "in_progress")];
  assert.deepEqual(read({ sessionUpdate: "plan", entries }), [
    { type: "progress", text: "Build it", percent: 50 },
  ]);
  assert.deepEqual(read({ sessionUpdate: "plan", entries: [] }), []);
});
