import assert from "node:assert/strict";
import { test } from "node:test";
import type { PromptResponse } from "@agentclientprotocol/sdk";
import { SessionMeter } from "./session-meter.ts";

function answer(inputTokens: number, outputTokens: number, more: object = {}): PromptResponse {
  const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, ...more };
  const answered = { stopReason: "end_turn" as const, usage };
  return answered;
}

test("[ACP-13] input from a cache and thinking are counted once, also where they are told beside the others", () => {
  const meter = new SessionMeter("turn", true);
  const counted = (more: object): unknown => {
    meter.begin();
    return meter.answer(answer(100, 20, more));
  };
  const cache = { cachedReadTokens: 50, cachedWriteTokens: 10 };
  const thoughtTokens = 7;
  const kept = { cachedInputTokens: 50, cacheWriteTokens: 10 };
  const within = { inputTokens: 100, outputTokens: 20, ...kept };
  assert.deepEqual(counted({ ...cache, thoughtTokens }), within);
  assert.deepEqual(counted({ ...cache, thoughtTokens, totalTokens: undefined }), within);
  const beside = { inputTokens: 160, outputTokens: 27, ...kept };
  assert.deepEqual(counted({ ...cache, thoughtTokens, totalTokens: 187 }), beside);
  const thinking = { ...within, outputTokens: 27 };
  assert.deepEqual(counted({ ...cache, thoughtTokens, totalTokens: 127 }), thinking);
});
