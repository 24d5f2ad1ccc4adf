import assert from "node:assert/strict";
import { test } from "node:test";
import type { SignalEnvelope } from "@atrium/wire/signal";
import { addSignals, gistOf, NO_ROWS, type SignalRows } from "./signal-rows.ts";

let count = 0;
function signal(type: string, payload: object, more: Partial<SignalEnvelope> = {}): SignalEnvelope {
  count += 1;
  return {
    id: `s${count}`,
    type,
    timestamp: count,
    source: "test",
    correlationId: "run1",
    payload: { ...payload },
    ...more,
  };
}

const words = (
  content: string,
  agentId = "scout",
  more: Partial<SignalEnvelope> = {},
): SignalEnvelope => signal("text_delta", { agentId, content }, more);
const add = (rows: SignalRows, ...signals: readonly SignalEnvelope[]): SignalRows =>
  addSignals(
    rows,
    signals.map((each) => ({ signal: each, position: undefined })),
  );
const gists = ({ rows }: SignalRows): readonly string[] => rows.map((row) => gistOf(row.signal));

test("[PAGE-11] words that pass are one row that grows, for each agent and run", () => {
  const rows = add(
    NO_ROWS,
    words("Hel"),
    words("Other", "bird"),
    words("lo"),
    words("Two", "scout", { correlationId: "run2" }),
  );
  assert.deepEqual(gists(rows), ["Hello", "Other", "Two"]);
  assert.deepEqual(
    rows.rows.map(({ key }) => key),
    [1, 2, 3],
  );
});

test("[PAGE-11] what is kept of words takes their place, once", () => {
  const kept = words("Hello", "scout", { metadata: { kept: true } });
  const rows = add(
    NO_ROWS,
    words("Hel"),
    words("lo"),
    signal("token_usage", { agentId: "scout", promptTokens: 1, completionTokens: 2, cost: 0.5 }),
    kept,
  );
  assert.deepEqual(gists(rows), ["Hello", "1 + 2 · $0.5"]);
  const again = add(rows, words("Next"));
  assert.deepEqual(gists(again), ["Hello", "1 + 2 · $0.5", "Next"]);
});

test("[PAGE-11] only so many rows are held, the newest", () => {
  const many = Array.from({ length: 12 }, (_, n) => signal("note", { message: String(n) }));
  const heard = many.map((each) => ({ signal: each, position: "1.0" }));
  assert.deepEqual(gists(addSignals(NO_ROWS, heard, 3)), ["9", "10", "11"]);
});

test("[PAGE-11] a row says what a person looks for first", () => {
  assert.equal(
    gistOf(signal("agent_state_change", { agentId: "a", from: "idle", to: "done" })),
    "idle → done",
  );
  assert.equal(gistOf(signal("tool_call", { toolName: "search", agentId: "a" })), "search");
  assert.equal(gistOf(signal("own", { n: 1 })), '{"n":1}');
});
