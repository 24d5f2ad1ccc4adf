import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPluginFrameReader, createServerFrameReader, UnreadableFrame } from "./index.ts";

const FROM_PLUGIN = [
  {
    type: "hello",
    openclaw_session: "agent:main:main",
    claude_session: "0b9c8f6e-0000-4000-8000-000000000000",
    pid: 12_345,
    token: "secret",
  },
  { type: "tool_call", call_id: "tc_001", tool: "pcexec", args: { command: "ls" } },
  {
    type: "permission_request",
    request_id: "abxyz",
    tool: "Bash",
    args: { command: "rm x" },
    rationale: "to clean up",
  },
  { type: "ping", ts: 1 },
  { type: "pong", ts: "2026-05-14T00:00:00Z" },
];

const FROM_SERVER = [
  {
    type: "hello_ack",
    tools: [{ name: "reply", description: "Replies.", input_schema: { type: "object" } }],
    session_meta: { anything: [1] },
  },
  {
    type: "inbound_message",
    request_id: "msg_abc123",
    content: "user message text",
    meta: {
      chat_id: "agent:main:main",
      message_id: "m1",
      user: "alice",
      user_id: "u1",
      ts: "2026-05-14T00:00:00Z",
      source_channel: "discord",
      attachments: [{ name: "a.png" }],
    },
  },
  { type: "permission_reply", request_id: "abxyz", behavior: "allow" },
  { type: "tool_result", call_id: "tc_001", ok: true, result: { text: "done" } },
  { type: "tool_result", call_id: "tc_001", ok: false, error: "no such file" },
  { type: "ping", ts: 1 },
  { type: "pong", ts: 1 },
];

for (const [side, read, frames] of [
  ["the plugin", createPluginFrameReader(), FROM_PLUGIN],
  ["the server", createServerFrameReader(), FROM_SERVER],
] as const) {
  describe(`frames from ${side}`, () => {
    for (const frame of frames) {
      test(`[WIRE-8] ${frame.type} is read as written, and not with less`, () => {
        assert.deepEqual(read(JSON.stringify(frame)), frame);
        for (const field of Object.keys(frame)) {
          if (field === "rationale") continue;
          const { [field]: _gone, ...rest } = frame as Record<string, unknown>;
          assert.ok(read(JSON.stringify(rest)) instanceof UnreadableFrame, `without ${field}`);
        }
      });
    }
  });
}

for (const [side, read, frames] of [
  ["the plugin", createPluginFrameReader(), FROM_PLUGIN],
  ["the server", createServerFrameReader(), FROM_SERVER],
] as const) {
  test(`[WIRE-8] a frame from ${side} with a field that is not known is read all the same`, () => {
    for (const frame of frames) {
      const text = `${JSON.stringify(frame).slice(0, -1)},"extra":{"a":[1]},"__proto__":{"x":1}}`;
      const found = read(text);
      assert.ok("type" in found && found.type === frame.type, text);
      assert.equal(Reflect.get(found, "x"), undefined, "nothing is inherited from a frame");
    }
  });
}

test("[WIRE-8] tools are read with inputSchema, as MCP says it, and with input_schema", () => {
  const read = createServerFrameReader();
  for (const tool of [
    { name: "a", inputSchema: { type: "object" } },
    { name: "a", description: "A.", input_schema: { type: "object" } },
    { name: "a", inputSchema: { type: "object" }, input_schema: { type: "object" }, title: "A" },
  ]) {
    const ack = { type: "hello_ack", tools: [tool], session_meta: {} };
    assert.ok("type" in read(JSON.stringify(ack)), JSON.stringify(tool));
  }
});

test("[WIRE-8] what is no frame is told why", () => {
  const read = createPluginFrameReader();
  for (const [text, problem] of [
    ["{", "not JSON"],
    ["7", "a frame is an object with a type"],
    ["null", "a frame is an object with a type"],
    ["[]", "a frame is an object with a type"],
    [`{"type":7}`, "a frame is an object with a type"],
    [`{"type":"hello_ack","tools":[],"session_meta":{}}`, `unknown type "hello_ack"`],
    [`{"type":"constructor"}`, `unknown type "constructor"`],
    [`{"type":"${"x".repeat(99)}"}`, `unknown type "${"x".repeat(32)}"`],
    [`{"type":"ping","ts":{}}`, "ping: /ts must be number"],
  ] as const) {
    const found = read(text);
    assert.ok(found instanceof UnreadableFrame, text);
    assert.ok(found.problem.startsWith(problem), found.problem);
  }
});

test("[WIRE-8] a permission code is five letters from a to z without l", () => {
  const read = createPluginFrameReader();
  const ask = (id: unknown) =>
    read(JSON.stringify({ type: "permission_request", request_id: id, tool: "Bash", args: {} }));
  for (const code of ["abxyz", "aaaaa", "kmkmz"]) assert.ok("type" in ask(code), code);
  for (const code of [
    "abxy",
    "abxyzz",
    "ablyz",
    "ABXYZ",
    "ab1yz",
    "",
    " abxyz",
    "abxyz\n",
    12345,
  ]) {
    assert.ok(ask(code) instanceof UnreadableFrame, String(code));
  }
});

test("[WIRE-8] a frame with a member called `problem` is a frame like any other", () => {
  const frame = { type: "ping", ts: 1, problem: { not: "a text" } };
  assert.deepEqual(createPluginFrameReader()(JSON.stringify(frame)), frame);
});
