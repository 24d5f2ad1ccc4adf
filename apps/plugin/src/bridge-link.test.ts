import assert from "node:assert/strict";
import { test } from "node:test";
import { BridgeLink } from "./bridge-link.ts";
import { FakeSocket } from "./testing/fake-socket.ts";
import { createHandTimers } from "./testing/hand-timers.ts";

const ACK = { type: "hello_ack", tools: [], session_meta: { ping_interval_ms: 30_000 } };
const HELLO_MS = 10_000;
const SILENCE_MS = 75_000;

function openLink() {
  const sockets: FakeSocket[] = [];
  const timers = createHandTimers();
  const told: unknown[] = [];
  const lines: string[] = [];
  const link = new BridgeLink({
    settings: {
      url: "ws://127.0.0.1:1/bridge",
      token: "very-secret",
      openclawSession: "agent:main:main",
      claudeSession: "c1",
    },
    pid: 7,
    openSocket() {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    timers,
    log: (line) => void lines.push(line),
    onUp: () => void told.push("up"),
    onFrame: (frame) => void told.push(frame),
    onDown: (reason) => void told.push(`down: ${reason}`),
  });
  const socket = (): FakeSocket => sockets.at(-1) ?? assert.fail("no socket");
  const comeUp = (): void => {
    socket().opened();
    socket().receive(ACK);
  };
  return { link, timers, sockets, socket, comeUp, told, lines };
}

test("[PLUGIN-8] it says hello when the socket is open and is up when that is acknowledged", () => {
  const { link, socket, comeUp, told } = openLink();
  link.start();
  link.start();
  assert.deepEqual(socket().sent, []);
  assert.equal(link.send({ type: "ping", ts: 1 }), false);
  comeUp();
  const hello = {
    type: "hello",
    openclaw_session: "agent:main:main",
    claude_session: "c1",
    pid: 7,
    token: "very-secret",
  };
  assert.deepEqual(socket().sent, [hello]);
  assert.deepEqual(told, ["up"]);
  assert.equal(link.send({ type: "ping", ts: 1 }), true);
});

test("[PLUGIN-8] it comes back after 1, 2, 4 ... 30 s, and from the start after each success", () => {
  const { link, timers, socket, sockets, comeUp, told } = openLink();
  link.start();
  const delays: number[] = [];
  const fail = (): void => {
    socket().lost();
    const [delay] = timers.delays;
    assert.equal(timers.delays.length, 1);
    delays.push(delay ?? 0);
    timers.pass(delay ?? 0);
  };
  for (let n = 0; n < 7; n++) fail();
  comeUp();
  fail();
  fail();
  assert.deepEqual(
    delays,
    [1, 2, 4, 8, 16, 30, 30, 1, 2].map((seconds) => seconds * 1000),
  );
  assert.deepEqual(told, ["up", "down: the connection was lost (1006)"]);
  assert.equal(sockets.length, 10);
});

test("[PLUGIN-8] it stays away when the server says that coming back is of no use, and only then", () => {
  for (const [code, isFinal] of [
    [1000, true],
    [4500, true],
    [4501, true],
    [4509, true],
    [1001, false],
    [1006, false],
    [1008, false],
    [1012, false],
    [1013, false],
    [4408, false],
  ] as const) {
    const { link, timers, socket, comeUp, told, lines } = openLink();
    link.start();
    comeUp();
    socket().lost(code, "because");
    assert.equal(link.endReason, isFinal ? "because" : undefined, String(code));
    assert.equal(timers.delays.length, isFinal ? 0 : 1);
    assert.deepEqual(told, ["up", "down: because"]);
    assert.ok(!lines.join("\n").includes("very-secret"));
  }
});

test("[PLUGIN-8] a pong follows what came before its ping", () => {
  const { link, socket, comeUp, told } = openLink();
  link.start();
  comeUp();
  const reply = { type: "permission_reply", request_id: "abxyz", behavior: "allow" };
  socket().receive(reply);
  socket().receive({ type: "ping", ts: 5 });
  assert.deepEqual(told, ["up", reply]);
  assert.deepEqual(socket().sent.slice(1), [{ type: "pong", ts: 5 }]);
});

test("[PLUGIN-8] a server that is silent for too long is lost, and its socket heard no more", () => {
  const { link, timers, sockets, socket, comeUp, told } = openLink();
  link.start();
  comeUp();
  socket().receive({ type: "ping", ts: 5 });
  assert.deepEqual(timers.delays, [SILENCE_MS]);
  timers.pass(SILENCE_MS);
  assert.match(String(told[1]), /down: nothing was heard/);
  const [dead] = sockets;
  assert.equal(dead?.isClosed, true);
  dead?.lost();
  dead?.receive({ type: "permission_reply", request_id: "abxyz", behavior: "allow" });
  assert.equal(told.length, 2);
  assert.deepEqual(timers.delays, [1_000]);
});

test("[PLUGIN-8] a server that does not acknowledge is tried again", () => {
  const { link, timers, socket, told } = openLink();
  link.start();
  socket().opened();
  timers.pass(HELLO_MS);
  assert.deepEqual(timers.delays, [1_000]);
  assert.deepEqual(told, []);
});

test("[PLUGIN-8] what is no frame is skipped, and nothing is taken before the acknowledgement", () => {
  const { link, socket, comeUp, told, lines } = openLink();
  link.start();
  socket().opened();
  socket().receive({ type: "ping", ts: 1 });
  socket().receive({ type: "permission_reply", request_id: "abxyz", behavior: "allow" });
  comeUp();
  for (const text of ["{", "7", `{"type":"surprise"}`, `{"type":"permission_reply"}`]) {
    socket().receive(text);
  }
  assert.deepEqual(told, ["up"]);
  assert.equal(lines.filter((line) => line.includes("cannot be used")).length, 4);
});

test("[PLUGIN-9] stopping closes the socket and leaves nothing waiting", () => {
  const { link, timers, socket, comeUp, told } = openLink();
  link.start();
  comeUp();
  link.stop();
  socket().lost();
  assert.equal(socket().isClosed, true);
  assert.deepEqual(timers.delays, []);
  assert.deepEqual(told, ["up"]);
});
