import assert from "node:assert/strict";
import { test } from "node:test";
import { systemEcho } from "@atrium/wire/gateway";
import { Stage, reply } from "../testing/stage.ts";
import type { Gap } from "./feed.ts";

const tick = (ts: unknown, seq?: number): object => ({
  type: "event",
  event: "tick",
  payload: { ts },
  ...(seq !== undefined && { seq }),
});

test("[CLIENT-21] a frame that cannot be read is reported, and the client goes on", async () => {
  await using stage = new Stage();
  await stage.connect();
  const request = stage.client.request(systemEcho, { text: "hi" });
  stage.socket
    .say("{not json")
    .say("[]")
    .say(42)
    .say({ type: "res", id: stage.asked["id"] })
    .say({ type: "event", event: "tick", payload: { ts: 1 }, unheard: "of" })
    .say(reply(stage.asked["id"], { ok: true, text: "hi" }))
    .flush();
  assert.equal((await request).text, "hi");
  assert.deepEqual(
    stage.problems.map(({ kind }) => kind),
    ["frame", "frame", "frame", "frame", "frame"],
  );
});

test("[CLIENT-21] a reply to nothing that was asked is reported with what it says", async () => {
  await using stage = new Stage();
  await stage.connect();
  const error = { code: "INVALID_REQUEST", message: "invalid request frame" };
  stage.socket.say({ type: "res", id: "invalid", ok: false, error }).flush();
  assert.deepEqual(stage.problems, [
    { kind: "reply", id: "invalid", issue: "invalid request frame" },
  ]);
});

test("[CLIENT-19] events reach those who asked for their name and those who asked for all", async () => {
  await using stage = new Stage();
  const heard: unknown[] = [];
  const stop = stage.client.onEvent("tick", ({ ts }, { seq }) => heard.push(["tick", ts, seq]));
  stage.client.onEvent("newer.event", (payload) => heard.push(["newer", payload]));
  await stage.connect();
  stage.client.onEvent("*", (_, { event }) => heard.push(["*", event]));
  stage.socket.say(tick(1, 7)).say({ type: "event", event: "newer.event", payload: "x" }).flush();
  stop();
  stage.socket.say(tick(2)).flush();
  assert.deepEqual(heard, [
    ["tick", 1, 7],
    ["*", "tick"],
    ["newer", "x"],
    ["*", "newer.event"],
    ["*", "tick"],
  ]);
});

test("[CLIENT-19] an event that breaks its schema is reported and not delivered", async () => {
  await using stage = new Stage();
  await stage.connect();
  const heard: number[] = [];
  stage.client.onEvent("tick", ({ ts }) => heard.push(ts));
  stage.socket.say(tick("noon")).say(tick(2)).flush();
  assert.deepEqual(heard, [2]);
  assert.equal(stage.problems.length, 1);
  assert.deepEqual(stage.problems[0], {
    kind: "event",
    event: "tick",
    issue: "at /ts: must be integer",
  });
});

test("[CLIENT-20] a number that skips others is a gap; no number, or the first of a socket, is none", async () => {
  await using stage = new Stage();
  const gaps: Gap[] = [];
  stage.client.onGap((gap) => gaps.push(gap));
  await stage.connect();
  stage.socket.say(tick(1, 40)).say(tick(2, 41)).say(tick(3)).say(tick(4, 42)).flush();
  assert.deepEqual(gaps, []);
  let gapsBefore = 0;
  stage.client.onEvent("tick", ({ ts }) => {
    if (ts === 5) gapsBefore = gaps.length;
  });
  stage.socket.say(tick(5, 45)).say(tick(6, 46)).flush();
  assert.deepEqual(gaps, [{ expected: 43, received: 45 }]);
  assert.equal(gapsBefore, 1);

  stage.socket.hangUp(1012).flush();
  stage.clock.advance(1_000);
  await stage.greet();
  stage.socket.say(tick(7, 100)).say(tick(8, 101)).flush();
  assert.equal(gaps.length, 1);
});

test("[CLIENT-20] an event that is withheld still counts, so it leaves no gap behind", async () => {
  await using stage = new Stage();
  const gaps: Gap[] = [];
  stage.client.onGap((gap) => gaps.push(gap));
  await stage.connect();
  stage.socket.say(tick(1, 1)).say(tick("noon", 2)).say(tick(3, 3)).flush();
  assert.deepEqual(gaps, []);
});

test("[CLIENT-19] a handler that throws is reported and keeps nobody else from hearing", async () => {
  await using stage = new Stage();
  await stage.connect();
  const cause = new RangeError("mine");
  const heard: number[] = [];
  stage.client.onEvent("tick", () => {
    throw cause;
  });
  stage.client.onEvent("tick", ({ ts }) => heard.push(ts));
  stage.client.onState(() => {
    throw cause;
  });
  stage.socket.say(tick(1)).hangUp(1012).flush();
  assert.deepEqual(heard, [1]);
  assert.deepEqual(stage.problems, [
    { kind: "handler", cause },
    { kind: "handler", cause },
  ]);
  assert.equal(stage.client.state.state, "waiting");
});
