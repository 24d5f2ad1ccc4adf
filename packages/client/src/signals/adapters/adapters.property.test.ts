/** Whatever a program prints, or somebody prints in its name. */
import { test } from "node:test";
import * as fc from "fast-check";
import { feed, producer, told } from "../testing/told-signals.ts";
import { createAgUiSignals } from "./from-ag-ui.ts";
import { createAnthropicSignals } from "./from-anthropic.ts";
import { fromClaudeHook } from "./from-claude-hook.ts";
import { createClaudeStreamSignals } from "./from-claude-stream.ts";
import { createCodexSignals } from "./from-codex.ts";
import { createGeminiSignals } from "./from-gemini.ts";
import { createLanggraphSignals } from "./from-langgraph.ts";
import { createOpenaiSignals } from "./from-openai.ts";
import { createOpenclawSignals } from "./from-openclaw.ts";
import { createOpencodeSignals } from "./from-opencode.ts";

const ADAPTERS = [
  createOpenaiSignals,
  createAnthropicSignals,
  createOpenclawSignals,
  createAgUiSignals,
  createClaudeStreamSignals,
  createCodexSignals,
  createGeminiSignals,
  createLanggraphSignals,
  createOpencodeSignals,
];

test("[SIG-24] whatever they are fed, adapters tell valid signals or nothing", () => {
  const names = [
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
    "__proto__",
    "constructor",
  ];
  const values = [
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
    1e308,
    -1,
    0.5,
    3,
  ];
  const { piece } = fc.letrec((tie) => ({
    piece: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...values),
      fc.jsonValue({ maxDepth: 1 }),
      tie("list"),
      tie("object"),
    ),
    list: fc.array(tie("piece"), { maxLength: 3 }),
    object: fc.dictionary(fc.constantFrom(...names), tie("piece"), { maxKeys: 8 }),
  }));
  const check = (pieces: readonly unknown[]): void => {
    for (const create of ADAPTERS) feed(create(producer(), "a"), pieces);
    for (const each of pieces) told(fromClaudeHook(each, producer()));
  };
  fc.assert(fc.property(fc.array(piece, { maxLength: 10 }), check), { seed: 17, numRuns: 2_000 });
});
