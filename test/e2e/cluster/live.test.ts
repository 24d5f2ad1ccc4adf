/** Words on their way, over every room of a node that does not direct: the same as where they are said. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openTestCluster, untilMet } from "../../kit/atrium-cluster.ts";
import { begin, ended, eventsOf, send } from "../../kit/chat-runs.ts";
import { openaiClient, saying } from "../../kit/openai.ts";
import { delta, openSignals } from "../../kit/signals.ts";
import { enterWorld, type WorldPeer } from "../../kit/world-peer.ts";

const LINES = "[[say: one two three]] [[sleep: 200ms]] [[say: four five six]]";

async function openPair() {
  const cluster = await openTestCluster({ nodes: 2 });
  await untilMet(cluster);
  const [here, there] = [await cluster.director(), await cluster.other()];
  return { cluster, here, there };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(10);
}

test("[NODE-26] gateway: chat and agent events are the same, and a run is stopped from anywhere", async () => {
  const { cluster, here, there } = await openPair();
  await using _cluster = cluster;
  await using near = await here.connect();
  await using far = await there.connect();
  await send(far, "run-1", LINES);
  const ends = await Promise.all([ended(near, "run-1"), ended(far, "run-1")]);
  const textOf = (peer: typeof near) =>
    eventsOf(peer, "chat", "run-1")
      .flatMap(({ state, deltaText }) => (state === "delta" ? deltaText : []))
      .join("");
  assert.ok(textOf(near).includes("one two three"));
  assert.equal(textOf(far), textOf(near));
  assert.deepEqual(ends[1].payload.message.content, ends[0].payload.message.content);
  for (const peer of [near, far]) {
    const streams = new Set(eventsOf(peer, "agent", "run-1").map(({ stream }) => stream));
    assert.deepEqual(streams, new Set(["lifecycle", "assistant", "usage"]));
  }
  await begin(near, "run-2", "[[say: already said]] [[sleep: 60s]]");
  await until(() => eventsOf(near, "chat", "run-2").some(({ state }) => state === "delta"));
  await using late = await there.connect();
  await send(late, "run-3", "hello", { queueMode: "followup" });
  await far.ask("chat.abort", { sessionKey: "main", runId: "run-2" });
  const [a, b] = await Promise.all([ended(near, "run-2"), ended(far, "run-2")]);
  assert.deepEqual([a.payload.state, b.payload.state], ["aborted", "aborted"]);
  assert.equal((await ended(late, "run-3")).payload.state, "final");
});

test("[NODE-26] world: an agent's stream has the same words, also for whoever comes in the middle", async () => {
  const { cluster, here, there } = await openPair();
  await using _cluster = cluster;
  await using near = await enterWorld(here);
  await using far = await enterWorld(there);
  await using peer = await here.connect();
  await begin(peer, "run-1", "[[say: one two three]] [[sleep: 60s]]");
  const wordsOf = (world: WorldPeer) =>
    world
      .told("agent_stream")
      .filter(({ payload }) => payload.stream_id === "run-1")
      .map(({ payload }) => payload.delta)
      .join("");
  await until(() => wordsOf(far).includes("three"));
  assert.equal(wordsOf(far), wordsOf(near));
  await using late = await enterWorld(there);
  await until(() => wordsOf(late) !== "");
  assert.equal(wordsOf(late), wordsOf(near));
  await peer.ask("chat.abort", { sessionKey: "main", runId: "run-1" });
  const isDone = (world: WorldPeer) =>
    world.told("agent_stream").some(({ payload }) => payload.done === true);
  await until(() => isDone(near) && isDone(far) && isDone(late));
});

test("[NODE-26] signals: words of agents, and those that a source says to another node", async () => {
  const { cluster, here, there } = await openPair();
  await using _cluster = cluster;
  await using near = await openSignals(here);
  await using far = await openSignals(there);
  for (const socket of [near, far]) await socket.subscribe();
  await using peer = await there.connect();
  await send(peer, "run-1", LINES);
  await ended(peer, "run-1");
  const words = (socket: typeof near, of: string) =>
    socket.signals
      .filter(({ type, correlationId, source }) => {
        return type === "text_delta" && (correlationId === of || source === of);
      })
      .map(({ payload }) => payload.content)
      .join("");
  await until(() => words(near, "run-1") === words(far, "run-1") && words(far, "run-1") !== "");
  await near.emit(delta("from "), delta("outside"));
  await until(() => words(far, "test") === "from outside");
  assert.equal(words(near, "test"), "from outside");
});

test("[NODE-26] OpenAI: a completion is streamed by a node that does not direct", async () => {
  const { cluster, there } = await openPair();
  await using _cluster = cluster;
  const stream = await openaiClient(there).chat.completions.create({
    ...saying(LINES),
    stream: true,
  });
  const chunks: string[] = [];
  for await (const { choices } of stream) chunks.push(choices[0]?.delta.content ?? "");
  assert.equal(chunks.join("").replaceAll(/\s+/g, " ").trim(), "one two three four five six");
  assert.ok(chunks.filter((chunk) => chunk !== "").length > 1, "it came in pieces");
});

test("[NODE-29] who looks at the office stands in it on every node, and is gone with their node", async () => {
  const { cluster, here, there } = await openPair();
  await using _cluster = cluster;
  await using near = await enterWorld(here);
  await using far = await enterWorld(there);
  far.send("command", { name: "player_pos", data: { pos: [1, 0, 2] } });
  const viewersOf = (world: WorldPeer) => world.told("snapshot").at(-1)?.payload.viewers ?? [];
  await until(() => viewersOf(near).length === 1);
  assert.deepEqual(viewersOf(near), viewersOf(far));
  await there.close();
  await until(() => viewersOf(near).length === 0);
});
