import assert from "node:assert/strict";
import { test } from "node:test";
import { accept } from "../engine/refusal.ts";
import { findEventProblem } from "../stored-events/event-problem.ts";
import { given } from "../testing/index.ts";
import { cursor } from "./cursor.ts";

test("[CORE-55] a cursor moves forwards only, and a step that leads nowhere is not written", () => {
  const moved = { type: "cursor.moved", seq: 7 } as const;
  assert.deepEqual(given(cursor).when({ type: "move", seq: 7 }), accept([moved]));
  const at = given(cursor, moved);
  assert.deepEqual(at.when({ type: "move", seq: 7 }), accept([]));
  assert.deepEqual(at.when({ type: "move", seq: 6 }), accept([]));
  const entry = { seq: 9, stream: "cursor/x", type: moved.type, at: 1, data: cursor.write(moved) };
  assert.equal(findEventProblem(entry), undefined);
  assert.deepEqual(cursor.read(entry), moved);
});
