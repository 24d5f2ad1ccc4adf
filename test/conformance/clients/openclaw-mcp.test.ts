/** `openclaw mcp serve`: an MCP client (Claude Code, Codex) reads and answers our conversations through it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { speakJsonRpc, type JsonRpc } from "../kit/json-rpc.ts";
import { findOpenClaw } from "../kit/peer.ts";
import { openStage, type Stage } from "../kit/stage.ts";

const openclaw = findOpenClaw("2026.9.6");

test(
  "[CONF-22] an MCP client lists our conversations and reads one",
  { skip: openclaw.skip },
  async () => {
    await using stage = await openStage(openclaw, { client: "MCP bridge" });
    await using peer = await stage.server.connect();
    await peer.ask("chat.inject", { sessionKey: "main", message: "kept for MCP" });
    const client = await connectMcp(stage);

    const { tools } = await client.request("tools/list", {});
    const names = (tools as { name: string }[]).map(({ name }) => name);
    for (const name of ["conversations_list", "messages_read", "events_wait", "messages_send"]) {
      assert.ok(names.includes(name), `${name} is not offered: ${names.join(", ")}`);
    }
    assert.match(
      await callTool(client, "conversations_list", {}),
      /"sessionKey": "agent:main:main"/,
    );
    const read = await callTool(client, "messages_read", { session_key: "agent:main:main" });
    assert.match(read, /kept for MCP/);
  },
);

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

async function callTool(client: JsonRpc, name: string, args: object): Promise<string> {
  const result = await client.request("tools/call", { name, arguments: args });
  const text = (result.content as { text: string }[]).map((part) => part.text).join("\n");
  assert.notEqual(result.isError, true, text);
  return text;
}
