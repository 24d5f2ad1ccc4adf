/** Which parts of its requests Anthropic is asked to keep, as a real server gets them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Behavior } from "../../../../../test/kit/model-server/behavior.ts";
import { openModelServer, type Body } from "../../../../../test/kit/model-server/model-server.ts";
import { createTestHost } from "../testing/test-host.ts";
import { eventsOf, turnOf } from "../testing/turns.ts";
import { createModelRuntime } from "./model.ts";

const LOOKUP = { name: "lookup", description: "Looks up a tide.", input: { type: "object" } };
const LOOK: Behavior = { type: "answer", toolCalls: [{ name: "lookup", input: {} }] };
const DONE: Behavior = { type: "answer", chunks: ["At noon."] };

async function requestsTo(provider: "anthropic" | "openai-compatible"): Promise<readonly Body[]> {
  await using server = await openModelServer();
  server.queue.push(LOOK, LOOK, DONE);
  const { baseUrl } = server;
  const runtime = createModelRuntime("m", { provider, baseUrl, model: "m", apiKey: undefined });
  const turn = turnOf("When?", { instructions: "Be brief." });
  await eventsOf(runtime, turn, createTestHost({ tools: [LOOKUP], speed: 1 }));
  return server.requests.map(({ body }) => body);
}

const isMarked = (part: Body): boolean => part.cache_control?.type === "ephemeral";

test("[MODEL-10] Anthropic is asked to keep the instructions, and what this and the step before end with", async () => {
  const bodies = await requestsTo("anthropic");
  const marks = bodies.map(({ messages }) =>
    messages.map(({ content }: Body) => content.filter(isMarked).length),
  );
  assert.deepEqual(marks, [[1], [1, 0, 1], [0, 0, 1, 0, 1]]);
  for (const { system, messages } of bodies) {
    assert.deepEqual(system.map(isMarked), [true]);
    assert.ok(isMarked(messages.at(-1).content.at(-1)));
  }
});

test("[MODEL-10] other providers are asked for nothing of that kind", async () => {
  const bodies = await requestsTo("openai-compatible");
  assert.equal(bodies.length, 3);
  assert.doesNotMatch(JSON.stringify(bodies), /cache_?control/i);
});
