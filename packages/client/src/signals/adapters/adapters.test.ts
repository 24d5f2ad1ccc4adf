/** What other programs tell, as signals. Every signal here is read by the same check the server runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { change, feed, producer, told } from "../testing/told-signals.ts";
import { createAnthropicSignals } from "./from-anthropic.ts";
import { fromClaudeHook } from "./from-claude-hook.ts";
import { createOpenaiSignals } from "./from-openai.ts";
import { createOpenclawSignals } from "./from-openclaw.ts";

test("[SIG-24] why a model stopped is its own word, also when every object has a member of that name", () => {
  const openai = createOpenaiSignals(producer(), "a");
  const stopped = { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "constructor" }] };
  const anthropic = createAnthropicSignals(producer(), "a");
  told(anthropic({ type: "message_start", message: { id: "c" } }));
  told(anthropic({ type: "message_delta", delta: { stop_reason: "constructor" }, usage: {} }));
  for (const signals of [told(openai(stopped)), told(anthropic({ type: "message_stop" }))]) {
    assert.deepEqual(
      signals.map(([type]) => type).filter((type) => type === "error"),
      [],
    );
    assert.ok(signals.some(([type]) => type === "completion"));
  }
});

test("[SIG-24] a turn of Claude Code is told by its hooks", () => {
  const common = { session_id: "s1", prompt_id: "p1", cwd: "/work" };
  const hook = (hook_event_name: string, more: object = {}): [string, unknown][] =>
    told(fromClaudeHook({ ...common, hook_event_name, ...more }, producer()));
  const agentId = "claude:s1";
  const bash = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "ls" } };
  assert.deepEqual(hook("UserPromptSubmit", { prompt: "List it" }), [
    ["task_dispatch", { taskId: "p1", from: "user", to: agentId, description: "List it" }],
    change(agentId, "idle", "thinking"),
  ]);
  assert.deepEqual(hook("PreToolUse", bash), [
    ["tool_call", { toolName: "Bash", agentId, callId: "t1", input: { command: "ls" } }],
    change(agentId, "thinking", "acting", "Bash"),
  ]);
  assert.deepEqual(hook("PermissionRequest", bash), [
    change(agentId, "acting", "waiting", "permission: Bash"),
  ]);
  const result = { toolName: "Bash", agentId, callId: "t1" };
  for (const [response, success, output] of [
    [{ stdout: "a" }, true, { stdout: "a" }],
    ["plain text", true, { value: "plain text" }],
    [{ stderr: "no", is_error: true }, false, { stderr: "no", is_error: true }],
  ] as const) {
    assert.deepEqual(hook("PostToolUse", { ...bash, tool_response: response })[0], [
      "tool_result",
      { ...result, success, output },
    ]);
  }
  assert.deepEqual(hook("PostToolUseFailure", { ...bash, error: "exit 1" })[0], [
    "tool_result",
    { ...result, success: false, output: { value: "exit 1" } },
  ]);
  assert.deepEqual(hook("SubagentStart", { agent_id: "sub1", agent_type: "Explore" }), [
    ["task_dispatch", { taskId: "sub1", from: agentId, to: "sub1", description: "Explore" }],
    change("sub1", "idle", "thinking"),
  ]);
  assert.deepEqual(hook("SubagentStop", { agent_id: "sub1" })[0], [
    "completion",
    { taskId: "sub1", success: true, agentId: "sub1" },
  ]);
  assert.deepEqual(hook("Stop", { last_assistant_message: "Two files." }), [
    ["completion", { taskId: "p1", success: true, agentId, result: "Two files." }],
    change(agentId, "thinking", "done"),
  ]);
  assert.deepEqual(
    hook("StopFailure", { error: "rate_limit" }).map(([type]) => type),
    ["error", "completion", "agent_state_change"],
  );
  assert.deepEqual(hook("PreCompact"), []);
  const [signal] = fromClaudeHook({ ...common, hook_event_name: "Stop" }, producer());
  assert.equal(signal?.correlationId, "p1");
  assert.deepEqual(signal?.metadata, { hook: "Stop", sessionId: "s1", cwd: "/work" });
});

test("[SIG-24] a chat completion of OpenAI's is told with whole tool calls, usage and its end", () => {
  const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
    id: "chatcmpl-1",
    model: "gpt",
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  });
  const piece = (index: number, args: string, more: object = {}) =>
    chunk({
      tool_calls: [
        {
          index,
          ...more,
          function: { ...("name" in more && { name: more.name }), arguments: args },
        },
      ],
    });
  const adapter = createOpenaiSignals(producer(), "gpt-agent");
  const agentId = "gpt-agent";
  assert.deepEqual(
    feed(adapter, [
      chunk({ role: "assistant", content: "" }),
      chunk({ reasoning_content: "Hm." }),
      chunk({ content: "Let me " }),
      chunk({ content: "look." }),
      piece(0, "", { id: "call_1", name: "search" }),
      piece(0, '{"q":'),
      piece(0, '"x"}'),
      piece(1, '{"n":1}', { id: "call_2", name: "count" }),
      chunk({}, "tool_calls"),
    ]),
    [
      change(agentId, "idle", "thinking"),
      ["thinking", { agentId, content: "Hm." }],
      ["text_delta", { agentId, content: "Let me ", index: 0 }],
      ["text_delta", { agentId, content: "look.", index: 1 }],
      ["tool_call", { toolName: "search", agentId, callId: "call_1", input: { q: "x" } }],
      change(agentId, "thinking", "acting", "search"),
      ["tool_call", { toolName: "count", agentId, callId: "call_2", input: { n: 1 } }],
    ],
  );
  const usage = { prompt_tokens: 9, completion_tokens: 4, cost: 0.002 };
  assert.deepEqual(
    feed(adapter, [
      chunk({ content: "Found." }),
      chunk({}, "stop"),
      { id: "chatcmpl-1", model: "gpt", choices: [], usage },
    ]),
    [
      change(agentId, "acting", "thinking"),
      ["text_delta", { agentId, content: "Found.", index: 2 }],
      ["completion", { taskId: "chatcmpl-1", success: true, agentId }],
      change(agentId, "thinking", "done"),
      ["token_usage", { agentId, promptTokens: 9, completionTokens: 4, model: "gpt", cost: 0.002 }],
    ],
  );
  const cut = feed(createOpenaiSignals(producer(), "a"), [
    chunk({ content: "x" }),
    chunk({}, "length"),
  ]);
  assert.deepEqual(cut.map(([type]) => type).slice(2), [
    "error",
    "completion",
    "agent_state_change",
  ]);
  const failed = feed(createOpenaiSignals(producer(), "a"), [
    { error: { message: "no", code: "quota" } },
  ]);
  assert.deepEqual(failed[0], [
    "error",
    { message: "no", severity: "error", agentId: "a", code: "quota" },
  ]);
});

test("[SIG-24] a message of Anthropic's is told with what went in and what came out", () => {
  const agentId = "claude";
  const adapter = createAnthropicSignals(producer(), agentId);
  const delta = (index: number, more: object) => ({
    type: "content_block_delta",
    index,
    delta: more,
  });
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 5,
    cache_read_input_tokens: 100,
    output_tokens: 1,
  };
  assert.deepEqual(
    feed(adapter, [
      { type: "message_start", message: { id: "msg_1", model: "sonnet", usage } },
      { type: "ping" },
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
      delta(0, { type: "thinking_delta", thinking: "Hm." }),
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
      delta(1, { type: "text_delta", text: "Looking." }),
      { type: "content_block_stop", index: 1 },
      {
        type: "content_block_start",
        index: 2,
        content_block: { type: "tool_use", id: "t1", name: "look", input: {} },
      },
      delta(2, { type: "input_json_delta", partial_json: '{"at":' }),
      delta(2, { type: "input_json_delta", partial_json: '"sea"}' }),
      { type: "content_block_stop", index: 2 },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 30 } },
      { type: "message_stop" },
    ]),
    [
      change(agentId, "idle", "thinking"),
      ["thinking", { agentId, content: "Hm." }],
      ["text_delta", { agentId, content: "Looking.", index: 0 }],
      ["tool_call", { toolName: "look", agentId, callId: "t1", input: { at: "sea" } }],
      change(agentId, "thinking", "acting", "look"),
      ["token_usage", { agentId, promptTokens: 115, completionTokens: 30, model: "sonnet" }],
    ],
  );
  assert.deepEqual(
    feed(adapter, [
      {
        type: "message_start",
        message: { id: "msg_2", model: "sonnet", usage: { input_tokens: 7 } },
      },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
      { type: "message_stop" },
    ]),
    [
      change(agentId, "acting", "thinking"),
      ["token_usage", { agentId, promptTokens: 7, completionTokens: 2, model: "sonnet" }],
      ["completion", { taskId: "msg_2", success: true, agentId }],
      change(agentId, "thinking", "done"),
    ],
  );
  const failed = feed(adapter, [
    { type: "error", error: { type: "overloaded_error", message: "Busy" } },
  ]);
  assert.deepEqual(failed[0], [
    "error",
    { message: "Busy", severity: "error", agentId, code: "overloaded_error" },
  ]);
});

test("[SIG-24] a run of an OpenClaw gateway is told with its tools, its parent and no repeats", () => {
  let seq = 0;
  const event = (stream: string, data: object, more: object = {}) => ({
    type: "event",
    event: "agent",
    seq: 99,
    payload: {
      runId: "r1",
      seq: seq++,
      stream,
      ts: 5_000,
      sessionKey: "agent:main:main",
      data,
      ...more,
    },
  });
  const agentId = "main";
  const result = { content: [{ type: "text", text: "3 hits" }] };
  const pieces = [
    event("lifecycle", { phase: "start" }, { spawnedBy: "agent:boss:main" }),
    event("assistant", { text: "Let", delta: "Let" }),
    event("assistant", { text: "Let me" }),
    event("tool", { phase: "start", name: "exec", toolCallId: "t1", args: { command: "ls" } }),
    event("tool", { phase: "update", name: "exec", toolCallId: "t1" }),
    event("tool", { phase: "result", name: "exec", toolCallId: "t1", isError: false, result }),
    event("tool", { phase: "result", name: "exec", toolCallId: "t2", isError: true, result: "no" }),
    event("lifecycle", { phase: "end", stopReason: "stop" }),
    { type: "event", event: "tick", payload: {} },
  ];
  const adapter = createOpenclawSignals(producer(), "claw");
  const signals = [...pieces, ...pieces].flatMap((piece) => adapter(piece));
  assert.deepEqual(told(signals), [
    ["task_dispatch", { taskId: "r1", from: "agent:boss:main", to: agentId }],
    change(agentId, "idle", "thinking"),
    ["text_delta", { agentId, content: "Let" }],
    ["text_delta", { agentId, content: " me" }],
    ["tool_call", { toolName: "exec", agentId, callId: "t1", input: { command: "ls" } }],
    change(agentId, "thinking", "acting", "exec"),
    ["tool_result", { toolName: "exec", agentId, callId: "t1", success: true, output: result }],
    change(agentId, "acting", "thinking"),
    [
      "tool_result",
      { toolName: "exec", agentId, callId: "t2", success: false, output: { value: "no" } },
    ],
    ["completion", { taskId: "r1", success: true, agentId, result: "stop" }],
    change(agentId, "thinking", "done"),
  ]);
  const [first] = signals;
  assert.deepEqual([first?.correlationId, first?.timestamp], ["r1", 5_000]);
  assert.deepEqual(first?.metadata, {
    seq: 0,
    sessionKey: "agent:main:main",
    spawnedBy: "agent:boss:main",
  });
});

test("[SIG-28] hooks of Codex and Gemini CLI are told like Claude Code's, each in its own name", () => {
  const codex = {
    session_id: "s1",
    turn_id: "u1",
    hook_event_name: "UserPromptSubmit",
    prompt: "Go",
  };
  assert.deepEqual(told(fromClaudeHook(codex, producer(), "codex"))[0], [
    "task_dispatch",
    { taskId: "u1", from: "user", to: "codex:s1", description: "Go" },
  ]);
  const gemini = (hook_event_name: string, more: object): [string, unknown][] =>
    told(fromClaudeHook({ session_id: "s2", hook_event_name, ...more }, producer(), "gemini"));
  const tool = { tool_name: "run_shell_command", tool_input: { command: "ls" } };
  assert.deepEqual(gemini("BeforeTool", tool)[0], [
    "tool_call",
    { toolName: "run_shell_command", agentId: "gemini:s2", input: { command: "ls" } },
  ]);
  assert.deepEqual(gemini("AfterAgent", { prompt_response: "Done." })[0], [
    "completion",
    { taskId: "s2", success: true, agentId: "gemini:s2", result: "Done." },
  ]);
  assert.deepEqual(gemini("BeforeModel", {}), []);
});

test("[SIG-32] hooks of Copilot CLI are told like Claude Code's, with its own results and questions", () => {
  const tell = (hook_event_name: string, more: object): [string, unknown][] =>
    told(fromClaudeHook({ hook_event_name, ...more }, producer(), "copilot"));
  const [agent, tool] = ["copilot:s1", { session_id: "s1", tool_name: "Bash" }];
  const result = { result_type: "success", text_result_for_llm: "a" };
  assert.deepEqual(tell("PostToolUse", { ...tool, tool_result: result })[0], [
    "tool_result",
    { toolName: "Bash", agentId: agent, success: true, output: result },
  ]);
  const denied = { result_type: "denied", text_result_for_llm: "no" };
  assert.deepEqual(tell("PostToolUse", { ...tool, tool_result: denied })[0], [
    "tool_result",
    { toolName: "Bash", agentId: agent, success: false, output: denied },
  ]);
  const asked = { sessionId: "s1", notification_type: "permission_prompt", message: "Run: ls" };
  assert.deepEqual(tell("Notification", asked), [change(agent, "acting", "waiting", "Run: ls")]);
});
