import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFields } from "../../../agents/turn/json-fields.ts";
import { readRecording } from "../testing/recordings.ts";
import { foldClaudeLine } from "./claude-code.ts";
import { foldCodexLine } from "./codex.ts";
import { foldCopilotLine } from "./copilot.ts";
import { foldGeminiLine } from "./gemini.ts";
import { foldQwenLine } from "./qwen.ts";
import { NO_NEWS, type FoldNews, type SessionNews } from "./session-news.ts";

/** What is known after each line. */
function read(fold: FoldNews, name: string): readonly SessionNews[] {
  const lines = readRecording(name).trim().split("\n");
  let news = NO_NEWS;
  return lines.map((line) => {
    news = fold(news, parseFields(line) ?? {});
    return news;
  });
}

/** What it was seen doing, without repetitions. */
function activities(all: readonly SessionNews[]): readonly string[] {
  const each = all.map(({ activity, tool }) => (tool === null ? activity : `uses ${tool.name}`));
  return each.filter((now, at) => now !== each[at - 1]);
}

const BASH = { command: "echo hi", description: "mk" };

test("[SIGHT-4] Claude Code: the transcript gives model, folder, turns and tools", () => {
  const all = read(foldClaudeLine, "claude-code.jsonl");
  const { sessionId, model, folder, branch } = all.at(-1)!;
  assert.deepEqual(
    { sessionId, model, folder, branch },
    {
      sessionId: "26f07f03-0193-4ab1-8989-3a62caec5a6b",
      model: "claude-opus-5-5",
      folder: "/home/ann/shop",
      branch: null,
    },
  );
  assert.deepEqual(activities(all), ["idle", "working", "idle", "uses Bash", "working"]);
  const use = all.find(({ tool }) => tool !== null)?.tool;
  assert.deepEqual(use, { name: "Bash", input: { command: "touch held.txt", description: "mk" } });
});

test("[SIGHT-4] Claude Code: an interrupted turn is over, and sub-agents are not the session", () => {
  const prompt = (content: unknown): object => ({ type: "user", message: { content } });
  const working = foldClaudeLine(NO_NEWS, { ...prompt("Go"), gitBranch: "tides" });
  assert.equal(working.activity, "working");
  assert.equal(working.branch, "tides");
  const side = { type: "assistant", isSidechain: true, message: { model: "other" } };
  assert.equal(foldClaudeLine(working, side), working);
  const stop = [{ type: "text", text: "[Request interrupted by user]" }];
  assert.equal(foldClaudeLine(working, { ...prompt(stop) }).activity, "idle");
});

test("[SIGHT-4] Codex: the rollout gives model, folder, branch, turns and tools", () => {
  const all = read(foldCodexLine, "codex.jsonl");
  const { sessionId, model, folder, branch, isOther } = all.at(-1)!;
  assert.deepEqual(
    { sessionId, model, folder, branch, isOther },
    {
      sessionId: "01a1ef6c-757c-7a60-8967-104d23fe77d1",
      model: "fake-model",
      folder: "/home/ann/shop",
      branch: "tides",
      isOther: false,
    },
  );
  assert.deepEqual(activities(all), ["idle", "working", "uses exec_command", "working", "idle"]);
  const meta = (fields: object) => ({ type: "session_meta", payload: { id: "a", ...fields } });
  assert.ok(foldCodexLine(NO_NEWS, meta({ originator: "atrium" })).isOther);
  assert.ok(foldCodexLine(NO_NEWS, meta({ source: { subagent: "review" } })).isOther);
});

test("[SIGHT-4] Copilot CLI: the events give model, folder, branch, turns, tools and the end", () => {
  const all = read(foldCopilotLine, "copilot.jsonl");
  const { sessionId, model, folder, branch, isOver } = all.at(-1)!;
  assert.deepEqual(
    { sessionId, model, folder, branch, isOver },
    {
      sessionId: "d109cad2-7def-4344-8016-145da27a0ea4",
      model: "fake-model",
      folder: "/home/ann/shop",
      branch: "tides",
      isOver: true,
    },
  );
  const does = ["idle", "working", "uses bash", "working", "idle", "working", "idle"];
  assert.deepEqual(activities(all), does);
  assert.deepEqual(all.find(({ tool }) => tool !== null)?.tool?.input, BASH);
  const back = foldCopilotLine(all.at(-1)!, { type: "session.resume", data: {} });
  assert.equal(back.isOver, false);
});

test("[SIGHT-4] Gemini CLI: messages and patches give model, turns and tools", () => {
  const all = read(foldGeminiLine, "gemini.jsonl");
  const { sessionId, model, isOther } = all.at(-1)!;
  assert.deepEqual(
    { sessionId, model, isOther },
    {
      sessionId: "53e78dbb-dc3c-45ab-a0a1-55a6863be617",
      model: "gemini-3.8-flash",
      isOther: false,
    },
  );
  const does = ["idle", "working", "uses run_shell_command", "working", "idle"];
  assert.deepEqual(activities(all), does);
  const messages = [{ type: "user" }, { type: "gemini", content: "done", model: "patched" }];
  assert.equal(foldGeminiLine(NO_NEWS, { $set: { messages } }).model, "patched");
});

test("[SIGHT-4] Qwen Code: the transcript gives model, folder, branch, turns and tools", () => {
  const all = read(foldQwenLine, "qwen.jsonl");
  const { sessionId, model, folder, branch } = all.at(-1)!;
  assert.deepEqual(
    { sessionId, model, folder, branch },
    {
      sessionId: "5f9dc91c-4578-4caa-a78c-1150fc98cbe1",
      model: "fake-model",
      folder: "/home/ann/shop",
      branch: "tides",
    },
  );
  assert.deepEqual(activities(all), ["working", "uses run_shell_command", "working", "idle"]);
});

test("[SIGHT-5] lines of any shape change nothing that they do not tell", () => {
  const folds = [foldClaudeLine, foldCodexLine, foldCopilotLine, foldGeminiLine, foldQwenLine];
  const strange = [
    '{"type":"__proto__","__proto__":{"sessionId":"x"}}',
    '{"type":7,"message":null,"payload":[],"data":"x","$set":3}',
    '{"type":"user","message":{"content":[null,7,{"type":"text"}]}}',
    '{"type":"assistant","message":{"content":{"type":"tool_use"},"parts":7}}',
    '{"type":"response_item","payload":{"type":"function_call","arguments":"{{{"}}',
    '{"type":"gemini","toolCalls":[null]}',
  ];
  for (const fold of folds) {
    for (const line of strange) {
      const { sessionId, model, folder } = fold(NO_NEWS, parseFields(line) ?? {});
      assert.deepEqual([sessionId, model, folder], [undefined, null, null], line);
    }
  }
});
