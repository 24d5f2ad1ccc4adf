import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "@atrium/schema";
import type { ToolCallContext } from "../runs/agent-policy.ts";
import { defineTool, textResult } from "./define-tool.ts";
import { createToolbox } from "./toolbox.ts";

const context: ToolCallContext = {
  key: "agent:main:main",
  runId: "r1",
  agentId: "agent_bd",
  signal: new AbortController().signal,
};
const input = { word: Type.String() };
const toolbox = createToolbox([
  defineTool({ name: "echo", description: "", input, call: ({ word }) => textResult(word) }),
  defineTool({
    name: "break",
    description: "",
    input: {},
    call: () => Promise.reject(new Error("the handle came off")),
  }),
]);

test("[TOOL-1] input a tool does not take is an error that says what is wrong", async () => {
  const { text, isError } = await toolbox.call("echo", { word: "hi" }, context);
  assert.deepEqual({ text, isError }, textResult("hi"));
  const missing = await toolbox.call("echo", {}, context);
  assert.equal(missing.isError, true);
  assert.match(missing.text, /echo .*must have required property 'word'/);
  const surplus = await toolbox.call("echo", { word: "hi", volume: 11 }, context);
  assert.match(surplus.text, /unexpected property 'volume'/);
  assert.equal(toolbox.inputProblem("echo", { word: "hi" }), undefined);
});

test("[TOOL-1] a tool nobody has, and one that throws, are errors", async () => {
  const unknown = await toolbox.call("paint", {}, context);
  assert.deepEqual(unknown, { text: "There is no tool paint. Tools: echo, break.", isError: true });
  const broken = await toolbox.call("break", {}, context);
  assert.deepEqual(broken, { text: "break failed: the handle came off", isError: true });
});

test("[TOOL-17] a tool for some conversations is offered and callable only there", async () => {
  const isFor = (key: string): boolean => key.endsWith(":task:t1");
  const call = () => textResult("done");
  const own = createToolbox([
    defineTool({ name: "status", description: "", input: {}, isFor, call }),
    defineTool({ name: "now", description: "", input: {}, call }),
  ]);
  const offered = (run: Parameters<typeof own.declarationsFor>[0]) =>
    own.declarationsFor(run).map(({ name }) => name);
  const key = "agent:eng_1:task:t1";
  assert.deepEqual(offered({ key }), ["status", "now"]);
  assert.deepEqual(offered({ key: context.key }), ["now"]);
  assert.deepEqual(offered({}), ["now"]);
  assert.equal((await own.call("status", {}, { ...context, key })).isError, false);
  assert.deepEqual(await own.call("status", {}, context), {
    text: "There is no tool status. Tools: now.",
    isError: true,
  });
});

test("[TOOL-1] what a tool takes is told as plain JSON Schema", () => {
  assert.deepEqual(JSON.parse(JSON.stringify(toolbox.declarations[0]?.input)), {
    type: "object",
    required: ["word"],
    properties: { word: { type: "string" } },
    additionalProperties: false,
  });
});
