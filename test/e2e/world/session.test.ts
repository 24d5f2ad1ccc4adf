/** Coming in, subscribing and staying: the world room over a real socket. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { ALL_CHANNELS, enterWorld, openWorldPeer, SCENE } from "../../kit/world-peer.ts";

test("[WORLD-1] the first message must be a hello; whatever else gets an error and is closed with 4500", async () => {
  await using atrium = await openTestAtrium();
  const wrong = [
    "not json",
    "[]",
    "{}",
    '{"type":"hello"}',
    '{"type":"hello","id":"h","ts":1,"v":"1","payload":{}}',
    '{"type":"ping","id":"p","ts":1,"v":1,"payload":{}}',
    '{"type":"teleport","id":"p","ts":1,"v":1,"payload":{}}',
  ];
  for (const text of wrong) {
    await using peer = await openWorldPeer(atrium.wsUrl, atrium.token);
    const error = peer.nextOf("error");
    peer.sendText(text);
    assert.equal((await error).payload.code, "VALIDATION_FAILED", text);
    assert.equal((await peer.closed).code, 4500, text);
  }
});

test("[WORLD-1] the token comes with the upgrade or in the hello; a wrong or missing one is NOT_ALLOWED, 4501", async () => {
  await using atrium = await openTestAtrium();
  await using byHeader = await openWorldPeer(atrium.wsUrl, atrium.token);
  assert.equal((await byHeader.hello()).type, "hello_ack");
  await using byHello = await openWorldPeer(atrium.wsUrl);
  assert.equal((await byHello.hello({ auth: { token: atrium.token } })).type, "hello_ack");
  for (const auth of [{}, { auth: { token: "wrong" } }]) {
    await using stranger = await openWorldPeer(atrium.wsUrl);
    const { type, payload } = await stranger.hello(auth);
    assert.deepEqual([type, payload.code], ["error", "NOT_ALLOWED"]);
    assert.equal((await stranger.closed).code, 4501);
  }
});

test("[WORLD-2] the highest version both know is spoken; without one the error lists ours, then 4502", async () => {
  await using atrium = await openTestAtrium();
  await using many = await openWorldPeer(atrium.wsUrl, atrium.token);
  const { payload } = await many.hello({ supported_versions: [7, 3, 1] });
  assert.deepEqual([payload.protocol_version, payload.protocol_v], [1, 1]);
  await using none = await openWorldPeer(atrium.wsUrl, atrium.token);
  const refused = await none.hello({ supported_versions: [2, 3] });
  assert.equal(refused.payload.code, "PROTOCOL_VERSION_UNSUPPORTED");
  assert.deepEqual(refused.payload.supported_versions, [1]);
  assert.equal((await none.closed).code, 4502);
});

test("[WORLD-2] hello_ack says where the log stands, which scene there is, and nothing of coming back unless asked", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await openWorldPeer(atrium.wsUrl, atrium.token);
  const { payload } = await peer.hello();
  assert.equal(payload.scene_id, SCENE);
  assert.ok(payload.seq > 0 && payload.epoch.length > 0 && payload.session_id.startsWith("sess_"));
  assert.equal("resume" in payload, false);
  peer.send("hello", {}, "hello_again");
  const error = await peer.nextOf("error");
  assert.deepEqual([error.payload.in_reply_to, error.payload.code], ["hello_again", "CONFLICT"]);
});

test("[WORLD-3] subscribing is answered with the whole state; an unknown scene is NOT_FOUND and the connection stays", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await openWorldPeer(atrium.wsUrl, atrium.token);
  await peer.hello();
  peer.send("subscribe", { scene_id: "moon_base", channels: ALL_CHANNELS }, "sub_1");
  const { payload } = await peer.nextOf("error");
  assert.deepEqual([payload.in_reply_to, payload.code], ["sub_1", "NOT_FOUND"]);
  const snapshot = await peer.subscribe();
  assert.equal(snapshot.payload.agents.length, 6);
  assert.deepEqual(
    snapshot.payload.agents.map((agent: { state: string }) => agent.state),
    Array.from({ length: 6 }, () => "IdleAtHome"),
  );
});

test("[WORLD-3] a command before subscribing is NOT_ALLOWED, and the connection stays", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await openWorldPeer(atrium.wsUrl, atrium.token);
  await peer.hello();
  const { payload } = await peer.command("submit_request", { text: "too early" });
  assert.equal(payload.code, "NOT_ALLOWED");
  assert.deepEqual((await peer.subscribe()).payload.projects, []);
});

test("[WORLD-3] only what was subscribed to is sent, in the log's order; resubscribing changes it", async () => {
  await using atrium = await openTestAtrium();
  await using all = await enterWorld(atrium);
  await using some = await openWorldPeer(atrium.wsUrl, atrium.token);
  await some.hello();
  await some.subscribe({ events: true });
  await all.ask("submit_request", { text: "A page" });
  const { payload } = await all.event("kickoff_finished");
  await some.event("kickoff_finished");
  assert.deepEqual([...new Set(some.messages.map(({ type }) => type))].toSorted(), [
    "event",
    "hello_ack",
    "snapshot",
  ]);
  assert.equal(some.told("snapshot").length, 1);
  const numbers = all.messages
    .filter(({ type }) => type === "event" || type === "agent_goal" || type === "chat")
    .map((message) => message.payload.seq as number);
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(numbers).size, numbers.length);
  await some.subscribe({ goals: true });
  const before = some.told("event").length;
  const goal = some.nextOf("agent_goal");
  await all.ask("auto_assign", { project_id: payload.project_id });
  await goal;
  assert.equal(some.told("event").length, before);
});

test("[WORLD-4] ping is answered with its nonce; whoever says nothing for too long is closed with 4000", async () => {
  await using atrium = await openTestAtrium({ limits: { worldSilenceMs: 300 } });
  await using peer = await enterWorld(atrium);
  const ping = { type: "ping", ts: Date.now(), v: 1, payload: { nonce: "n1" } };
  // A member that our own reader uses for something else is a member like any other.
  peer.sendText(JSON.stringify({ ...ping, id: "ping_1", problem: { not: "a text" } }));
  const { payload } = await peer.nextOf("pong");
  assert.deepEqual(payload, { in_reply_to: "ping_1", nonce: "n1" });
  assert.deepEqual(await peer.closed, { code: 4000, reason: "nothing heard for too long" });
});

test("[WORLD-5] nonsense after the hello gets an error each and harms no one; much of it ends the connection", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const nonsense = [
    "",
    "null",
    "7",
    '"x"',
    "{",
    '{"type":1}',
    '{"type":"command","id":"c1"}',
    "\u0000",
  ];
  for (const text of nonsense) {
    const error = peer.nextOf("error");
    peer.sendText(text);
    assert.equal((await error).payload.code, "VALIDATION_FAILED");
  }
  const named = peer.messages.filter(({ payload }) => payload.in_reply_to === "c1");
  assert.equal(named.length, 1);
  await peer.ask("player_pos", { pos: [0, 0, 0] });
  for (let n = 0; n < 1_100; n++) peer.sendText("{");
  assert.equal((await peer.closed).code, 1008);
  await using other = await enterWorld(atrium);
  await other.ask("submit_request", { text: "Still there?" });
  assert.deepEqual(atrium.faults, []);
});

test("[WORLD-4] snapshots follow while someone walks, each from another place", async () => {
  // So slowly that nobody arrives before the fifth.
  const office = { walkingSpeedMps: 0.5 };
  await using atrium = await openTestAtrium({ limits: { worldSnapshotHz: 20 }, office });
  await using peer = await enterWorld(atrium);
  await peer.ask("move_player_to", { poi_id: "poi_bd_desk" });
  const places = new Set<string>();
  for (let n = 0; n < 5; n++) {
    const { payload } = await peer.nextOf("snapshot");
    places.add(JSON.stringify(payload.player.pos));
  }
  assert.equal(places.size, 5);
});
