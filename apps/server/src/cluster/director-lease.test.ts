import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, cursor, refuse } from "@atrium/core";
import { confirmedBy } from "./at-director.ts";
import { openLeaseNodes } from "./testing/lease-nodes.ts";

const move = { type: "move", seq: 1 } as const;

test("[NODE-1] of several nodes that start one directs, and all know which", async () => {
  await using nodes = openLeaseNodes();
  const all = await Promise.all(["a", "b", "c"].map((name) => nodes.open(name)));
  await nodes.pass(1_000);
  const [director] = all.filter(({ cluster }) => cluster.lease.isHeld);
  assert.equal(all.filter(({ cluster }) => cluster.lease.isHeld).length, 1);
  assert.ok(director);
  for (const { cluster } of all) {
    assert.equal(cluster.director(), director.cluster.node);
    assert.deepEqual(
      cluster.members().map(({ node }) => node),
      ["a", "b", "c"],
    );
  }
  await nodes.pass(60_000);
  assert.equal((await nodes.grants()).length, 1);
});

test("[NODE-2] when the director falls silent another node directs about two seconds later, once", async () => {
  await using nodes = openLeaseNodes();
  const a = await nodes.open("a");
  const b = await nodes.open("b");
  const c = await nodes.open("c");
  await nodes.pass(1_000);
  a.stop();
  await nodes.pass(1_400);
  assert.deepEqual(await nodes.grants(), ["a1"]);
  await nodes.pass(900);
  assert.equal((await nodes.grants()).length, 2);
  assert.equal([b, c].filter(({ cluster }) => cluster.lease.isHeld).length, 1);
  await nodes.pass(30_000);
  assert.equal((await nodes.grants()).length, 2);
});

test("[NODE-3] a director that was stopped writes nothing once it wakes, and directs no more", async () => {
  await using nodes = openLeaseNodes();
  const a = await nodes.open("a");
  const b = await nodes.open("b");
  await nodes.pass(1_000);
  assert.equal((await a.direct(cursor, "x", move)).ok, true);
  a.stop();
  await nodes.pass(4_000);
  assert.equal(b.cluster.lease.isHeld, true);
  const { head } = nodes.log;
  // It acts before it has heard anything: only the log can stop it.
  assert.deepEqual(await a.direct(cursor, "x", { ...move, seq: 2 }), refuse("log.fenced"));
  assert.equal(a.loss(), "another node has taken over");
  await a.wake();
  assert.deepEqual(await a.direct(cursor, "x", { ...move, seq: 2 }), refuse("log.fenced"));
  assert.equal(nodes.log.head, head);
});

test("[NODE-3] a director that was stopped asks the log before it changes files, and changes none", async () => {
  await using nodes = openLeaseNodes();
  const a = await nodes.open("a");
  const b = await nodes.open("b");
  await nodes.pass(1_000);
  const done: string[] = [];
  const change = confirmedBy(a.cluster.lease, (_name, act) => act);
  const act = change("restore", async (what: string) => accept(done.push(what)));
  const { head } = nodes.log;
  assert.deepEqual(await act("before"), accept(1));
  assert.equal(nodes.log.head, head);
  a.stop();
  await nodes.pass(4_000);
  assert.equal(b.cluster.lease.isHeld, true);
  assert.equal(a.cluster.lease.isHeld, true);
  assert.deepEqual(await act("after"), refuse("log.fenced"));
  assert.equal(a.loss(), "another node has taken over");
  assert.deepEqual(await act("later"), refuse("log.fenced"));
  assert.deepEqual(done, ["before"]);
});

test("[NODE-44] what changes files waits while nothing can be written", async () => {
  await using nodes = openLeaseNodes();
  const a = await nodes.open("a");
  await nodes.pass(1_000);
  nodes.trouble = "no majority";
  let isOver = false;
  const confirmed = a.cluster.lease.confirm().finally(() => (isOver = true));
  await nodes.pass(2_000);
  assert.equal(isOver, false);
  nodes.trouble = undefined;
  await nodes.pass(500);
  assert.deepEqual(await confirmed, accept(undefined));
});

test("[NODE-44] what the director writes waits while nothing can be written, and is refused once it directs no more", async () => {
  await using nodes = openLeaseNodes();
  const a = await nodes.open("a");
  await nodes.open("b");
  await nodes.pass(1_000);
  nodes.trouble = "no majority";
  const written = a.direct(cursor, "x", move);
  await nodes.pass(8_000);
  nodes.trouble = undefined;
  await nodes.pass(500);
  assert.equal((await written).ok, true);
  nodes.trouble = "no majority";
  const late = a.direct(cursor, "x", { ...move, seq: 2 });
  await nodes.pass(1_000);
  nodes.isCut = (from) => from === "a";
  await nodes.pass(2_000);
  assert.equal(a.cluster.lease.isHeld, false);
  assert.deepEqual(await late, refuse("log.fenced"));
});

test("[NODE-16] what waits to be written ends at once when a node closes that cannot write", async () => {
  await using nodes = openLeaseNodes();
  const a = await nodes.open("a");
  await nodes.pass(1_000);
  nodes.trouble = "no majority";
  const late = a.direct(cursor, "x", move);
  await nodes.pass(1_000);
  a.cluster.lease.abandon();
  assert.deepEqual(await late, refuse("log.fenced"));
  await a.close();
  assert.equal(a.loss(), undefined);
  assert.deepEqual(await nodes.grants(), ["a1"]);
});

test("[NODE-4] a director whose heartbeats do not get out stops before another one may start", async () => {
  await using nodes = openLeaseNodes();
  const a = await nodes.open("a");
  await nodes.open("b");
  await nodes.pass(1_000);
  nodes.isCut = (from) => from === "a";
  await nodes.pass(1_400);
  assert.equal(a.loss(), undefined);
  await nodes.pass(400);
  assert.match(a.loss() ?? "", /heartbeats have not got out/);
  assert.deepEqual(await nodes.grants(), ["a1"]);
  assert.deepEqual(await a.direct(cursor, "x", move), refuse("log.fenced"));
  await nodes.pass(1_000);
  assert.deepEqual(await nodes.grants(), ["a1", "b1"]);
});

test("[NODE-4] a director that is the only node goes on, whatever becomes of its heartbeats", async () => {
  await using nodes = openLeaseNodes();
  const a = await nodes.open("a");
  await nodes.pass(1_000);
  nodes.isCut = () => true;
  await nodes.pass(10_000);
  assert.equal(a.loss(), undefined);
  assert.equal((await a.direct(cursor, "x", move)).ok, true);
});

test("[NODE-5] a director that stood still goes on if nobody has taken over meanwhile", async () => {
  await using nodes = openLeaseNodes();
  const all = await Promise.all(["a", "b", "c"].map((name) => nodes.open(name)));
  await nodes.pass(1_000);
  const grants = await nodes.grants();
  for (const node of all) node.stop();
  await nodes.pass(5_000);
  for (const node of all) await node.wake();
  await nodes.pass(5_000);
  assert.deepEqual(await nodes.grants(), grants);
  assert.deepEqual(
    all.map(({ loss }) => loss()),
    [undefined, undefined, undefined],
  );
});

test("[NODE-4] a director that stood still, and whose heartbeats then do not get out, stops with the next one", async () => {
  await using nodes = openLeaseNodes();
  const a = await nodes.open("a");
  const b = await nodes.open("b");
  await nodes.pass(1_000);
  for (const node of [a, b]) node.stop();
  await nodes.pass(5_000);
  nodes.isCut = (from) => from === "a";
  await a.wake();
  assert.equal(a.loss(), undefined);
  // Also when that one is late too.
  a.stop();
  await nodes.pass(900);
  await a.wake();
  assert.match(a.loss() ?? "", /heartbeats have not got out/);
  await b.wake();
});

test("[NODE-5] a node that was stopped itself does not take its own silence for the director's", async () => {
  await using nodes = openLeaseNodes();
  const a = await nodes.open("a");
  const b = await nodes.open("b");
  await nodes.pass(1_000);
  b.stop();
  await nodes.pass(20_000);
  await b.wake();
  await nodes.pass(5_000);
  assert.equal(a.cluster.lease.isHeld, true);
  assert.deepEqual(await nodes.grants(), ["a1"]);
});

test("[NODE-5] nor does one that was cut off, nor one that cannot write", async () => {
  await using nodes = openLeaseNodes();
  await nodes.open("a");
  await nodes.open("b");
  await nodes.pass(1_000);
  nodes.isCut = (from, to) => from === "b" || to === "b";
  await nodes.pass(20_000);
  nodes.isCut = (from, to) => from === "a" && to === "b";
  nodes.trouble = "no majority";
  await nodes.pass(5_000);
  assert.deepEqual(await nodes.grants(), ["a1"]);
});

test("[NODE-6] a node that closes gives the lease up, and the next one directs at once", async () => {
  await using nodes = openLeaseNodes();
  const a = await nodes.open("a");
  const b = await nodes.open("b");
  await nodes.pass(1_000);
  await a.close();
  await nodes.pass(100);
  assert.deepEqual(await nodes.grants(), ["a1", null, "b1"]);
  assert.equal(b.cluster.director(), "b");
  assert.deepEqual(
    b.cluster.members().map(({ node }) => node),
    ["b"],
  );
  assert.equal(a.loss(), undefined);
});

test("[NODE-6] a node that crashed and starts again goes on directing at once", async () => {
  await using nodes = openLeaseNodes();
  const a = await nodes.open("a");
  await nodes.pass(1_000);
  a.stop();
  const again = await nodes.open("a", "a2");
  assert.equal(again.cluster.lease.isHeld, true);
  assert.deepEqual(await nodes.grants(), ["a1", "a2"]);
});

test("[NODE-17] two nodes of one name that began at the same moment do not take the lease in turns", async () => {
  await using nodes = openLeaseNodes();
  const [first, second] = await Promise.all([nodes.open("a", "a1"), nodes.open("a", "a2")]);
  await nodes.pass(30_000);
  assert.ok((await nodes.grants()).length <= 2);
  assert.equal([first, second].filter(({ cluster }) => cluster.lease.isHeld).length, 1);
});

test("[NODE-7] two nodes that do not hear each other do not take the lease in turns", async () => {
  await using nodes = openLeaseNodes();
  const a = await nodes.open("a");
  await nodes.open("b");
  await nodes.pass(1_000);
  // Both hear themselves and write to the log.
  nodes.isCut = (from, to) => from !== to;
  await nodes.pass(4_000);
  assert.equal(a.loss(), "b directs now");
  await a.close();
  await nodes.open("a", "a2");
  await nodes.pass(30_000);
  assert.deepEqual(await nodes.grants(), ["a1", "b1"]);
});

test("[NODE-7] a node that lost the lease takes it when it has heard the new director and that one is gone", async () => {
  await using nodes = openLeaseNodes();
  const a = await nodes.open("a");
  const b = await nodes.open("b");
  await nodes.pass(1_000);
  a.stop();
  await nodes.pass(3_000);
  await a.wake();
  await a.close();
  const again = await nodes.open("a", "a2");
  await nodes.pass(2_500);
  assert.equal(again.cluster.lease.isHeld, false);
  b.stop();
  await nodes.pass(2_400);
  assert.deepEqual(await nodes.grants(), ["a1", "b1", "a2"]);
  assert.deepEqual(nodes.faults, []);
});
