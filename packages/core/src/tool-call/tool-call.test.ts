import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog } from "@atrium/log";
import { createDispatch } from "../engine/dispatch.ts";
import { accept, refuse } from "../engine/refusal.ts";
import { createTestTime, given } from "../testing/index.ts";
import { createReadToolCall, toolCall, type ToolCallEvent } from "./tool-call.ts";

const origin = { conversationKey: "agent:main:main", mayQuote: false };
const begin = { type: "begin", tool: "now", digest: "d1", ...origin } as const;
const finish = { type: "finish", text: "noon", isError: false } as const;
const begun: ToolCallEvent = { ...begin, type: "tool-call.begun" };
const finished: ToolCallEvent = { type: "tool-call.finished", text: "noon", isError: false };

test("[GWHTTP-2] a call is begun once, and finished once", () => {
  assert.deepEqual(given(toolCall).when(begin), accept([begun]));
  assert.deepEqual(given(toolCall, begun).when(begin), accept([]));
  assert.deepEqual(given(toolCall, begun).when(finish), accept([finished]));
  assert.deepEqual(given(toolCall, begun, finished).when(begin), accept([]));
  const later = { ...finish, text: "later" };
  assert.deepEqual(given(toolCall, begun, finished).when(later), accept([]));
  assert.deepEqual(given(toolCall).when(finish), accept([]));
});

test("[GWHTTP-2] the same key for another call is refused", () => {
  const other = { ...begin, digest: "d2" };
  assert.deepEqual(given(toolCall, begun).when(other), refuse("key.reused", "now"));
  assert.deepEqual(given(toolCall, begun, finished).when(other), refuse("key.reused", "now"));
});

test("[GWHTTP-2] how far a call came is read from the log", async () => {
  await using log = openMemoryLog();
  const dispatch = createDispatch({ log, clock: createTestTime(), settled: () => undefined });
  const read = createReadToolCall(log);
  assert.deepEqual(await read("k1"), { state: "absent" });
  await dispatch(toolCall, "k1", begin);
  assert.deepEqual(await read("k1"), { state: "begun", digest: "d1" });
  await dispatch(toolCall, "k1", finish);
  const { type: _, ...result } = finish;
  assert.deepEqual(await read("k1"), { state: "finished", digest: "d1", ...result });
});
