import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "@atrium/wire/gateway";
import { answeredRuns, joinMessages, linesOf, stoppedLast } from "./transcript.ts";

function said(
  id: string,
  role: ChatMessage["role"],
  text: string,
  more: Partial<ChatMessage> = {},
): ChatMessage {
  return {
    role,
    content: [{ type: "text", text }],
    timestamp: 1,
    __openclaw: { id, recordTimestampMs: 1 },
    ...more,
  };
}

const ids = (messages: readonly ChatMessage[]): readonly unknown[] =>
  messages.map((message) => message.__openclaw?.id);

test("[PAGE-5] pages of a conversation are joined without gap or repeat", () => {
  const [a, b, c] = [said("a", "user", "1"), said("b", "assistant", "2"), said("c", "user", "3")];
  assert.deepEqual(ids(joinMessages([a, b], [b, c])), ["a", "b", "c"]);
  assert.deepEqual(ids(joinMessages([], [a])), ["a"]);
  assert.deepEqual(ids(joinMessages([a], [])), ["a"]);
});

test("[PAGE-5] a tool is shown with what came back, before the words that follow from it", () => {
  const call = said("a", "assistant", "Found it.", {
    content: [
      { type: "toolCall", id: "t1", name: "search", arguments: { q: "tide" } },
      { type: "text", text: "Found it." },
    ],
  });
  const back = said("b", "toolResult", "high at noon", { toolCallId: "t1", isError: true });
  const [tool, words] = linesOf([call, back]);
  assert.deepEqual(tool, {
    kind: "tool",
    id: "t1",
    name: "search",
    input: { q: "tide" },
    result: { text: "high at noon", isError: true },
  });
  assert.equal(words?.kind === "words" && words.text, "Found it.");
  assert.equal(linesOf([call])[0]?.kind === "tool" && linesOf([call]).length, 2);
});

test("[PAGE-5] an answer that the history has is not shown as being said", () => {
  const usage = { input: 1, output: 1, totalTokens: 2 };
  const record = { id: "b", recordTimestampMs: 1, runId: "r1" };
  const runs = answeredRuns([
    said("a", "user", "Hi", { __openclaw: { ...record, id: "a", runId: "r2" } }),
    said("b", "assistant", "Hello", { usage, __openclaw: record }),
  ]);
  assert.deepEqual([...runs], ["r1"]);
});

test("[PAGE-5] an answer that failed says why, also without a word", () => {
  const failed = { content: [], stopReason: "error", errorMessage: "the disk is full" };
  const [line] = linesOf([said("a", "assistant", "", failed)]);
  assert.ok(line?.kind === "words");
  assert.deepEqual([line.note, line.failure], ["failed", "the disk is full"]);
});

test("[PAGE-5] an answer that was stopped says so, also without a word", () => {
  const stopped = said("a", "assistant", "", {
    content: [],
    openclawAbort: { aborted: true, runId: "r" },
  });
  const [line] = linesOf([stopped]);
  assert.equal(line?.kind === "words" && line.note, "stopped");
  assert.deepEqual(linesOf([said("b", "assistant", "")]), []);
});

test("[PAGE-5] what was stopped before its first word says so where the word would stand, and only there", () => {
  const of = (id: string, runId: string) => ({ __openclaw: { id, recordTimestampMs: 1, runId } });
  const usage = { input: 1, output: 1, totalTokens: 2 };
  const asked = said("a", "user", "Hi", of("a", "r1"));
  const next = said("b", "user", "Again", of("b", "r2"));
  const partial = said("c", "assistant", "One", {
    ...of("c", "r2"),
    usage,
    openclawAbort: { aborted: true, runId: "r2" },
  });
  const notes = (messages: readonly ChatMessage[], ...stopped: readonly string[]) =>
    linesOf(messages, new Set(stopped)).map((line) =>
      line.kind === "words" ? [line.who, line.text, line.note] : line.kind,
    );
  assert.deepEqual(notes([asked, next, partial], "r1", "r2"), [
    ["person", "Hi", undefined],
    ["agent", "", "stopped"],
    ["person", "Again", undefined],
    ["agent", "One", "stopped"],
  ]);
  assert.deepEqual(notes([asked]), [["person", "Hi", undefined]]);
  assert.deepEqual(stoppedLast([asked, next], "killed"), ["r2"]);
  assert.deepEqual(stoppedLast([asked, next], "done"), []);
});
