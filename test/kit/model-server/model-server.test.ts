import assert from "node:assert/strict";
import { test } from "node:test";
import { openModelServer, type Body } from "./model-server.ts";

test("the model server answers whole, too, in every format", async () => {
  await using server = await openModelServer();
  const ask = async (path: string): Promise<Body> => {
    server.queue.push({
      type: "answer",
      chunks: ["At ", "noon."],
      toolCalls: [{ name: "lookup", input: { q: "x" } }],
      usage: { inputTokens: 3, outputTokens: 2 },
    });
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "When?" }] });
    const response = await fetch(`${server.baseUrl}${path}`, { method: "POST", body });
    return response.json();
  };
  const openai = await ask("/chat/completions");
  assert.equal(openai.choices[0].message.content, "At noon.");
  assert.equal(openai.choices[0].message.tool_calls[0].function.arguments, '{"q":"x"}');
  assert.deepEqual([openai.choices[0].finish_reason, openai.usage.total_tokens], ["tool_calls", 5]);
  const anthropic = await ask("/messages");
  assert.deepEqual(anthropic.content, [
    { type: "text", text: "At noon." },
    { type: "tool_use", id: "toolu_2_0", name: "lookup", input: { q: "x" } },
  ]);
  assert.deepEqual([anthropic.stop_reason, anthropic.usage.input_tokens], ["tool_use", 3]);
  assert.equal(server.requests[1]?.lastText, "When?");
  const responses = await ask("/responses");
  assert.equal(responses.output[0].content[0].text, "At noon.");
  assert.deepEqual(
    [responses.output[1].name, responses.output[1].arguments],
    ["lookup", '{"q":"x"}'],
  );
  assert.equal(responses.usage.total_tokens, 5);
});

test("the model server says what models it has, and what it does not know", async () => {
  await using server = await openModelServer();
  const list: Body = await (await fetch(`${server.baseUrl}/models`)).json();
  assert.equal(list.data[0].id, "test-model");
  assert.equal((await fetch(`${server.baseUrl}/embeddings`)).status, 404);
});
