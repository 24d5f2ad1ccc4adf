/** Tools, permissions and health on the bridge, frame by frame. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import {
  helloOf,
  openTestSession,
  plugIn,
  type BridgeFrame,
  type RawPlugin,
} from "../../kit/bridge.ts";
import { openPeer } from "../../kit/raw-peer.ts";

async function call(plugin: RawPlugin, frame: object): Promise<BridgeFrame> {
  plugin.send({ type: "tool_call", call_id: "c1", tool: "echo", args: {}, ...frame });
  return plugin.take("tool_result");
}

test("[BRIDGE-10] a tool call has one result, by its id", async () => {
  await using atrium = await openTestAtrium();
  const { session } = openTestSession(atrium.bridge);
  await using plugin = await plugIn(session);
  assert.deepEqual(await call(plugin, { call_id: "tc_001", args: { text: "hi" } }), {
    type: "tool_result",
    call_id: "tc_001",
    ok: true,
    result: { text: 'echo {"text":"hi"}' },
  });
  await plugin.settled();
  assert.equal(plugin.frames.filter(({ type }) => type === "tool_result").length, 1);
});

test("[WIRE-8] a hello and a call with fields that are not known are taken all the same", async () => {
  await using atrium = await openTestAtrium();
  const { session } = openTestSession(atrium.bridge);
  await using peer = await openPeer(String(session.env["SYNTHESIS_BRIDGE_URL"]));
  peer.send(helloOf(session, { version: "9.9", capabilities: { a: 1 } }));
  await peer.first(({ type }) => type === "hello_ack");
  peer.send({ type: "tool_call", call_id: "c1", tool: "echo", args: {}, trace: "t-1" });
  const result = (await peer.first(({ type }) => type === "tool_result")) as BridgeFrame;
  assert.deepEqual([result.call_id, result.ok], ["c1", true]);
  assert.deepEqual(atrium.faults, []);
});

test("[BRIDGE-10] calls are answered as they finish", async () => {
  await using atrium = await openTestAtrium();
  const answers: ((text: string) => void)[] = [];
  const { session } = openTestSession(atrium.bridge, {
    callTool: () =>
      new Promise((resolve) => void answers.push((text) => resolve({ text, isError: false }))),
  });
  await using plugin = await plugIn(session);
  for (const id of ["a", "b"]) {
    plugin.send({ type: "tool_call", call_id: id, tool: "echo", args: {} });
  }
  await plugin.settled();
  answers[1]?.("second");
  assert.equal((await plugin.take("tool_result")).call_id, "b");
  answers[0]?.("first");
  assert.equal((await plugin.take("tool_result")).call_id, "a");
});

test("[BRIDGE-10] a tool that fails, rejects or throws is an error result", async () => {
  await using atrium = await openTestAtrium();
  const { session } = openTestSession(atrium.bridge, {
    callTool(_name, args) {
      const { how } = args as { how: string };
      if (how === "throw") throw new Error("password is 1234");
      if (how === "reject") return Promise.reject(new Error("password is 1234"));
      return Promise.resolve({ text: how === "silent" ? "" : "no such file", isError: true });
    },
  });
  await using plugin = await plugIn(session);
  const failed = (error: string) => ({ type: "tool_result", call_id: "c1", ok: false, error });
  assert.deepEqual(await call(plugin, { args: { how: "error" } }), failed("no such file"));
  assert.deepEqual(await call(plugin, { args: { how: "silent" } }), failed("The tool failed."));
  for (const how of ["throw", "reject"]) {
    assert.deepEqual(
      await call(plugin, { args: { how } }),
      failed("echo failed inside the server."),
    );
  }
  assert.deepEqual(
    atrium.faults.map(({ message }) => message),
    ["a tool threw", "a tool threw"],
  );
});

test("[BRIDGE-10] what cannot be called is an error result that says why", async () => {
  await using atrium = await openTestAtrium();
  const { session } = openTestSession(atrium.bridge, {
    callTool: async () => ({ text: "x".repeat(1_000_001), isError: false }),
  });
  await using plugin = await plugIn(session);
  for (const [frame, why] of [
    [{ tool: "nothing" }, /no tool called "nothing"/],
    [{ tool: "constructor" }, /no tool called/],
    [{ args: [] }, /tool_call: \/args/],
    [{ args: "x" }, /tool_call: \/args/],
    [{ tool: 7 }, /tool_call: \/tool/],
    [{ args: { text: "x".repeat(1_000_000) } }, /arguments are too large/],
    [{}, /result is too large \(1000001/],
  ] as const) {
    const { ok, error, call_id: callId } = await call(plugin, frame);
    assert.deepEqual([ok, callId], [false, "c1"]);
    assert.match(error, why);
  }
});

test("[BRIDGE-10] more calls at once than allowed are refused, and an id under way is not started again", async () => {
  await using atrium = await openTestAtrium();
  let calls = 0;
  let finish: (() => void) | undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const { session } = openTestSession(atrium.bridge, {
    async callTool() {
      calls++;
      await finished;
      return { text: "done", isError: false };
    },
  });
  await using plugin = await plugIn(session);
  const start = (id: string) =>
    plugin.send({ type: "tool_call", call_id: id, tool: "echo", args: {} });
  for (let n = 0; n < 64; n++) start(`c${n}`);
  start("c0");
  start("c64");
  const refused = await plugin.take("tool_result");
  assert.equal(refused.call_id, "c64");
  assert.match(refused.error, /Too many tool calls at once/);
  assert.equal(calls, 64);
  finish?.();
  for (let n = 0; n < 64; n++) assert.equal((await plugin.take("tool_result")).ok, true);
  assert.equal((await call(plugin, { call_id: "c0" })).ok, true);
});

test("[BRIDGE-10] a call that takes too long is an error result, once, and the tool is told", async () => {
  await using atrium = await openTestAtrium({ limits: { bridgeToolTimeoutMs: 10 } });
  const aborted = Promise.withResolvers<void>();
  const { session } = openTestSession(atrium.bridge, {
    callTool: (_name, _args, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          resolve({ text: "too late", isError: false });
          aborted.resolve();
        });
      }),
  });
  await using plugin = await plugIn(session);
  const { ok, error } = await call(plugin, {});
  assert.equal(ok, false);
  assert.match(error, /echo did not finish within 1 s/);
  await aborted.promise;
  await plugin.settled();
  assert.equal(plugin.frames.filter(({ type }) => type === "tool_result").length, 1);
});

test("[BRIDGE-10] when the connection ends, its calls are told to stop", async () => {
  await using atrium = await openTestAtrium();
  const started = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const { session } = openTestSession(atrium.bridge, {
    callTool: (_name, _args, signal) =>
      new Promise((_resolve, reject) => {
        started.resolve();
        signal.addEventListener("abort", () => {
          reject(new Error("stopped"));
          aborted.resolve();
        });
      }),
  });
  const plugin = await plugIn(session);
  plugin.send({ type: "tool_call", call_id: "c1", tool: "echo", args: {} });
  await started.promise;
  plugin.socket.terminate();
  await aborted.promise;
  assert.deepEqual(atrium.faults, []);
});

const REQUEST = {
  type: "permission_request",
  request_id: "abxyz",
  tool: "Bash",
  args: { command: "npm publish" },
  rationale: "to publish it",
};

test("[BRIDGE-11] a permission request is handed on, and its answer goes back", async () => {
  await using atrium = await openTestAtrium();
  const { session, heard } = openTestSession(atrium.bridge);
  await using plugin = await plugIn(session);
  plugin.send(REQUEST);
  const { rationale: _rationale, ...short } = { ...REQUEST, request_id: "mnopq" };
  plugin.send(short);
  await plugin.settled();
  assert.deepEqual(heard.asked, [
    { id: "abxyz", tool: "Bash", args: { command: "npm publish" }, rationale: "to publish it" },
    { id: "mnopq", tool: "Bash", args: { command: "npm publish" }, rationale: "" },
  ]);
  session.replyPermission("abxyz", "allow");
  session.replyPermission("mnopq", "deny");
  const reply = (id: string, behavior: string) => ({
    type: "permission_reply",
    request_id: id,
    behavior,
  });
  assert.deepEqual(await plugin.take("permission_reply"), reply("abxyz", "allow"));
  assert.deepEqual(await plugin.take("permission_reply"), reply("mnopq", "deny"));
});

test("[BRIDGE-11] an answer given while the plugin is away reaches it later", async () => {
  await using atrium = await openTestAtrium();
  const { session } = openTestSession(atrium.bridge);
  const first = await plugIn(session);
  first.send(REQUEST);
  await first.settled();
  first.socket.terminate();
  await first.closed;
  while (session.isConnected) await new Promise(setImmediate);
  session.replyPermission("abxyz", "deny");
  await using second = await plugIn(session, { answersPings: true });
  assert.equal((await second.take("permission_reply")).behavior, "deny");
});

test("[BRIDGE-11] a code that is none is not handed on, and nothing else suffers", async () => {
  await using atrium = await openTestAtrium();
  const { session, heard } = openTestSession(atrium.bridge);
  await using plugin = await plugIn(session);
  for (const code of ["ablyz", "ABXYZ", "abxy", "abxyzz", "ab1yz", "", 7, null]) {
    plugin.send({ ...REQUEST, request_id: code });
  }
  for (const broken of [{ args: "x" }, { tool: "" }, { rationale: 7 }]) {
    plugin.send({ ...REQUEST, ...broken });
  }
  plugin.send(REQUEST);
  await plugin.settled();
  assert.deepEqual(
    heard.asked.map(({ id }) => id),
    ["abxyz"],
  );
});

test("[BRIDGE-12] the same request again is not put to people twice; the same code for something else is", async () => {
  await using atrium = await openTestAtrium();
  const { session, heard } = openTestSession(atrium.bridge);
  await using first = await plugIn(session, { answersPings: true });
  first.send(REQUEST);
  await first.settled();
  await using second = await plugIn(session, { answersPings: true });
  second.send(REQUEST);
  await second.settled();
  assert.equal(heard.asked.length, 1);
  session.replyPermission("abxyz", "allow");
  assert.equal((await second.take("permission_reply")).behavior, "allow");
  await second.settled();
  await using third = await plugIn(session);
  third.send(REQUEST);
  assert.equal((await third.take("permission_reply")).behavior, "allow");
  third.send({ ...REQUEST, args: { command: "rm -rf /" } });
  await third.settled();
  assert.equal(heard.asked.length, 2);
  assert.equal(third.frames.filter(({ type }) => type === "permission_reply").length, 1);
});

test("[BRIDGE-6] a frame that is too large ends its connection and nothing else", async () => {
  await using atrium = await openTestAtrium({ limits: { maxPayloadBytes: 100_000 } });
  const { session, say } = openTestSession(atrium.bridge);
  await using plugin = await plugIn(session);
  const { session: other } = openTestSession(atrium.bridge, { conversationKey: "agent:main:b" });
  await using neighbor = await plugIn(other);
  plugin.send({ type: "tool_call", call_id: "c1", tool: "echo", args: { x: "x".repeat(100_000) } });
  assert.equal((await plugin.closed).code, 1009);
  await using stranger = await openPeer(String(session.env["SYNTHESIS_BRIDGE_URL"]));
  stranger.send({ ...helloOf(session), token: "x".repeat(90_000) });
  assert.equal((await stranger.closed).code, 1009);
  assert.equal((await call(neighbor, {})).ok, true);
  say("m1");
  await using back = await plugIn(session);
  assert.equal((await back.take("inbound_message")).request_id, "m1");
  assert.deepEqual(atrium.faults, []);
});

test("[BRIDGE-5] a plugin that misses two pings in a row is let go and may come back", async () => {
  await using atrium = await openTestAtrium({ limits: { bridgePingIntervalMs: 20 } });
  const { session, heard } = openTestSession(atrium.bridge);
  await using silent = await plugIn(session);
  const { code, reason } = await silent.closed;
  assert.deepEqual([code, reason], [4408, "two pings went unanswered"]);
  assert.equal(silent.frames.filter(({ type }) => type === "ping").length, 2);
  assert.equal(session.isConnected, false);
  assert.deepEqual(heard.lines, ["in", "out"]);
  await using _back = await plugIn(session, { answersPings: true });
  assert.deepEqual(heard.lines.slice(0, 3), ["in", "out", "in"]);
});

test("[BRIDGE-5] a ping of the plugin's is answered with its stamp", async () => {
  await using atrium = await openTestAtrium();
  const { session } = openTestSession(atrium.bridge);
  await using plugin = await plugIn(session);
  for (const ts of [7, 1.5, "2026-05-14T00:00:00Z"]) {
    plugin.send({ type: "ping", ts });
    assert.deepEqual(await plugin.take("pong"), { type: "pong", ts });
  }
});

test("[BRIDGE-6] nonsense changes nothing and is named once; too much of it ends the connection", async () => {
  await using atrium = await openTestAtrium();
  const { session, heard } = openTestSession(atrium.bridge);
  await using plugin = await plugIn(session);
  const nonsense = [
    "{",
    "7",
    "{}",
    `{"type":"unknown"}`,
    `{"type":"hello_ack","tools":[],"session_meta":{}}`,
    `{"type":"ping"}`,
    JSON.stringify({
      type: "hello",
      openclaw_session: "a",
      claude_session: "b",
      pid: 1,
      token: "c",
    }),
  ];
  for (const text of nonsense) plugin.sendText(text);
  await plugin.settled();
  assert.equal(session.isConnected, true);
  assert.equal(atrium.faults.length, 1);
  assert.equal(atrium.faults[0]?.context["problem"], "not JSON");
  for (let n = nonsense.length; n < 50; n++) plugin.sendText("{");
  const { code, reason } = await plugin.closed;
  assert.equal(code, 4502);
  assert.match(reason, /too many bad frames; the last: not JSON/);
  assert.deepEqual(heard, { asked: [], dropped: [], lines: ["in", "out"] });
});

test("a callback that throws disturbs nothing", async () => {
  await using atrium = await openTestAtrium({ limits: { bridgeBuffer: 1 } });
  const fail = (): never => {
    throw new Error("no");
  };
  const { session, say } = openTestSession(atrium.bridge, {
    onConnected: fail,
    onDisconnected: fail,
    onDropped: fail,
    onPermissionRequest: fail,
  });
  say("m1", "m2");
  const plugin = await plugIn(session, { answersPings: true });
  plugin.send(REQUEST);
  await plugin.settled();
  assert.deepEqual(plugin.messages(), ["m2"]);
  plugin.socket.terminate();
  await using again = await plugIn(session);
  await again.settled();
  const threw = atrium.faults.filter(({ message }) => message === "a bridge callback threw");
  assert.equal(threw.length, 5);
});

test("a session without its tools is closed for now, and the server goes on", async () => {
  await using atrium = await openTestAtrium();
  let isBroken = true;
  const tool = {
    name: "echo",
    description: "",
    get input() {
      if (isBroken) throw new Error("no");
      return {};
    },
  };
  const { session } = openTestSession(atrium.bridge, { tools: [tool] });
  await using peer = await openPeer(String(session.env["SYNTHESIS_BRIDGE_URL"]));
  peer.send(helloOf(session));
  assert.deepEqual(await peer.closed, { code: 1013, reason: "internal error" });
  assert.equal(atrium.faults[0]?.message, "the bridge threw");
  assert.equal(session.isConnected, false);
  isBroken = false;
  await using _plugin = await plugIn(session);
});

test("[BRIDGE-10] a tool that waits for people is not cut off as others are", async () => {
  await using atrium = await openTestAtrium({ limits: { bridgeToolTimeoutMs: 20 } });
  const answer = Promise.withResolvers<string>();
  const { session } = openTestSession(atrium.bridge, {
    tools: [
      { name: "ask", description: "Asks.", input: { type: "object" }, waitsForPeople: true },
      { name: "slow", description: "Is slow.", input: { type: "object" } },
    ],
    callTool: async () => ({ text: await answer.promise, isError: false }),
  });
  await using plugin = await plugIn(session);
  plugin.send({ type: "tool_call", call_id: "ask", tool: "ask", args: {} });
  plugin.send({ type: "tool_call", call_id: "slow", tool: "slow", args: {} });
  const slow = await plugin.take("tool_result");
  assert.deepEqual([slow.call_id, slow.ok], ["slow", false]);
  answer.resolve("Red");
  const asked = await plugin.take("tool_result");
  assert.deepEqual([asked.call_id, asked.result], ["ask", { text: "Red" }]);
});
