import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeNetwork, type FakeSocket } from "../testing/fake-network.ts";
import { turn } from "../testing/stage.ts";
import { TestClock } from "../testing/test-clock.ts";
import { WorldRefused, WorldStale } from "./commands.ts";
import type { WorldStatus } from "./status.ts";
import { createWorldClient, type WorldGap } from "./world-client.ts";

const say = (type: string, payload: object, id = `${type}_1`): object => ({
  type,
  id,
  ts: 1,
  v: 1,
  payload,
});
const ack = (resume?: object): object =>
  say("hello_ack", { session_id: "s", ...(resume && { resume }) });
const snapshot = (seq: number, epoch = "e1"): object =>
  say(
    "snapshot",
    { scene_id: "cozy_office_v0", seq, epoch, agents: [{ agent_id: "agent_bd" }] },
    `snap_${seq}`,
  );
const event = (seq: number): object =>
  say("event", { seq, name: "task_done", project_id: "proj_a" }, `evt_${seq}`);
const goal = (seq: number): object =>
  say("agent_goal", { seq, agent_id: "agent_bd", path: [[0, 0, 0]] }, `goal_${seq}`);

function stage() {
  const network = new FakeNetwork();
  const clock = new TestClock();
  let keys = 0;
  const client = createWorldClient({
    url: "ws://world.test/ws/world",
    client: { name: "test" },
    token: "secret",
    deps: {
      WebSocket: network.WebSocket,
      now: clock.now,
      setTimer: clock.setTimer,
      random: () => 0,
      newKey: () => `k${++keys}`,
    },
  });
  const statuses: WorldStatus[] = [];
  const seqs: number[] = [];
  const gaps: WorldGap[] = [];
  client.onStatus((status) => statuses.push(status));
  client.onGap((gap) => gaps.push(gap));
  client.on("event", ({ payload }) => seqs.push(payload.seq ?? -1));
  const accepted = new Set<FakeSocket>();
  const greet = (...told: readonly object[]): FakeSocket => {
    const { socket } = network;
    if (!accepted.has(socket)) socket.accept();
    accepted.add(socket);
    for (const each of told) socket.say(each);
    return socket.flush();
  };
  const lose = (): void => void network.socket.hangUp(1006).flush();
  const payloadOf = (type: string): Record<string, unknown> =>
    network.socket.heard.findLast((frame) => frame["type"] === type)?.["payload"] as Record<
      string,
      unknown
    >;
  return { network, clock, client, statuses, seqs, gaps, greet, lose, payloadOf };
}

test("[CLIENT-2] it says hello, subscribes, and is connected once it knows how things stand", async () => {
  const { client, greet, payloadOf } = stage();
  const connected = client.connect();
  const socket = greet();
  assert.deepEqual(payloadOf("hello"), {
    client: { name: "test" },
    supported_versions: [1],
    auth: { token: "secret" },
  });
  socket.say(ack()).flush();
  assert.equal(payloadOf("subscribe")["scene_id"], "cozy_office_v0");
  assert.equal(client.status.state, "connecting");
  greet(snapshot(3));
  await connected;
  assert.equal(client.snapshot?.seq, 3);
});

test("[CLIENT-31] while stale, what was seen stays and commands are frozen; it goes on from its cursor", async () => {
  const { client, clock, network, greet, lose, payloadOf, statuses, seqs, gaps } = stage();
  void client.connect();
  greet(ack(), snapshot(3), event(4), event(7));
  lose();
  assert.deepEqual(statuses.at(-1), {
    state: "stale",
    retries: 1,
    delayMs: 1_000,
    reason: "the connection closed (1006)",
  });
  assert.equal(client.snapshot?.seq, 3);
  await assert.rejects(client.command("auto_assign", { project_id: "proj_a" }), WorldStale);
  clock.advance(999);
  assert.equal(network.sockets.length, 1);
  clock.advance(1);
  greet();
  assert.deepEqual(payloadOf("hello")["resume"], {
    last_seq: 7,
    last_snapshot_id: "snap_3",
    scene_id: "cozy_office_v0",
    epoch: "e1",
  });
  const resumed = { status: "resumed", reason: "CURSOR_OK", replay_from_seq: 8 };
  greet(ack(resumed), event(7), event(8), event(9), snapshot(9), event(9), event(12));
  assert.equal(client.status.state, "connected");
  assert.deepEqual(seqs, [4, 7, 8, 9, 12]);
  assert.deepEqual(gaps, []);
});

test("[CLIENT-32] a server that does not replay is met as for the first time", () => {
  const { client, clock, greet, lose, seqs, gaps } = stage();
  void client.connect();
  greet(ack(), snapshot(100), event(104), goal(105));
  assert.equal(client.goals.size, 1);
  lose();
  clock.advance(1_000);
  greet(ack({ status: "unsupported", reason: "REPLAY_UNAVAILABLE" }));
  assert.equal(client.goals.size, 0);
  // What was seen stays visible until the server says how things stand.
  assert.equal(client.snapshot?.seq, 100);
  greet(snapshot(50), event(51));
  assert.deepEqual(gaps, [{ reason: "REPLAY_UNAVAILABLE", lastSeq: 105 }]);
  assert.deepEqual([client.snapshot.seq, seqs.at(-1)], [50, 51]);
  assert.equal(client.status.state, "connected");
});

test("[CLIENT-32] what was missed for good is told as a gap, and the timeline begins anew", () => {
  const { client, clock, greet, lose, seqs, gaps } = stage();
  void client.connect();
  greet(ack(), snapshot(100), event(104));
  lose();
  clock.advance(1_000);
  greet(
    ack({ status: "snapshot_required", reason: "SERVER_RESTARTED" }),
    snapshot(2, "e2"),
    event(3),
  );
  assert.deepEqual(gaps, [{ reason: "SERVER_RESTARTED", lastSeq: 104 }]);
  assert.deepEqual(seqs, [104, 3]);
});

test("[CLIENT-30] a command is settled by its answer; one whose answer was lost is sent again as it was", async () => {
  const { client, clock, network, greet, lose } = stage();
  void client.connect();
  greet(ack(), snapshot(1));
  const taken = client.command("auto_assign", { project_id: "proj_a" }, "cmd_1");
  greet(say("ack", { in_reply_to: "cmd_1", status: "ok" }));
  await taken;
  const refused = client.command("auto_assign", { project_id: "proj_b" }, "cmd_2");
  greet(say("error", { in_reply_to: "cmd_2", code: "NOT_FOUND", message: "none" }));
  await assert.rejects(
    refused,
    (error) => error instanceof WorldRefused && error.code === "NOT_FOUND",
  );
  const cut = client.command("auto_assign", { project_id: "proj_c" }, "cmd_3");
  const sent = network.socket.heard.at(-1);
  lose();
  clock.advance(1_000);
  greet(ack({ status: "resumed", reason: "CURSOR_OK" }), snapshot(5));
  assert.deepEqual(network.socket.heard.at(-1), sent);
  greet(say("ack", { in_reply_to: "cmd_3", status: "ok" }));
  await cut;
  const lost = client.command("auto_assign", { project_id: "proj_d" });
  client.close();
  await assert.rejects(lost, /closed/);
});

test("[WEB-36] who is called otherwise comes back at once under that name, from where it was", () => {
  const { client, network, greet, payloadOf, statuses } = stage();
  client.introduce({ name: "early" });
  void client.connect();
  const first = greet(ack(), snapshot(3));
  assert.deepEqual(payloadOf("hello")["client"], { name: "early" });
  client.introduce({ name: "Ada" });
  assert.notEqual(network.socket, first);
  greet(ack({ status: "resumed", reason: "CURSOR_OK" }), snapshot(3));
  assert.deepEqual(payloadOf("hello")["client"], { name: "Ada" });
  assert.equal(Reflect.get(Object(payloadOf("hello")["resume"]), "last_seq"), 3);
  assert.equal(statuses.at(-1)?.state, "connected");
});

test("[CLIENT-33] it pings every 15 seconds, and comes back when nothing was heard for 45", async () => {
  const { client, clock, network, greet } = stage();
  void client.connect();
  const socket = greet(ack(), snapshot(1));
  const pings = (): number => socket.heard.filter((frame) => frame["type"] === "ping").length;
  clock.advance(15_000);
  assert.equal(pings(), 1);
  greet(say("pong", {}));
  clock.advance(30_000);
  assert.equal(pings(), 3);
  assert.equal(client.status.state, "connected");
  clock.advance(15_000);
  assert.equal(client.status.state, "stale");
  assert.ok(socket.closedWith);
  clock.advance(1_000);
  assert.equal(network.sockets.length, 2);
  await turn();
});

test("[CLIENT-31] streams and goals are folded; a stream that is told again from its start replaces what was heard", () => {
  const { client, clock, greet, lose } = stage();
  const delta = (seq: number, text: string, done = false): object => {
    const stream = { stream_id: "r1", agent_id: "agent_bd", kind: "token" };
    return say("agent_stream", { ...stream, seq, delta: text, done }, `str_${seq}`);
  };
  void client.connect();
  greet(ack(), snapshot(1), delta(1, "Hel"), delta(1, "Hel"), delta(2, "lo"));
  assert.equal(client.streams.get("r1")?.text, "Hello");
  greet(say("agent_goal", { seq: 4, agent_id: "agent_bd", goal: { kind: "wait" } }));
  assert.equal(client.goals.get("agent_bd")?.goal.kind, "wait");
  lose();
  clock.advance(1_000);
  greet(
    ack({ status: "resumed", reason: "CURSOR_OK" }),
    snapshot(5),
    delta(4, "Hello the"),
    delta(5, "re"),
  );
  assert.equal(client.streams.get("r1")?.text, "Hello there");
  greet(delta(6, "", true));
  assert.equal(client.streams.size, 0);
});

test("[CLIENT-17] what it does not know is left alone", () => {
  const { client, greet, seqs } = stage();
  void client.connect();
  greet(ack(), snapshot(1));
  greet(
    say("weather", { rain: true }),
    say("event", { seq: 2, name: "moon_rose", project_id: "p", more: 1 }),
  );
  const { socket } = { socket: greet() };
  socket.say("not json").say("[]").say('{"type":"event"}').flush();
  greet(event(3));
  assert.deepEqual(seqs, [2, 3]);
});

test("[CLIENT-31] a message whose id was seen is ignored, also one without a number", () => {
  const { client, clock, greet, lose, seqs } = stage();
  const lines: string[] = [];
  const pongs: string[] = [];
  let snapshots = 0;
  client.on("chat", ({ payload }) => lines.push(payload.text));
  client.on("pong", ({ id }) => pongs.push(id));
  client.on("snapshot", () => snapshots++);
  const numberless = (id: string): object => say("event", { name: "task_done" }, id);
  const line = (id: string, text: string): object => say("chat", { text }, id);
  void client.connect();
  greet(ack(), snapshot(1), snapshot(1), numberless("e1"), numberless("e1"), numberless("e2"));
  greet(line("c1", "one"), line("c1", "one"), say("pong", {}), say("pong", {}));
  assert.deepEqual([seqs, lines, pongs, snapshots], [[-1, -1], ["one"], ["pong_1"], 1]);
  lose();
  clock.advance(1_000);
  // The same is told again; what a connection says of itself may have the ids of the one before.
  greet(ack({ status: "resumed", reason: "CURSOR_OK" }), numberless("e2"), line("c1", "one"));
  greet(line("c2", "two"), snapshot(1), say("pong", {}));
  assert.equal(client.status.state, "connected");
  assert.deepEqual([seqs.length, lines, pongs.length, snapshots], [2, ["one", "two"], 2, 2]);
  lose();
  clock.advance(1_000);
  // Another log has other events under the same ids.
  greet(ack({ status: "snapshot_required", reason: "SERVER_RESTARTED" }), snapshot(1, "e2"));
  greet(numberless("e1"));
  assert.equal(seqs.length, 3);
});
