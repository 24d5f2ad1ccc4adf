/** `openclaw mcp serve`: an MCP client (Claude Code, Codex) reads and answers our conversations through it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { speakJsonRpc, type JsonRpc } from "../kit/json-rpc.ts";
import { findOpenClaw } from "../kit/peer.ts";
import { openStage, type Stage } from "../kit/stage.ts";

const openclaw = findOpenClaw("2026.9.6");
const { skip } = openclaw;
const KEY = "agent:main:main";

test("[CONF-8] an MCP client lists our conversations and reads one", { skip }, async () => {
  await using stage = await openStage(openclaw, { client: "MCP bridge" });
  await using peer = await stage.server.connect();
  await peer.ask("chat.inject", { sessionKey: "main", message: "kept for MCP" });
  const client = await connectMcp(stage);

  const { tools } = await client.request("tools/list", {});
  const names = (tools as { name: string }[]).map(({ name }) => name);
  for (const name of ["conversations_list", "messages_read", "events_wait", "messages_send"]) {
    assert.ok(names.includes(name), `${name} is not offered: ${names.join(", ")}`);
  }
  assert.match(await callTool(client, "conversations_list", {}), /"sessionKey": "agent:main:main"/);
  const read = await callTool(client, "messages_read", { session_key: KEY });
  assert.match(read, /kept for MCP/);
});

test("[CONF-8] an MCP client hears what is said while it waits", { skip }, async () => {
  await using stage = await openStage(openclaw, { client: "MCP bridge" });
  await using peer = await stage.server.connect();
  const client = await connectMcp(stage);
  await callTool(client, "conversations_list", {});
  const heard = callTool(client, "events_wait", { session_key: KEY, timeout_ms: 120_000 });
  await peer.ask("chat.inject", { sessionKey: KEY, message: "said while it waited" });
  const event = await heard;
  assert.match(event, /"type": "message"/);
  assert.match(event, /"text": "said while it waited"/);
});

async function connectMcp(stage: Stage): Promise<JsonRpc> {
  const client = speakJsonRpc(stage.start("mcp", "serve"));
  await client.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "conformance", version: "1" },
  });
  client.notify("notifications/initialized");
  return client;
}

/** All that the tool gave back, as text. */
async function callTool(client: JsonRpc, name: string, args: object): Promise<string> {
  const result = await client.request("tools/call", { name, arguments: args });
  const text = (result.content as { text: string }[]).map((part) => part.text).join("\n");
  assert.notEqual(result.isError, true, text);
  return `${text}\n${JSON.stringify(result.structuredContent, null, 2)}`;
}
