import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProcessEvent } from "./claude-process.ts";
import { StreamTranslator } from "./stream-translator.ts";

function hear(...lines: readonly object[]): ProcessEvent[] {
  const translator = new StreamTranslator(false);
  translator.begin();
  return lines.flatMap((line) => translator.take({ ...line }));
}

const event = (body: object): object => ({ type: "stream_event", event: body });
const text = (words: string): object =>
  event({ type: "content_block_delta", delta: { type: "text_delta", text: words } });
const message = (id: string, input: number): object =>
  event({ type: "message_start", message: { id, usage: { input_tokens: input } } });
const OPEN = event({ type: "content_block_start" });

test("[CLAUDE-11] words are told as they come, once, and steps are kept apart", () => {
  const said = [{ type: "text", text: "One. " }];
  const heard = hear(
    message("m1", 5),
    OPEN,
    text("One. "),
    { type: "assistant", message: { id: "m1", content: said } },
    OPEN,
    event({ type: "content_block_delta", delta: { type: "thinking_delta", thinking: "Hm." } }),
    message("m2", 6),
    OPEN,
    text("Two."),
    text(" Three."),
  );
  assert.deepEqual(heard, [
    { type: "text", delta: "One. " },
    { type: "thinking", delta: "Hm." },
    { type: "text", delta: "\n\nTwo." },
    { type: "text", delta: " Three." },
  ]);
});

test("[CLAUDE-11] what Claude Code says itself is told, too, and what sub-agents say is not", () => {
  const synthetic = { id: "s1", content: [{ type: "text", text: "Compacted." }] };
  const heard = hear(
    { type: "assistant", message: synthetic },
    { type: "assistant", message: synthetic, parent_tool_use_id: "toolu_1" },
    { type: "assistant", message: { ...synthetic, id: "s2" }, is_api_error_message: true },
    { type: "something new", with: { fields: 1 } },
    event({ type: "nothing known" }),
  );
  assert.deepEqual(heard, [{ type: "text", delta: "Compacted." }]);
});

test("[CLAUDE-11] a tool is called with its whole input and returns what it returned", () => {
  const use = { type: "tool_use", id: "t1", name: "Read", input: { file_path: "a" } };
  const parts = [{ type: "text", text: "one" }, { type: "image" }];
  const result = { type: "tool_result", tool_use_id: "t1", content: parts, is_error: true };
  assert.deepEqual(
    hear(
      { type: "assistant", message: { id: "m1", content: [use] } },
      { type: "user", message: { content: [result] } },
      { type: "user", message: { content: "[Request interrupted by user]" } },
    ),
    [
      { type: "tool.called", id: "t1", name: "Read", input: { file_path: "a" } },
      { type: "tool.returned", id: "t1", text: "one\n(image)", isError: true },
    ],
  );
});

test("[CLAUDE-12] usage is of the whole turn, and counts what came from a cache", () => {
  const usage = { input_tokens: 3, cache_read_input_tokens: 90, cache_creation_input_tokens: 7 };
  const heard = hear(
    message("m1", 5),
    event({ type: "message_delta", usage: { output_tokens: 2 } }),
    message("m2", 6),
    event({ type: "message_delta", usage: { output_tokens: 4 } }),
    { type: "result", subtype: "success", usage: { ...usage, output_tokens: 6 } },
  );
  const readings = heard.flatMap((one) => (one.type === "usage" ? [one.usage] : []));
  assert.deepEqual(readings, [
    { inputTokens: 5, outputTokens: 2 },
    { inputTokens: 11, outputTokens: 6 },
    { inputTokens: 100, outputTokens: 6, cachedInputTokens: 90 },
  ]);
});

const resultOf = (total: number, more: object = {}): object => ({
  type: "result",
  subtype: "success",
  usage: { input_tokens: 3, output_tokens: 2 },
  total_cost_usd: total,
  ...more,
});

/** What each of these turns cost. */
function costsOf(isResumed: boolean, ...turns: readonly (readonly object[])[]): unknown[] {
  const translator = new StreamTranslator(isResumed);
  return turns.map((lines) => {
    translator.begin();
    const heard = lines.flatMap((line) => translator.take({ ...line }));
    return heard.findLast((one) => one.type === "usage")?.usage.cost;
  });
}

test("[CLAUDE-12] the cost of a turn is what the running total grew by", () => {
  assert.deepEqual(costsOf(false, [resultOf(0.25)], [resultOf(0.75)]), [0.25, 0.5]);
  const session = { total_cost_usd: 1.5 };
  const known = { type: "control_response", response: { response: { session } } };
  assert.deepEqual(costsOf(true, [known, resultOf(1.75)], [resultOf(2)]), [0.25, 0.25]);
});

test("[CLAUDE-12] where the total tells nothing of the turn, its cost is unknown", () => {
  assert.deepEqual(costsOf(true, [resultOf(1.75)], [resultOf(2)]), [undefined, 0.25]);
  const refused = { type: "control_response", response: { subtype: "error", error: "what?" } };
  assert.deepEqual(costsOf(true, [refused, resultOf(1.75)]), [undefined]);
  assert.deepEqual(costsOf(false, [resultOf(1)], [resultOf(0)], [resultOf(0.5)]), [
    1,
    undefined,
    0.5,
  ]);
  const guessed = { modelUsage: { odd: { costUSD: 1, costBasis: "unknown" } } };
  assert.deepEqual(costsOf(false, [resultOf(1, guessed)]), [undefined]);
  assert.deepEqual(costsOf(false, [resultOf(0)]), [undefined]);
  assert.deepEqual(costsOf(false, [message("m1", 5), text("half")]), [undefined]);
});

test("[CLAUDE-11] every way a turn can end is told apart", () => {
  const ending = (result: object): unknown => {
    const last = hear({ type: "result", ...result }).at(-1);
    return last?.type === "ended" ? last.ending : last;
  };
  const stop = (stopReason: string): object => ({ how: "completed", stopReason });
  assert.deepEqual(ending({ subtype: "success", stop_reason: "end_turn" }), stop("stop"));
  assert.deepEqual(ending({ subtype: "success", stop_reason: "max_tokens" }), stop("length"));
  assert.deepEqual(ending({ subtype: "error_max_turns", is_error: true }), stop("max_steps"));
  const aborted = { subtype: "error_during_execution", terminal_reason: "aborted_streaming" };
  assert.deepEqual(ending({ ...aborted, is_error: true }), { how: "interrupted" });
  for (const [result, kind] of [
    [{ stop_reason: "refusal" }, "refusal"],
    [{ is_error: true, terminal_reason: "prompt_too_long" }, "context_length"],
    [{ is_error: true, api_error_status: 429, result: "slow down" }, "rate_limit"],
    [{ is_error: true, result: "Credit balance is too low" }, "rate_limit"],
    [{ is_error: true, result: "Not logged in · Please run /login" }, "unavailable"],
    [{ is_error: true, api_error_status: 529, result: "Overloaded" }, "unavailable"],
    [{ is_error: true, errors: ["boom"] }, "unknown"],
  ] as const) {
    const told = ending({ subtype: "success", ...result });
    assert.ok(typeof told === "object" && told !== null && "kind" in told, JSON.stringify(told));
    assert.equal(told.kind, kind);
  }
});

test("[CLAUDE-11] tries of Claude Code's own are told, and a wrong key is not tried for minutes", () => {
  const retry = { type: "system", subtype: "api_retry", error: "overloaded", error_status: 529 };
  assert.deepEqual(hear({ ...retry, attempt: 3 }), [
    { type: "retrying", attempt: 3, reason: "The model's server answers with overloaded (529)." },
  ]);
  const wrong = { ...retry, error: "authentication_failed", error_status: 401 };
  const [first, second] = hear({ ...wrong, attempt: 1 }, { ...wrong, attempt: 2 });
  assert.equal(first?.type, "retrying");
  assert.ok(second?.type === "ended" && second.isAtWork === true);
});
