/** Several nodes in one process: who directs, and what becomes of its work when that changes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openMemoryLog, type Log } from "@atrium/log";
import { leaseEvents, openTestCluster } from "../../kit/atrium-cluster.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { begin, ended, send } from "../../kit/chat-runs.ts";
import { enterWorld, plannedProject } from "../../kit/world-peer.ts";

async function typesOf(log: Pick<Log, "read">, runId: string): Promise<readonly string[]> {
  const entries = await Array.fromAsync(log.read());
  return entries
    .filter(({ data }) => (data as { readonly runId?: string }).runId === runId)
    .map(({ type }) => type)
    .filter((type) => type.startsWith("run."));
}

async function logHas(log: Pick<Log, "read">, type: string, runId: string): Promise<boolean> {
  return (await typesOf(log, runId)).includes(type);
}

test("[NODE-8] whoever is connected to a node that does not direct is answered by the one that does", async () => {
  await using cluster = await openTestCluster();
  const other = await cluster.other();
  await using peer = await other.connect();
  await send(peer, "run-1", "hello");
  assert.equal((await ended(peer, "run-1")).payload.state, "final");
  assert.equal((await leaseEvents(other.log)).length, 1);
  for (const { faults } of cluster.nodes) assert.deepEqual(faults, []);
});

test("[NODE-9] when the director is cut off, its run fails once, what waits goes on, and nothing of it is written", async () => {
  await using cluster = await openTestCluster();
  const first = await cluster.director();
  const other = await cluster.other();
  await using peer = await other.connect();
  await begin(peer, "run-1", "[[say: one]] [[sleep: 60s]] [[say: never]]");
  await send(peer, "run-2", "[[say: two]]", { queueMode: "followup" });
  first.cut();
  const cut = await ended(peer, "run-1");
  assert.equal(cut.payload.state, "error");
  assert.equal((await ended(peer, "run-2")).payload.state, "final");
  const next = await cluster.director(first);
  assert.notEqual(next, first);
  // Before anything can reach it again.
  await setTimeout(100);
  first.heal();
  assert.match(await first.lost, /heartbeats have not got out|directs now/);
  await setTimeout(500);
  assert.deepEqual(await typesOf(other.log, "run-1"), [
    "run.requested",
    "run.started",
    "run.failed",
  ]);
  const second = await typesOf(other.log, "run-2");
  assert.deepEqual(second, ["run.requested", "run.started", "run.completed"]);
  assert.equal((await leaseEvents(other.log)).length, 2);
});

test("[NODE-9] [NODE-12] a project goes on when its director is cut off: every task is delivered once", async () => {
  await using cluster = await openTestCluster();
  const first = await cluster.director();
  const other = await cluster.other();
  await using peer = await enterWorld(other);
  const { projectId, tasks } = await plannedProject(peer, "A page [[sleep: 700ms]] [[say: x]]");
  await peer.ask("auto_assign", { project_id: projectId });
  while (!(await logHas(other.log, "run.started", `run-${tasks[0]}-1`))) await setTimeout(20);
  first.cut();
  const isDelivered = async (): Promise<boolean> => (await delivered()).length >= tasks.length;
  const delivered = async (): Promise<readonly string[]> => {
    const entries = await Array.fromAsync(other.log.read({ stream: `project/${projectId}` }));
    return entries
      .filter(({ type }) => type === "project.artifact_delivered")
      .map(({ data }) => (data as { readonly taskId: string }).taskId);
  };
  while (!(await isDelivered())) await setTimeout(100);
  first.heal();
  await first.lost;
  await setTimeout(500);
  assert.deepEqual((await delivered()).toSorted(), tasks.toSorted());
  const cutOff = ["run.requested", "run.started", "run.failed"];
  assert.deepEqual(await typesOf(other.log, `run-${tasks[0]}-1`), cutOff);
  assert.notEqual((await cluster.director(first)).name, first.name);
});

test("[NODE-6] a node that is closed hands over at once: its run is settled by itself, and others go on", async () => {
  await using cluster = await openTestCluster();
  const first = await cluster.director();
  const other = await cluster.other();
  await using peer = await other.connect();
  await begin(peer, "run-1", "[[say: one]] [[sleep: 60s]]");
  await first.close();
  await send(peer, "run-2", "[[say: two]]");
  assert.equal((await ended(peer, "run-2")).payload.state, "final");
  assert.deepEqual(await typesOf(other.log, "run-1"), [
    "run.requested",
    "run.started",
    "run.failed",
  ]);
  const events = (await leaseEvents(other.log)).map(({ type }) => type);
  assert.deepEqual(events, ["lease.granted", "lease.released", "lease.granted"]);
});

test("[NODE-13] a single node writes nothing of leases and cursors", async () => {
  const log = openMemoryLog();
  await using atrium = await openTestAtrium({ openLog: () => Promise.resolve(log) });
  await using peer = await atrium.connect();
  await send(peer, "run-1", "hello");
  await ended(peer, "run-1");
  const streams = new Set((await Array.fromAsync(log.read())).map(({ stream }) => stream));
  assert.deepEqual(
    [...streams].filter((stream) => /^(lease|cursor)\//.test(stream)),
    [],
  );
});
