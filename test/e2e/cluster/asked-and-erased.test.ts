/** What people are asked, and what they delete, at nodes that do not direct. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openTestCluster, type TestNode } from "../../kit/atrium-cluster.ts";
import { ended, send } from "../../kit/chat-runs.ts";

const KEY = "agent:main:notes";
const WORD = "sesquipedalian";

async function holds({ log }: TestNode, word: string): Promise<boolean> {
  const entries = await Array.fromAsync(log.read());
  return entries.some(({ data }) => JSON.stringify(data).includes(word));
}

async function tellsOf({ url, token }: TestNode): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const history = `/sessions/${encodeURIComponent(KEY)}/history`;
  const texts = [history, "/api/office"].map(async (path) => {
    const response = await fetch(new URL(path, url), { headers });
    return response.text();
  });
  return (await Promise.all(texts)).join("\n");
}

test("[NODE-14] a conversation that is deleted at any node is erased and forgotten on all of them", async () => {
  await using cluster = await openTestCluster();
  const [directing, other] = [await cluster.director(), await cluster.other()];
  await using peer = await other.connect();
  const request = peer.event("exec.approval.requested");
  await send(peer, "run-1", `[[approve: Bash ${WORD}]]`, { sessionKey: KEY });
  await peer.ask("exec.approval.resolve", { id: (await request).payload.id, decision: "deny" });
  await ended(peer, "run-1");
  for (const node of [directing, other]) assert.ok((await tellsOf(node)).includes(WORD), node.name);
  assert.equal((await peer.ask("sessions.delete", { key: KEY })).deleted, true);
  for (const node of cluster.nodes) {
    while (await holds(node, WORD)) await setTimeout(20);
    // In its projections it is for a moment longer.
    while ((await tellsOf(node)).includes(WORD)) await setTimeout(20);
    assert.deepEqual(node.faults, []);
  }
});

test("[NODE-15] what a lost director's agents asked is withdrawn; what peers asked stays, and its deadline is kept", async () => {
  await using cluster = await openTestCluster();
  const first = await cluster.director();
  const other = await cluster.other();
  await using peer = await other.connect();
  const request = peer.event("exec.approval.requested");
  await send(peer, "run-1", "[[approve: Bash npm test]]", { sessionKey: "agent:main:a" });
  const { payload: ofAgent } = await request;
  const mine = peer.ask("exec.approval.request", {
    id: "mine",
    command: "make",
    timeoutMs: 6_000,
    twoPhase: true,
  });
  await mine;
  first.cut();
  const withdrawn = await peer.first(
    ({ event, payload }) => event === "exec.approval.resolved" && payload.id === ofAgent.id,
  );
  assert.notEqual(withdrawn.payload.decision, "allow-once");
  const open = await peer.ask("exec.approval.list", {});
  assert.deepEqual(
    open.map(({ id }: { readonly id: string }) => id),
    ["mine"],
  );
  const { decision } = await peer.ask("exec.approval.waitDecision", { id: "mine" });
  assert.equal(decision, null);
  const entries = await Array.fromAsync(other.log.read({ stream: "approval/mine" }));
  assert.deepEqual(
    entries.map(({ type }) => type),
    ["approval.requested", "approval.expired"],
  );
});
