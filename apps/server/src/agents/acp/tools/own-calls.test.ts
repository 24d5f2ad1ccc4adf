import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  RequestPermissionRequest,
  ToolCallContent,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { programOf } from "../launch/programs.ts";
import { createOwnCalls } from "./own-calls.ts";

const TOOLS = [["look_up", "look.up"]] as const;

function requestFor(toolCall: Partial<ToolCallUpdate>): RequestPermissionRequest {
  return { sessionId: "s", options: [], toolCall: { toolCallId: "c", ...toolCall } };
}

test("[ACP-11] calls of our tools are reported by our names, whatever the program calls them", () => {
  for (const [program, seen] of [
    ["qwen", "mcp__atrium__look_up"],
    ["gemini", "look_up (atrium MCP Server)"],
    ["opencode", "atrium_look_up"],
    ["copilot", "atrium-look_up"],
    ["codex-acp", "Tool: atrium/look_up"],
  ] as const) {
    const calls = createOwnCalls(TOOLS, programOf(program, []));
    assert.equal(calls.nameOf(seen), "look.up", program);
    assert.equal(calls.nameOf("__proto__"), undefined);
    assert.equal(calls.nameOf("look_up"), undefined);
  }
});

const told = (text: string): ToolCallContent[] => [
  { type: "content", content: { type: "text", text } },
];

test("[ACP-3] a title makes a call of Gemini ours only where the model cannot have chosen it", () => {
  const { isAsked } = createOwnCalls(TOOLS, programOf("gemini", []));
  const isOurs = (call: Partial<ToolCallUpdate>): boolean =>
    isAsked(requestFor(call), { name: undefined, title: call.title ?? undefined });
  const title = "look_up (atrium MCP Server)";
  const kind = "other" as const;
  assert.equal(isOurs({ title, kind, content: told('{"q":"tide"}') }), true);
  for (const forged of [
    { title, kind: "execute" as const, content: told("{}") },
    { title, kind, content: told(JSON.stringify({ command: title })) },
    { title, kind, content: told("[Payload omitted due to length]") },
    { title, kind },
    { title: "look_up (other MCP Server)", kind, content: told("{}") },
  ]) {
    assert.equal(isOurs(forged), false, JSON.stringify(forged));
  }
});

test("[ACP-3] a call of Copilot is ours by what it is called before it is asked for, and by its kind", () => {
  const { isAsked } = createOwnCalls(TOOLS, programOf("copilot", []));
  const isOurs = (first: string, call: Partial<ToolCallUpdate>): boolean =>
    isAsked(requestFor({ rawInput: { q: "tide" }, ...call }), { name: undefined, title: first });
  const kind = "other" as const;
  assert.equal(isOurs("atrium-look_up", { title: "look_up", kind }), true);
  assert.equal(isOurs("other-look_up", { title: "look_up", kind }), false);
  assert.equal(isOurs("atrium-look_up", { title: "rm", kind }), false);
  assert.equal(isOurs("atrium-look_up", { title: "look_up", kind: "execute" }), false);
});

test("[ACP-3] codex-acp asks about a call of our server in a form of its own", () => {
  const { isAsked } = createOwnCalls(TOOLS, programOf("codex-acp", []));
  const _meta = { codex_approval_kind: "mcp_tool_call" };
  const rawInput = { server_name: "atrium", request: { _meta } };
  const isOurs = (input: unknown, title = "Tool: atrium/look_up"): boolean =>
    isAsked(requestFor({ rawInput: input }), { name: undefined, title });
  assert.equal(isOurs(rawInput), true);
  assert.equal(isOurs({ ...rawInput, server_name: "other" }), false);
  assert.equal(isOurs({ server_name: "atrium", command: ["rm", "-r", "tides"] }), false);
  assert.equal(isOurs(rawInput, "rm -r tides"), false);
  assert.equal(isOurs(undefined), false);
});
