import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { openHttpTools } from "../../../../../../test/kit/tool-server/http-tools.ts";
import { systemTimers, type Timers } from "../../../platform/timers.ts";
import type { ToolResult } from "../../turn/agent-runtime.ts";
import { openHttpToolServer, type HttpToolServer } from "./http-tool-server.ts";

const LOOKUP = { name: "look_up", description: "Looks it up", input: { type: "object" } };

async function open(
  callTool: (name: string, input: unknown) => Promise<ToolResult>,
  timers: Timers = systemTimers,
  secretsInUse = new Set<string>(),
): Promise<HttpToolServer & AsyncDisposable> {
  const deps = { timers, newSecret: randomUUID, secretsInUse };
  const server = await openHttpToolServer([LOOKUP], callTool, deps);
  return { ...server, [Symbol.asyncDispose]: () => server.close() };
}

const high = async (): Promise<ToolResult> => ({ text: "high", isError: false });

function post(
  { url, headers }: HttpToolServer,
  body: unknown,
  authorization = headers[0]?.value ?? "",
): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(url, { method: "POST", headers: { authorization }, body: text });
}

test("[ACP-10] tools are listed and called, with what they are given", async () => {
  const calls: unknown[] = [];
  await using server = await open(async (name, input) => {
    calls.push([name, input]);
    return { text: "high", isError: true };
  });
  const tools = await openHttpTools(server);
  assert.deepEqual(await tools.toolNames(), ["look_up"]);
  assert.deepEqual(await tools.callTool("look_up", { q: "tide" }), {
    content: [{ type: "text", text: "high" }],
    isError: true,
  });
  assert.deepEqual(calls, [["look_up", { q: "tide" }]]);
});

test("[ACP-10] it listens on loopback, and does nothing without the secret of its agent", async () => {
  await using server = await open(high);
  await using other = await open(high);
  assert.equal(new URL(server.url).hostname, "127.0.0.1");
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "look_up" } };
  for (const wrong of ["", "Bearer ", "Bearer x", other.headers[0]?.value ?? ""]) {
    assert.equal((await post(server, call, wrong)).status, 401, wrong);
  }
  assert.equal((await post(server, call)).status, 200);
});

test("[ACP-10] its secret is said by nobody while it is good, and good for nothing afterwards", async () => {
  const inUse = new Set<string>();
  const server = await open(high, systemTimers, inUse);
  const secret = server.headers[0]?.value.replace("Bearer ", "") ?? "";
  assert.deepEqual([...inUse], [secret]);
  await server.close();
  assert.deepEqual([...inUse], []);
  await assert.rejects(post(server, {}), /fetch failed/);
});

test("[ACP-10] whoever waits for people hears that the call is under way", async () => {
  const answered = Promise.withResolvers<ToolResult>();
  const due: (() => void)[] = [];
  const timers = {
    ...systemTimers,
    after: (_ms: number, run: () => void) => (due.push(run), () => undefined),
  };
  await using server = await open(() => answered.promise, timers);
  const params = { name: "look_up", _meta: { progressToken: "p1" } };
  const response = await post(server, { jsonrpc: "2.0", id: 7, method: "tools/call", params });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  assert.ok(reader !== undefined);
  assert.match((await reader.read()).value ?? "", /^: at work/);
  due.shift()?.();
  assert.match(
    (await reader.read()).value ?? "",
    /"notifications\/progress".*"progressToken":"p1"/,
  );
  due.shift()?.();
  assert.match((await reader.read()).value ?? "", /"progress":1/);
  answered.resolve({ text: "high", isError: false });
  assert.match((await reader.read()).value ?? "", /"id":7,"result":.*"high"/);
  assert.equal((await reader.read()).done, true);
});

test("[ACP-10] what is no call of a tool is answered in order", async () => {
  await using server = await open(high);
  const ask = async (method: string, params = {}): Promise<unknown> =>
    (await post(server, { jsonrpc: "2.0", id: 1, method, params })).json();
  assert.deepEqual(await ask("ping"), { jsonrpc: "2.0", id: 1, result: {} });
  assert.match(JSON.stringify(await ask("initialize", { protocolVersion: "1" })), /"2025-06-18"/);
  assert.match(JSON.stringify(await ask("__proto__")), /-32601/);
  const notice = { jsonrpc: "2.0", method: "notifications/initialized" };
  assert.equal((await post(server, notice)).status, 202);
  assert.equal((await post(server, "[]")).status, 400);
  assert.equal((await post(server, "{")).status, 400);
  // Whoever sends too much is hung up on.
  await assert.rejects(post(server, "x".repeat(17 * 1024 * 1024)));
  const headers = { authorization: server.headers[0]?.value ?? "" };
  assert.equal((await fetch(server.url, { headers })).status, 405);
  assert.equal((await fetch(new URL("/other", server.url), { headers })).status, 404);
});
