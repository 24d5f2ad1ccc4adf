/** What programs print, and what they might: any JSON of names and values that adapters look for. */
import * as fc from "fast-check";

const NAMES = [
  "type",
  "id",
  "choices",
  "delta",
  "content",
  "tool_calls",
  "index",
  "function",
  "arguments",
  "name",
  "finish_reason",
  "usage",
  "prompt_tokens",
  "message",
  "content_block",
  "stop_reason",
  "runId",
  "stream",
  "data",
  "phase",
  "seq",
  "ts",
  "hook_event_name",
  "tool_name",
  "tool_response",
  "session_id",
  "error",
  "args",
  "result",
  "text",
  "cost",
  "method",
  "params",
  "item",
  "status",
  "turn",
  "tokenUsage",
  "last",
  "event",
  "messages",
  "tool_call_id",
  "usage_metadata",
  "toolCallId",
  "toolCallName",
  "outcome",
  "part",
  "state",
  "tokens",
  "input_tokens",
  "timestamp",
  "stats",
  "thread_id",
  "prompt_id",
  "tool_input",
  "spawnedBy",
  "__proto__",
  "constructor",
];

/** Longer than a name may be, and deeper than a signal. */
const LONG_NAME = "n".repeat(300);
const DEEP_TEXT = `${"[".repeat(120)}${"]".repeat(120)}`;

const VALUES = [
  "message_start",
  "content_block_delta",
  "content_block_start",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "error",
  "tool_use",
  "tool",
  "lifecycle",
  "assistant",
  "start",
  "result",
  "end",
  "PreToolUse",
  "PostToolUse",
  "Stop",
  "UserPromptSubmit",
  "stop",
  "length",
  "RUN_STARTED",
  "TOOL_CALL_START",
  "TOOL_CALL_CHUNK",
  "TOOL_CALL_RESULT",
  "RUN_FINISHED",
  "RUN_ERROR",
  "item.started",
  "item/completed",
  "turn/started",
  "turn.completed",
  "command_execution",
  "mcpToolCall",
  "agent_message",
  "thread/tokenUsage/updated",
  "init",
  "tool_result",
  "message",
  "step_finish",
  "text",
  "system",
  "user",
  "updates",
  "values",
  "messages/partial",
  "ai",
  "custom",
  "2026-11-16T00:03:32.084Z",
  "9999-99-99",
  "x".repeat(100_000),
  LONG_NAME,
  DEEP_TEXT,
  JSON.parse(DEEP_TEXT),
  1e308,
  -1,
  0.5,
  3,
];

const codex = (method: string, params: object): object => ({ method, params });
const openclaw = (stream: string, data: object): object => ({
  type: "event",
  event: "agent",
  payload: { runId: "r1", stream, sessionKey: "agent:main:main", spawnedBy: "s", data },
});
const hook = (hook_event_name: string, more: object): object => ({
  hook_event_name,
  session_id: "s1",
  agent_id: "a1",
  ...more,
});
const TOOL = { tool_name: "Bash", tool_use_id: "c1" };

/** As programs print them; a part of each is replaced. */
const PRINTED: readonly object[] = [
  hook("PreToolUse", { ...TOOL, tool_input: { command: "ls" } }),
  hook("PostToolUse", { ...TOOL, prompt_id: "p1", tool_response: { stdout: "a" } }),
  hook("Stop", { turn_id: "u1", last_assistant_message: "Done." }),
  { type: "RUN_STARTED", runId: "r1" },
  { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "search" },
  { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: DEEP_TEXT },
  { type: "TOOL_CALL_END", toolCallId: "c1" },
  { type: "TOOL_CALL_RESULT", toolCallId: "c1", content: "found" },
  { type: "RUN_FINISHED", outcome: "success" },
  { type: "thread.started", thread_id: "t1" },
  codex("turn/started", { threadId: "t1", turn: { id: "u1" } }),
  codex("item/started", {
    item: { id: "i1", type: "mcpToolCall", server: "s", tool: "t", arguments: {} },
  }),
  codex("item/completed", { item: { id: "i1", type: "mcpToolCall", result: {} } }),
  codex("turn/completed", { turn: { id: "u1", status: "completed" } }),
  openclaw("lifecycle", { phase: "start" }),
  openclaw("tool", { phase: "start", name: "exec", toolCallId: "t1", args: {} }),
  openclaw("tool", { phase: "result", name: "exec", toolCallId: "t1", result: {} }),
  { id: "c1", choices: [{ index: 0, delta: { content: "a" }, finish_reason: "stop" }] },
  { type: "message_start", message: { id: "m1", usage: { input_tokens: 3 } } },
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "tool_use", id: "c", name: "n" },
  },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "input_json_delta", partial_json: "{}" },
  },
  { type: "content_block_stop", index: 0 },
  { type: "system", subtype: "init", session_id: "s1" },
  {
    type: "assistant",
    session_id: "s1",
    message: { id: "m1", content: [{ type: "tool_use", id: "c1", name: "n", input: {} }] },
  },
  { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "c1", content: "" }] } },
  { type: "init", session_id: "s1", model: "m" },
  { type: "tool_use", tool_name: "n", tool_id: "c1", parameters: {} },
  { type: "tool_result", tool_id: "c1", status: "success", output: "" },
  {
    type: "tool_use",
    sessionID: "s1",
    part: { tool: "bash", callID: "c1", state: { status: "completed", input: {}, output: "a" } },
  },
  { event: "metadata", data: { run_id: "r1" } },
  { event: "custom", data: { any: 1 } },
  {
    event: "updates",
    data: {
      agent: {
        messages: [{ id: "m", type: "ai", tool_calls: [{ id: "c", name: "n", args: {} }] }],
      },
    },
  },
];

const { piece: any } = fc.letrec((tie) => ({
  piece: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...VALUES),
    fc.jsonValue({ maxDepth: 1 }),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("piece"), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom(...NAMES), tie("piece"), { maxKeys: 8 }),
}));

/** Now and then something else stands where a part was. */
function spoiled(value: unknown): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 4, arbitrary: kept(value) }, { weight: 1, arbitrary: any });
}

function kept(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== "object" || value === null) return fc.constant(value);
  if (Array.isArray(value)) return fc.tuple(...value.map((each) => spoiled(each)));
  const parts = Object.entries(value).map(([name, part]) => [name, spoiled(part)]);
  return fc.record(Object.fromEntries(parts));
}

export const fuzzedPiece: fc.Arbitrary<unknown> = fc.oneof(
  any,
  ...PRINTED.map((piece) => kept(piece)),
);
