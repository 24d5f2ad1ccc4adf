import assert from "node:assert/strict";
import { test } from "node:test";
import { PluginHeartbeat } from "./heartbeat.ts";

const INTERVAL_MS = 30_000;

function openHeartbeat() {
  const due: (() => void)[] = [];
  const sent: number[] = [];
  const proven: number[] = [];
  let marks = 0;
  let isDead = false;
  const heartbeat = new PluginHeartbeat({
    intervalMs: INTERVAL_MS,
    clock: { now: () => 1_000 },
    timers: {
      after(ms, run) {
        assert.equal(ms, INTERVAL_MS);
        due.push(run);
        return () => void due.splice(due.indexOf(run), 1);
      },
    },
    send: ({ ts }) => void sent.push(Number(ts)),
    mark() {
      const mark = ++marks;
      return () => void proven.push(mark);
    },
    onDead: () => (isDead = true),
  });
  return {
    heartbeat,
    sent,
    proven,
    isDead: () => isDead,
    timers: () => due.length,
    pass: () => due.shift()?.(),
    pong: (ts: number | string | undefined) => heartbeat.pong({ type: "pong", ts: ts ?? "none" }),
  };
}

test("[BRIDGE-5] a plugin that answers stays; one missed ping is forgiven, two in a row are not", () => {
  const { sent, pass, pong, isDead, timers } = openHeartbeat();
  for (let n = 0; n < 10; n++) {
    pass();
    pong(sent.at(-1));
  }
  for (let n = 0; n < 5; n++) {
    pass();
    pass();
    pong(sent.at(-1));
  }
  assert.equal(isDead(), false);
  pass();
  pass();
  assert.equal(isDead(), false);
  pass();
  assert.equal(isDead(), true);
  assert.equal(timers(), 0);
  assert.equal(new Set(sent).size, sent.length, "no two pings are the same");
});

test("[BRIDGE-7] a pong proves what was sent before its ping, and no more", () => {
  const { heartbeat, sent, proven, pass, pong } = openHeartbeat();
  heartbeat.pingSoon();
  heartbeat.pingSoon();
  assert.equal(sent.length, 1, "one at a time");
  pass();
  pass();
  pong(sent[1]);
  assert.deepEqual(proven, [2]);
  pong("what is this");
  assert.deepEqual(proven, [2, 3]);
  pong("an answer to nothing");
  assert.deepEqual(proven, [2, 3]);
});

test("[BRIDGE-5] a stopped heartbeat neither pings nor proves", () => {
  const { heartbeat, proven, sent, pong, timers } = openHeartbeat();
  heartbeat.pingSoon();
  heartbeat.stop();
  pong(sent[0]);
  assert.deepEqual(proven, []);
  assert.equal(timers(), 0);
});
