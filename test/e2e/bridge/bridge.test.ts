import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { ECHO_TOOL, helloOf, messageOf, openTestSession, plugIn } from "../../kit/bridge.ts";
import { openPeer } from "../../kit/raw-peer.ts";

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `m${from + n}`);

test("[BRIDGE-1] [BRIDGE-3] [WIRE-8] with what Claude Code is started with, hello is acknowledged", async () => {
  await using atrium = await openTestAtrium();
  const { session, heard } = openTestSession(atrium.bridge, { meta: { agent: "Eng 1" } });
  const { env } = session;
  assert.equal(env["SYNTHESIS_BRIDGE_URL"], `ws://127.0.0.1:${atrium.port}/bridge`);
  assert.equal(env["SYNTHESIS_OPENCLAW_SESSION"], "agent:main:main");
  assert.equal(env["SYNTHESIS_CLAUDE_SESSION"], "11111111-2222-4333-8444-555555555555");
  assert.equal(session.isConnected, false);
  await using plugin = await plugIn(session);
  assert.deepEqual(plugin.frames, [
    {
      type: "hello_ack",
      tools: [
        {
          name: "echo",
          description: ECHO_TOOL.description,
          inputSchema: ECHO_TOOL.input,
          input_schema: ECHO_TOOL.input,
        },
      ],
      session_meta: {
        agent: "Eng 1",
        openclaw_session: "agent:main:main",
        claude_session: "11111111-2222-4333-8444-555555555555",
        ping_interval_ms: 30_000,
      },
    },
  ]);
  assert.equal(session.isConnected, true);
  assert.deepEqual(heard.lines, ["in"]);
});

test("[BRIDGE-1] the tools are those of the moment", async () => {
  await using atrium = await openTestAtrium();
  const tools = [ECHO_TOOL];
  const { session } = openTestSession(atrium.bridge, { tools });
  await using first = await plugIn(session);
  tools.push({ ...ECHO_TOOL, name: "second" });
  await using second = await plugIn(session);
  const namesIn = async (plugin: typeof first): Promise<string[]> =>
    (await plugin.take("hello_ack")).tools.map(({ name }: { name: string }) => name);
  assert.deepEqual(await namesIn(first), ["echo"]);
  assert.deepEqual(await namesIn(second), ["echo", "second"]);
});

test("[BRIDGE-1] what is no hello closes the connection and says why", async () => {
  await using atrium = await openTestAtrium();
  const { session } = openTestSession(atrium.bridge);
  const url = String(session.env["SYNTHESIS_BRIDGE_URL"]);
  const { token: _token, ...tokenless } = helloOf(session);
  for (const [text, why] of [
    ["{", /not JSON/],
    ["[]", /object with a type/],
    [`{"type":"tool_call","call_id":"1","tool":"echo","args":{}}`, /not tool_call/],
    [`{"type":"ping","ts":1}`, /not ping/],
    [`{"type":"inbound_message"}`, /unknown type "inbound_message"/],
    [JSON.stringify(tokenless), /hello: .*token/],
    [JSON.stringify(helloOf(session, { pid: "4711" })), /hello: \/pid/],
  ] as const) {
    await using peer = await openPeer(url);
    peer.sendText(text);
    const closed = await peer.closed;
    assert.equal(closed.code, 4500, text);
    assert.match(closed.reason, why);
    assert.deepEqual(peer.frames, []);
  }
  assert.equal(session.isConnected, false);
});

test("[BRIDGE-2] a wrong token and a session that is not open are told apart, and nothing is kept of a token", async () => {
  await using atrium = await openTestAtrium({ args: ["--log", "sqlite"] });
  const { session } = openTestSession(atrium.bridge);
  const url = String(session.env["SYNTHESIS_BRIDGE_URL"]);
  const secret = String(session.env["SYNTHESIS_BRIDGE_TOKEN"]);
  for (const [changes, why] of [
    [{ token: "guess-guess-guess" }, /wrong token/],
    [{ token: "" }, /wrong token/],
    [{ token: atrium.token }, /wrong token/],
    [{ openclaw_session: "agent:main:other" }, /no such session/],
    [{ openclaw_session: "constructor" }, /no such session/],
  ] as const) {
    await using peer = await openPeer(url);
    peer.send(helloOf(session, changes));
    const closed = await peer.closed;
    assert.equal(closed.code, 4501);
    assert.match(closed.reason, why);
  }
  await using _plugin = await plugIn(session);
  const files = (await readdir(atrium.home, { withFileTypes: true })).filter((file) =>
    file.isFile(),
  );
  assert.ok(files.length > 1, "a log and a token at least");
  const kept = await Promise.all(
    files.map(({ name }) => readFile(join(atrium.home, name), "latin1")),
  );
  assert.ok(atrium.notes.length > 0, "the journal tells of wrong tokens");
  for (const place of [...kept, JSON.stringify([atrium.faults, atrium.notes])]) {
    assert.ok(!place.includes(secret) && !place.includes("guess-guess-guess"));
  }
});

test("[BRIDGE-2] wrong tokens use up the tries of the gateway too", async () => {
  await using atrium = await openTestAtrium({
    limits: { wrongTokenTries: 3, wrongTokenRefillMs: 3_600_000 },
  });
  const { session } = openTestSession(atrium.bridge);
  const url = String(session.env["SYNTHESIS_BRIDGE_URL"]);
  const say = async (token: unknown): Promise<{ code: number; reason: string }> => {
    await using peer = await openPeer(url);
    peer.send(helloOf(session, { token }));
    return await peer.closed;
  };
  for (let n = 0; n < 3; n++) assert.equal((await say("guess")).code, 4501);
  const late = await say("guess");
  assert.equal(late.code, 1013);
  assert.match(late.reason, /too many wrong tokens/);
  await assert.rejects(atrium.connect({ auth: { token: "guess" } }), /too many wrong tokens/);
  await using peer = await openPeer(url);
  peer.send(helloOf(session));
  peer.send({ type: "ping", ts: 1 });
  assert.equal((await peer.first(({ type }) => type === "pong")).type, "pong");
});

test("[BRIDGE-1] who does not say hello in time is closed", async () => {
  await using atrium = await openTestAtrium({ limits: { handshakeTimeoutMs: 20 } });
  await using peer = await openPeer(`${atrium.wsUrl}bridge`);
  const { code, reason } = await peer.closed;
  assert.deepEqual([code, reason], [1013, "handshake timeout"]);
});

test("[BRIDGE-3] a token is of its session alone, and worth nothing once that is closed", async () => {
  await using atrium = await openTestAtrium();
  const { session } = openTestSession(atrium.bridge);
  const { session: other } = openTestSession(atrium.bridge, { conversationKey: "agent:main:b" });
  const tokens = [session, other].map(({ env }) => env["SYNTHESIS_BRIDGE_TOKEN"]);
  assert.notEqual(tokens[0], tokens[1]);
  await using crossed = await openPeer(`${atrium.wsUrl}bridge`);
  crossed.send(helloOf(session, { token: tokens[1] }));
  assert.equal((await crossed.closed).code, 4501);

  await using plugin = await plugIn(session);
  session.close("the conversation was deleted");
  assert.deepEqual(await plugin.closed, { code: 1000, reason: "the conversation was deleted" });
  assert.equal(session.isConnected, false);
  await using late = await openPeer(`${atrium.wsUrl}bridge`);
  late.send(helloOf(session));
  assert.match((await late.closed).reason, /no such session/);

  const { session: again } = openTestSession(atrium.bridge);
  assert.notEqual(again.env["SYNTHESIS_BRIDGE_TOKEN"], tokens[0]);
});

test("[BRIDGE-4] a newer connection takes the session over", async () => {
  await using atrium = await openTestAtrium();
  const { session, heard, say } = openTestSession(atrium.bridge);
  await using first = await plugIn(session);
  await using second = await plugIn(session);
  const { code, reason } = await first.closed;
  assert.equal(code, 4509);
  assert.match(reason, /replaced/);
  say("m1");
  assert.equal((await second.take("inbound_message")).request_id, "m1");
  assert.deepEqual(first.messages(), []);
  assert.deepEqual(heard.lines, ["in", "in"]);
  assert.throws(() => openTestSession(atrium.bridge), /one bridge session at a time/);
});

test("[BRIDGE-7] messages come once each, in order, as they were given", async () => {
  await using atrium = await openTestAtrium();
  const { session, say } = openTestSession(atrium.bridge);
  await using plugin = await plugIn(session, { answersPings: true });
  const ids = numbered(1, 500);
  for (const id of ids) {
    say(id);
    if (id.endsWith("00")) await plugin.settled();
  }
  await plugin.settled();
  assert.deepEqual(plugin.messages(), ids);
  const { type, ...message } = await plugin.take("inbound_message");
  assert.equal(type, "inbound_message");
  assert.deepEqual(message, messageOf("m1"));
});

test("[BRIDGE-8] what was said while no one was there follows the hello in order; the oldest over the limit are gone and reported", async () => {
  await using atrium = await openTestAtrium();
  const { session, heard, say } = openTestSession(atrium.bridge);
  say(...numbered(1, 100));
  assert.deepEqual(heard.dropped, []);
  say(...numbered(101, 130));
  const gone = numbered(1, 30).map((id) => ({ id, reason: "overflow", mayHaveArrived: false }));
  assert.deepEqual(heard.dropped, gone);
  await using plugin = await plugIn(session, { answersPings: true });
  await plugin.settled();
  assert.equal(plugin.frames[0]?.type, "hello_ack");
  assert.deepEqual(plugin.messages(), numbered(31, 130));
  assert.deepEqual(
    atrium.faults.map(({ message, context }) => [message, context["dropped"]]),
    [
      ["the oldest message for a plugin that is away was dropped", 1],
      ["messages were dropped while the plugin was away", 30],
    ],
  );
  assert.ok(!JSON.stringify(atrium.faults).includes("text of"));
});

test("[BRIDGE-8] the limit is a setting", async () => {
  await using atrium = await openTestAtrium({ limits: { bridgeBuffer: 2 } });
  const { heard, say } = openTestSession(atrium.bridge);
  say("m1", "m2", "m3");
  assert.deepEqual(
    heard.dropped.map(({ id }) => id),
    ["m1"],
  );
});

test("[BRIDGE-7] what was not proven to arrive comes again; what was, does not", async () => {
  await using atrium = await openTestAtrium();
  const { session, heard, say } = openTestSession(atrium.bridge);
  await using first = await plugIn(session);
  say("m1", "m2");
  const { ts } = await first.take("ping");
  say("m3");
  first.send({ type: "pong", ts });
  await first.settled();
  // The answer proved m1, and since m3 is unproven the server asked once more.
  await first.take("ping");
  assert.deepEqual(first.messages(), ["m1", "m2", "m3"]);
  first.socket.terminate();
  await using second = await plugIn(session, { answersPings: true });
  await second.settled();
  await second.settled();
  // m2 was written after the ping that m1 caused.
  assert.deepEqual(second.messages(), ["m2", "m3"]);
  second.socket.terminate();
  await using third = await plugIn(session);
  await third.settled();
  assert.deepEqual(third.messages(), []);
  assert.deepEqual(heard.dropped, []);
});

test("[BRIDGE-7] a tool call or an answer to no ping proves nothing", async () => {
  await using atrium = await openTestAtrium();
  const { session, say } = openTestSession(atrium.bridge);
  await using first = await plugIn(session);
  first.send({ type: "pong", ts: 1 });
  await first.settled();
  say("m1");
  first.send({ type: "tool_call", call_id: "c1", tool: "echo", args: {} });
  await first.take("tool_result");
  first.socket.terminate();
  await using second = await plugIn(session);
  assert.equal((await second.take("inbound_message")).request_id, "m1");
});

test("[BRIDGE-8] closing reports what was not delivered", async () => {
  await using atrium = await openTestAtrium();
  const { session, heard, say } = openTestSession(atrium.bridge);
  const plugin = await plugIn(session);
  say("m1");
  await plugin.take("inbound_message");
  plugin.socket.terminate();
  await plugin.closed;
  while (session.isConnected) await new Promise(setImmediate);
  say("m2");
  session.close("done");
  say("m3");
  assert.deepEqual(heard.dropped, [
    { id: "m1", reason: "closed", mayHaveArrived: true },
    { id: "m2", reason: "closed", mayHaveArrived: false },
    { id: "m3", reason: "closed", mayHaveArrived: false },
  ]);
  assert.deepEqual(heard.lines, ["in", "out"]);
});
