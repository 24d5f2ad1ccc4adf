import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import type { Frame } from "../../kit/raw-peer.ts";

const NONSENSE = [
  ["not JSON", "{nope"],
  ["an empty text", ""],
  ["a number", "7"],
  ["null", "null"],
  ["an array", "[]"],
  ["an event", JSON.stringify({ type: "event", event: "tick" })],
  ["a request without id", JSON.stringify({ type: "req", method: "health" })],
  ["a deep nest", "[".repeat(20_000) + "]".repeat(20_000)],
] as const;

test("[GW-29] before connect, nonsense is answered with an error and closed", async () => {
  await using atrium = await openTestAtrium();
  for (const [what, text] of NONSENSE) {
    await using peer = await atrium.open();
    peer.sendText(text);
    const answer = await peer.first((frame) => frame.type === "res");
    assert.equal(answer.id, "invalid", what);
    assert.equal(answer.error?.code, "INVALID_REQUEST", what);
    assert.match(answer.error?.message ?? "", /^invalid request frame/, what);
    assert.equal((await peer.closed).code, 1008, what);
  }
});

test("[GW-29] after connect, nonsense is answered with an error and the connection goes on", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  for (const [what, text] of NONSENSE) {
    const answer = peer.next((frame) => frame.type === "res");
    peer.sendText(text);
    assert.match((await answer).error?.message ?? "", /^invalid request frame/, what);
  }
  assert.equal((await peer.ask("health")).ok, true);
});

test("[GW-29] the error says where the frame is wrong", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const say = async (text: string): Promise<[string | undefined, string | undefined]> => {
    const answer = peer.next((frame) => frame.type === "res");
    peer.sendText(text);
    const { id, error } = await answer;
    return [id, error?.message];
  };
  assert.deepEqual(
    await say(JSON.stringify({ type: "req", id: "q", method: "health", bogus: 1 })),
    ["q", "invalid request frame: at root: unexpected property 'bogus'"],
  );
  assert.deepEqual(await say(JSON.stringify({ type: "req", method: "health" })), [
    "invalid",
    "invalid request frame: must have required property 'id'",
  ]);
  const [id, message] = await say("{nope");
  assert.equal(id, "invalid");
  assert.match(message ?? "", /^invalid request frame: not JSON: .+/);
});

test("[GW-29] binary garbage is answered, and JSON in a binary frame is read", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const garbage = peer.next((frame) => frame.type === "res");
  peer.socket.send(Buffer.from([0xff, 0x00, 0xfe, 0x80]), { binary: true });
  assert.match((await garbage).error?.message ?? "", /not JSON/);
  const answer = peer.next((frame) => frame.id === "b");
  peer.socket.send(Buffer.from(JSON.stringify({ type: "req", id: "b", method: "health" })), {
    binary: true,
  });
  assert.equal((await answer).ok, true);
});

test("[GW-29] text that is not UTF-8 ends the connection as the WebSocket rules say", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  peer.socket.send(Buffer.from([0xff, 0xfe, 0xfd]), { binary: false });
  assert.equal((await peer.closed).code, 1007);
});

test("[GW-31] a call that breaks on our side is answered UNAVAILABLE and reported once, and the connection goes on", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const send = (idempotencyKey: string, more: object): Promise<Frame> =>
    peer.request("chat.send", { sessionKey: "main", message: "x", idempotencyKey, ...more });
  // Where files of messages are kept there is no folder any more.
  await rm(join(atrium.home, "blobs"), { recursive: true, force: true });
  await writeFile(join(atrium.home, "blobs"), "");
  const { error } = await send("r1", { attachments: [{ fileName: "a.txt", content: "QUFB" }] });
  assert.deepEqual([error?.code, error?.details.reason], ["UNAVAILABLE", "internal"]);
  assert.deepEqual(
    atrium.faults.map(({ context }) => context["method"]),
    ["chat.send"],
  );
  assert.equal((await send("r2", {})).ok, true);
});

test("[GW-29] an unknown method is named", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  for (const method of ["no.such.method", "__proto__", "constructor"]) {
    const { error } = await peer.request(method, {});
    assert.deepEqual(error, { code: "INVALID_REQUEST", message: `unknown method: ${method}` });
  }
});

test("[GW-29] wrong params are explained and change nothing", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const before = (await peer.ask("status")).log.seq;
  for (const [method, params, why] of [
    ["chat.history", {}, "must have required property 'sessionKey'"],
    ["chat.history", { sessionKey: 7 }, "at /sessionKey: must be string"],
    ["chat.history", { sessionKey: "main", limit: 0 }, "at /limit: must be >= 1"],
    ["sessions.list", { bogus: 1 }, "at root: unexpected property 'bogus'"],
    ["system.echo", "text", "at root: must be object"],
    ["system.echo", null, "must have required property 'text'"],
    [
      "chat.inject",
      { sessionKey: "main", message: "" },
      "at /message: must not have fewer than 1 characters",
    ],
  ] as const) {
    const { error } = await peer.request(method, params);
    assert.deepEqual(error, {
      code: "INVALID_REQUEST",
      message: `invalid ${method} params: ${why}`,
    });
  }
  assert.equal((await peer.ask("status")).log.seq, before);
});

test("[GW-29] strange characters are refused or kept as they are, never an accident", async () => {
  await using atrium = await openTestAtrium({ args: ["--log", "sqlite"] });
  await using peer = await atrium.connect();
  const STRANGE = "NUL \u0000, half a pair \ud800, right to left \u202e, emoji 👩‍👩‍👧";
  for (const sessionKey of ["main\u0000", "main\ud800", "a b"]) {
    const { error } = await peer.request("chat.inject", { sessionKey, message: "x" });
    assert.equal(error?.details.reason, "conversation.misnamed", JSON.stringify(sessionKey));
  }
  const inject = { sessionKey: "main", message: STRANGE, idempotencyKey: STRANGE };
  const { messageId } = await peer.ask("chat.inject", inject);
  assert.equal((await peer.ask("chat.inject", inject)).messageId, messageId);
  const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
  assert.deepEqual(
    messages.map((message: { content: { text: string }[] }) => message.content[0]?.text),
    [STRANGE],
  );
  assert.deepEqual(atrium.faults, []);
});

test("[GW-30] endless nonsense gets short answers, then the door", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await using bystander = await atrium.connect();
  for (let i = 0; i < 1_100; i++) peer.sendText("{nope");
  assert.deepEqual(await peer.closed, { code: 1008, reason: "too many invalid frames" });
  const answers = peer.frames
    .filter((frame) => frame.id === "invalid")
    .map((frame) => frame.error?.message);
  assert.ok(answers.some((message) => message === "invalid request frame: not JSON"));
  assert.equal((await bystander.ask("health")).ok, true);
});
