import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { instructionsFor } from "./instructions.ts";
import { openMcpSide } from "./mcp-side.ts";
import { createHandTimers } from "./testing/hand-timers.ts";
import type { CallOutcome } from "./tool-calls.ts";

test("[PLUGIN-6] what Claude is told about who reads its words fits how it is spoken with", () => {
  for (const transport of ["headless", "interactive", "acp", "codex", "channel"]) {
    assert.match(instructionsFor(transport), /read what you write in this session/, transport);
    assert.doesNotMatch(instructionsFor(transport), /do not see this session/, transport);
  }
  for (const transport of ["bridge", undefined]) {
    assert.match(instructionsFor(transport), /do not see this session.*answer with the tool reply/);
  }
  assert.match(instructionsFor("channel"), /<channel>/);
  assert.doesNotMatch(instructionsFor("headless"), /<channel>/);
});

test("[PLUGIN-3] a call that takes long is told to be under way, to clients that asked for it", async () => {
  const timers = createHandTimers();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? "null");
  const tell = (message: object): void =>
    void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const answers: ((outcome: CallOutcome) => void)[] = [];
  const side = await openMcpSide({
    input,
    output,
    version: "0",
    instructions: "I",
    timers,
    log: () => undefined,
    listTools: () => Promise.resolve([]),
    callTool: () => new Promise((resolve) => void answers.push(resolve)),
    onNotification: () => undefined,
    onInitialized: () => undefined,
  });
  const clientInfo = { name: "t", version: "0" };
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  tell({ id: 1, method: "initialize", params: hello });
  assert.equal((await next()).result.instructions, "I");
  tell({ method: "notifications/initialized" });
  const call = (id: number, more = {}): void =>
    tell({ id, method: "tools/call", params: { name: "ask", arguments: {}, ...more } });
  call(2);
  call(3, { _meta: { progressToken: "p" } });
  while (answers.length < 2) await new Promise(setImmediate);
  assert.deepEqual(timers.delays, [25_000], "only for the one that asked");
  for (const progress of [1, 2]) {
    timers.pass(25_000);
    const { method, params } = await next();
    assert.equal(method, "notifications/progress");
    assert.deepEqual(params, { progressToken: "p", progress });
  }
  answers[1]?.({ text: "Red", isError: false });
  assert.equal((await next()).result.content[0].text, "Red");
  assert.deepEqual(timers.delays, []);
  await side.close();
});
