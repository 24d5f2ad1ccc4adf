import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Mirror } from "../cluster/mirror.ts";
import { openFewNodes, type FewNodes } from "../cluster/testing/few-nodes.ts";
import { createLiveRuns } from "./live-runs.ts";
import { mirrorLiveRuns, type LiveRunChange } from "./mirror-live-runs.ts";

const RUN = { runId: "r1", key: "agent:main:main", handle: "main", sessionId: "s", startedAt: 1 };

function openNode(few: FewNodes, node: string) {
  const over = new Set<string>();
  const live = mirrorLiveRuns(createLiveRuns(), {
    mirror: (source) => new Mirror<LiveRunChange>(source, few.depsOf(node)),
    isOver: (runId) => over.has(runId),
  });
  const events: string[] = [];
  live.onEvent((run, event) => events.push(`${run.text}|${JSON.stringify(event)}`));
  return { live, events, over };
}

async function quiet(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await setImmediate();
}

test("[NODE-26] a run is told on every node as on the one that drives it", async () => {
  const few = openFewNodes("a", "b");
  const [a, b] = [openNode(few, "a"), openNode(few, "b")];
  await quiet();
  a.live.begin(RUN);
  a.live.publish("r1", { type: "thinking", delta: "hm" });
  a.live.publish("r1", { type: "text", delta: "Hello " });
  a.live.beginCall("r1", "c1");
  a.live.publish("r1", { type: "output", callId: "c1", text: "line\n" });
  a.live.publish("r1", { type: "text", delta: "x".repeat(200_000) });
  a.live.publish("r1", { type: "usage", usage: { inputTokens: 3, outputTokens: 4 } });
  await quiet();
  const [there, here] = [b.live.get("r1"), a.live.get("r1")];
  assert.deepEqual({ ...there }, { ...here });
  assert.equal(there?.text.length, 200_006);
  assert.deepEqual(b.live.usageOf("r1"), a.live.usageOf("r1"));
  assert.deepEqual(b.events.slice(0, 3), a.events.slice(0, 3));
  a.live.endCall("r1", "c1");
  a.live.end("r1");
  await quiet();
  assert.deepEqual([...b.live.list()], []);
});

test("[NODE-26] whoever comes in the middle has all words so far, and none of them twice", async () => {
  const few = openFewNodes("a", "b");
  const a = openNode(few, "a");
  a.live.begin(RUN);
  a.live.publish("r1", { type: "text", delta: "One " });
  a.live.beginCall("r1", "c1");
  a.live.publish("r1", { type: "output", callId: "c1", text: "out" });
  await quiet();
  const b = openNode(few, "b");
  await quiet();
  assert.equal(b.live.get("r1")?.text, "One ");
  few.isLost = () => true;
  a.live.publish("r1", { type: "text", delta: "two " });
  await quiet();
  few.isLost = () => false;
  a.live.publish("r1", { type: "text", delta: "three" });
  await quiet();
  assert.equal(b.live.get("r1")?.text, "One two three");
  assert.equal(b.live.get("r1")?.outputs.get("c1"), "out");
  const texts = b.events.flatMap((line) => /"delta":"([^"]*)"/.exec(line)?.[1] ?? []);
  assert.equal(texts.join(""), "One two three");
});

test("[NODE-26] the end in the log is the end: no word comes after it, and nothing is under way", async () => {
  const few = openFewNodes("a", "b");
  const [a, b] = [openNode(few, "a"), openNode(few, "b")];
  await quiet();
  a.live.begin(RUN);
  a.live.publish("r1", { type: "text", delta: "in time" });
  await quiet();
  b.over.add("r1");
  a.live.publish("r1", { type: "text", delta: "too late" });
  a.live.begin({ ...RUN, runId: "r2" });
  b.over.add("r2");
  await quiet();
  assert.deepEqual([b.events.length, [...b.live.list()]], [1, []]);
  assert.equal(b.live.get("r2"), undefined);
});

test("[NODE-22] runs of a node that is gone are under way nowhere", async () => {
  const few = openFewNodes("a", "b");
  const [a, b] = [openNode(few, "a"), openNode(few, "b")];
  await quiet();
  a.live.begin(RUN);
  b.live.begin({ ...RUN, runId: "own" });
  await quiet();
  few.meet("b");
  assert.deepEqual(
    [...b.live.list()].map(({ runId }) => runId),
    ["own"],
  );
});
