import assert from "node:assert/strict";
import { test } from "node:test";
import type { Entry } from "@atrium/log";
import { createBlanking } from "./erase.ts";

const KEY = "agent:main:gone";
const OTHER = "agent:main:other";

function entry(seq: number, stream: string, type: string, data: object): Entry {
  return { seq, stream, type, at: seq, data };
}

function call(seq: number, id: string, origin: object): readonly Entry[] {
  return [
    entry(seq, `tool-call/${id}`, "tool-call.begun", { tool: "x", digest: "d", ...origin }),
    entry(seq + 1, `tool-call/${id}`, "tool-call.finished", { text: "said", isError: false }),
  ];
}

function invocation(seq: number, invokeId: string, origin: object): readonly Entry[] {
  const about = { invokeId, nodeId: "n1" };
  const outcome = { status: "done", payload: "said" };
  const stream = `invocation/${invokeId}`;
  return [
    entry(seq, stream, "invocation.requested", { ...about, command: "say", ...origin }),
    entry(seq + 1, stream, "invocation.settled", { ...about, outcome }),
  ];
}

/** The numbers of those whose words are gone. */
function blanked(entries: readonly Entry[], seq = 50): readonly number[] {
  const blanking = createBlanking([{ key: KEY, seq, isReset: false }]);
  return entries.flatMap((each) => {
    const rewrite = blanking.take(each);
    return rewrite === undefined || JSON.stringify(rewrite.data).includes("said") ? [] : [each.seq];
  });
}

test("[CORE-14] what a tool or a node gave back goes with the conversation it is of, and stays with another", () => {
  const mine = { conversationKey: KEY, mayQuote: false };
  const others = { conversationKey: OTHER, mayQuote: false };
  assert.deepEqual(blanked([...call(1, "a", mine), ...call(3, "b", others)]), [1, 2]);
  assert.deepEqual(blanked(call(1, "a", { ...others, mayQuote: true })), [1, 2]);
  assert.deepEqual(blanked(invocation(1, "a", { conversationKey: KEY })), [1, 2]);
  assert.deepEqual(blanked(invocation(1, "a", { conversationKey: OTHER })), []);
  assert.deepEqual(blanked(invocation(1, "a", { conversationKey: null })), []);
});

test("[CORE-14] what an earlier version kept without saying whose it is goes with the first that is deleted later", () => {
  assert.deepEqual(blanked([...call(1, "a", {}), ...invocation(3, "b", {})]), [1, 2, 3, 4]);
  assert.deepEqual(blanked([...call(60, "a", {}), ...invocation(70, "b", {})]), []);
});

test("[CORE-14] after a reset that erases, settings stay and words are gone; nothing that came later is touched", () => {
  const stream = `conversation/${KEY}`;
  const blanking = createBlanking([{ key: KEY, seq: 3, isReset: true }]);
  const label = entry(1, stream, "conversation.patched", { changes: { label: "Desk" } });
  const words = { messageId: "m", text: "said", label: null };
  assert.equal(blanking.take(label), undefined);
  const before = blanking.take(entry(2, stream, "message.injected", words));
  assert.deepEqual(before, { seq: 2, data: { ...words, text: "" } });
  assert.equal(blanking.take(entry(4, stream, "message.injected", words)), undefined);
  const compacted = { runId: "r", how: "hand-over", inputTokens: 9, results: 1, text: "said" };
  const made = blanking.take(entry(2, stream, "run.compacted", compacted));
  assert.deepEqual(made, { seq: 2, data: { ...compacted, text: "" } });
  const named = { runId: "r", runtime: "acp", session: "said" };
  const nameless = blanking.take(entry(2, stream, "run.session.named", named));
  assert.deepEqual(nameless, { seq: 2, data: { ...named, session: "" } });
  const about = { runId: "r", messageId: "m", callId: "c", name: "run", isError: false };
  const output = { digest: "said", bytes: 9 };
  const result = entry(2, stream, "run.tool.returned", {
    ...about,
    text: "said",
    output,
    tree: "t",
  });
  assert.deepEqual(blanking.take(result), { seq: 2, data: { ...about, text: "" } });
  const answered = { runId: "r", number: 1, digest: "said", bytes: 9 };
  const emptied = blanking.take(entry(2, stream, "run.calls.answered", answered));
  assert.deepEqual(emptied, { seq: 2, data: { ...answered, digest: "" } });
});
