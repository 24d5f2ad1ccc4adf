/** What agent programs and frameworks print while they work, as signals. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { change, feed, producer } from "../testing/told-signals.ts";
import { createAgUiSignals } from "./from-ag-ui.ts";
import { createClaudeStreamSignals } from "./from-claude-stream.ts";
import { createCodexSignals } from "./from-codex.ts";
import { createGeminiSignals } from "./from-gemini.ts";
import { createLanggraphSignals } from "./from-langgraph.ts";
import { createOpencodeSignals } from "./from-opencode.ts";

const agentId = "a";
const text = (content: string, index = 0): [string, unknown] => [
  "text_delta",
  { agentId, content, index },
];
const usage = (promptTokens: number, completionTokens: number, more: object = {}) => [
  "token_usage",
  { agentId, promptTokens, completionTokens, ...more },
];

test("[SIG-28] codex exec: commands, words, usage and the end of a turn", () => {
  const command = { id: "item_1", type: "command_execution", command: "ls" };
  const call = { toolName: "shell", agentId, callId: "item_1" };
  assert.deepEqual(
    feed(createCodexSignals(producer(), agentId), [
      { type: "thread.started", thread_id: "t1" },
      { type: "item.completed", item: { id: "item_0", type: "error", message: "No metadata." } },
      { type: "turn.started" },
      { type: "item.started", item: { ...command, exit_code: null, status: "in_progress" } },
      {
        type: "item.completed",
        item: { ...command, aggregated_output: "no\n", exit_code: 2, status: "completed" },
      },
      { type: "item.completed", item: { id: "item_2", type: "agent_message", text: "Done." } },
      { type: "turn.completed", usage: { input_tokens: 200, output_tokens: 40 } },
    ]),
    [
      ["error", { message: "No metadata.", severity: "warning", agentId }],
      change(agentId, "idle", "thinking"),
      ["tool_call", { ...call, input: { command: "ls" } }],
      change(agentId, "thinking", "acting", "shell"),
      ["tool_result", { ...call, success: false, output: { value: "no\n" } }],
      change(agentId, "acting", "thinking"),
      text("Done."),
      usage(200, 40),
      ["completion", { taskId: "t1", success: true, agentId }],
      change(agentId, "thinking", "done"),
    ],
  );
});

test("[SIG-28] codex app-server: text in pieces is told once, permissions are waited for", () => {
  const method = (name: string, params: object) => ({ method: name, params });
  const item = { type: "agentMessage", id: "m1", text: "Hello" };
  assert.deepEqual(
    feed(createCodexSignals(producer(), agentId), [
      method("thread/started", { thread: { id: "t1" } }),
      method("turn/started", { threadId: "t1", turn: { id: "u1" } }),
      method("item/agentMessage/delta", { itemId: "m1", delta: "Hel" }),
      method("item/agentMessage/delta", { itemId: "m1", delta: "lo" }),
      method("item/completed", { item }),
      { id: 0, ...method("item/commandExecution/requestApproval", { reason: "writes a file" }) },
      method("thread/tokenUsage/updated", {
        tokenUsage: { last: { inputTokens: 3, outputTokens: 4 } },
      }),
      method("turn/completed", { turn: { id: "u1", status: "interrupted", error: null } }),
    ]),
    [
      change(agentId, "idle", "thinking"),
      text("Hel"),
      text("lo", 1),
      change(agentId, "thinking", "waiting", "writes a file"),
      usage(3, 4),
      [
        "error",
        { message: "The turn was interrupted.", severity: "warning", agentId, code: "interrupted" },
      ],
      ["completion", { taskId: "u1", success: false, agentId }],
      change(agentId, "waiting", "error", "The turn was interrupted."),
    ],
  );
});

test("[SIG-28] stream-json of Claude Code and Qwen Code: partial text is told once, cost at the end", () => {
  const session = { session_id: "s1" };
  const tool = { type: "tool_use", id: "c1", name: "Bash", input: { command: "ls" } };
  const delta = { type: "content_block_delta", delta: { type: "text_delta", text: "Hi" } };
  assert.deepEqual(
    feed(createClaudeStreamSignals(producer(), agentId), [
      { type: "system", subtype: "init", model: "m", ...session },
      { type: "assistant", message: { content: [tool] }, ...session },
      {
        type: "user",
        message: { content: [{ type: "tool_result", tool_use_id: "c1", content: "a" }] },
      },
      { type: "stream_event", event: delta, ...session },
      { type: "assistant", message: { content: [{ type: "text", text: "Hi" }] }, ...session },
      {
        type: "result",
        subtype: "success",
        is_error: false,
        total_cost_usd: 0.01,
        usage: { input_tokens: 2, cache_read_input_tokens: 3, output_tokens: 4 },
      },
    ]),
    [
      change(agentId, "idle", "thinking"),
      ["tool_call", { toolName: "Bash", agentId, callId: "c1", input: { command: "ls" } }],
      change(agentId, "thinking", "acting", "Bash"),
      [
        "tool_result",
        { toolName: "Bash", agentId, callId: "c1", success: true, output: { value: "a" } },
      ],
      change(agentId, "acting", "thinking"),
      text("Hi"),
      usage(5, 4, { model: "m", cost: 0.01 }),
      ["completion", { taskId: "s1", success: true, agentId }],
      change(agentId, "thinking", "done"),
    ],
  );
});

test("[SIG-28] stream-json of Gemini CLI, with its own times", () => {
  const adapter = createGeminiSignals(producer(), agentId);
  const timestamp = "2026-11-16T00:03:32.084Z";
  const [signal] = adapter({ type: "init", timestamp, session_id: "s1", model: "auto" });
  assert.equal(signal?.timestamp, Date.parse(timestamp));
  const tool = { tool_id: "c1", timestamp };
  assert.deepEqual(
    feed(adapter, [
      { type: "message", role: "user", content: "hi" },
      { type: "tool_use", tool_name: "shell", parameters: { command: "ls" }, ...tool },
      { type: "tool_result", status: "error", output: "no", ...tool },
      { type: "message", role: "assistant", content: "Done", delta: true },
      { type: "result", status: "success", stats: { input_tokens: 300, output_tokens: 60 } },
    ]),
    [
      ["tool_call", { toolName: "shell", agentId, callId: "c1", input: { command: "ls" } }],
      change(agentId, "thinking", "acting", "shell"),
      [
        "tool_result",
        { toolName: "shell", agentId, callId: "c1", success: false, output: { value: "no" } },
      ],
      change(agentId, "acting", "thinking"),
      text("Done"),
      usage(300, 60, { model: "auto" }),
      ["completion", { taskId: "s1", success: true, agentId }],
      change(agentId, "thinking", "done"),
    ],
  );
});

test("[SIG-28] opencode run: a tool is told with its result, and only the last step ends it", () => {
  const line = (type: string, part: object) => ({ type, timestamp: 5, sessionID: "s1", part });
  const tokens = { input: 100, output: 20, reasoning: 0, cache: { write: 1, read: 2 } };
  const state = {
    status: "completed",
    input: { command: "ls" },
    output: "a",
    metadata: { exit: 0 },
  };
  assert.deepEqual(
    feed(createOpencodeSignals(producer(), agentId), [
      line("step_start", {}),
      line("tool_use", { tool: "bash", callID: "c1", state }),
      line("step_finish", { reason: "tool-calls", tokens, cost: 0 }),
      line("step_start", {}),
      line("text", { text: "Done" }),
      line("step_finish", { reason: "stop", tokens, cost: 0.5 }),
    ]).map(([type, payload]) => [type, payload]),
    [
      change(agentId, "idle", "thinking"),
      ["tool_call", { toolName: "bash", agentId, callId: "c1", input: { command: "ls" } }],
      change(agentId, "thinking", "acting", "bash"),
      [
        "tool_result",
        { toolName: "bash", agentId, callId: "c1", success: true, output: { value: "a" } },
      ],
      change(agentId, "acting", "thinking"),
      usage(103, 20, { cost: 0 }),
      text("Done"),
      usage(103, 20, { cost: 0.5 }),
      ["completion", { taskId: "s1", success: true, agentId }],
      change(agentId, "thinking", "done"),
    ],
  );
});

test("[SIG-28] AG-UI: messages, reasoning, calls in pieces or chunks, results, interrupts", () => {
  assert.deepEqual(
    feed(createAgUiSignals(producer(), agentId), [
      { type: "RUN_STARTED", threadId: "t", runId: "r1" },
      { type: "REASONING_MESSAGE_CONTENT", messageId: "m0", delta: "Hm." },
      { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "Let me look." },
      { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "search" },
      { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: '{"q":' },
      { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: '"x"}' },
      { type: "TOOL_CALL_END", toolCallId: "c1" },
      { type: "TOOL_CALL_RESULT", toolCallId: "c1", content: '{"hits":1}' },
      { type: "TOOL_CALL_CHUNK", toolCallId: "c2", toolCallName: "open", delta: "{}" },
      { type: "RUN_FINISHED", runId: "r1", outcome: "interrupt" },
    ]),
    [
      change(agentId, "idle", "thinking"),
      ["thinking", { agentId, content: "Hm." }],
      text("Let me look."),
      ["tool_call", { toolName: "search", agentId, callId: "c1", input: { q: "x" } }],
      change(agentId, "thinking", "acting", "search"),
      [
        "tool_result",
        { toolName: "search", agentId, callId: "c1", success: true, output: { hits: 1 } },
      ],
      change(agentId, "acting", "thinking"),
      ["tool_call", { toolName: "open", agentId, callId: "c2", input: {} }],
      change(agentId, "thinking", "acting", "open"),
      change(agentId, "acting", "waiting", "a person's answer"),
    ],
  );
});

test("[SIG-28] LangGraph: every node is an agent, and what comes in several modes is told once", () => {
  const node = "a:agent";
  const call = { id: "c1", name: "search", args: { q: "x" } };
  const answer = { id: "m1", type: "ai", content: "Looking", tool_calls: [call] };
  const result = { id: "m2", type: "tool", name: "search", tool_call_id: "c1", content: "found" };
  const last = {
    id: "m3",
    type: "ai",
    content: [{ type: "text", text: "Found" }],
    usage_metadata: { input_tokens: 7, output_tokens: 2 },
  };
  assert.deepEqual(
    feed(createLanggraphSignals(producer(), agentId), [
      { event: "metadata", data: { run_id: "r1" } },
      { event: "messages", data: [{ ...answer, content: "Look" }, { langgraph_node: "agent" }] },
      { event: "messages", data: [{ ...answer, content: "ing" }, { langgraph_node: "agent" }] },
      ["updates", { agent: { messages: [answer] } }],
      { tools: { messages: [result] } },
      { event: "values", data: { messages: [answer, result] } },
      { event: "custom", data: "half way" },
      { event: "updates|sub:1", data: { agent: { messages: [last] } } },
    ]),
    [
      change(node, "idle", "thinking"),
      ["text_delta", { agentId: node, content: "Look", index: 0 }],
      ["tool_call", { toolName: "search", agentId: node, callId: "c1", input: { q: "x" } }],
      change(node, "thinking", "acting", "search"),
      change(node, "acting", "thinking"),
      ["text_delta", { agentId: node, content: "ing", index: 1 }],
      [
        "tool_result",
        {
          toolName: "search",
          agentId: "a:tools",
          callId: "c1",
          success: true,
          output: { value: "found" },
        },
      ],
      change("a:tools", "idle", "thinking"),
      ["completion", { taskId: "tools", success: true, agentId: "a:tools" }],
      change("a:tools", "thinking", "done"),
      ["langgraph.custom", { value: "half way" }],
      ["text_delta", { agentId: node, content: "Found", index: 2 }],
      ["token_usage", { agentId: node, promptTokens: 7, completionTokens: 2 }],
      ["completion", { taskId: "agent", success: true, agentId: node }],
      change(node, "thinking", "done"),
    ],
  );
});

test("[SIG-28] LangGraph: partial messages grow, an interrupt waits, an error fails", () => {
  const partial = (content: string) => ({
    event: "messages/partial",
    data: [{ id: "m1", type: "AIMessageChunk", content }],
  });
  assert.deepEqual(
    feed(createLanggraphSignals(producer(), agentId), [
      partial("Hel"),
      partial("Hello"),
      { __interrupt__: [{ value: "?" }] },
      { event: "error", data: { error: "ValueError", message: "no" } },
    ]),
    [
      change(agentId, "idle", "thinking"),
      text("Hel"),
      text("lo", 1),
      change(agentId, "thinking", "waiting", "a person's answer"),
      ["error", { message: "no", severity: "error", agentId }],
      ["completion", { taskId: "run", success: false, agentId, result: "no" }],
      change(agentId, "waiting", "error", "no"),
    ],
  );
});
