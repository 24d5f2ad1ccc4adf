/** Peers and nodes of one server, as those of another see them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openTestCluster, untilMet } from "../../kit/atrium-cluster.ts";
import { createTestDevice } from "../../kit/device.ts";
import {
  answer,
  connectApprovedNode,
  connectNode,
  invocation,
  requestsTo,
  untilConnected,
  untilGone,
} from "../../kit/node.ts";
import { namesAt } from "../../kit/presence.ts";
import { connectPeer, type Connected } from "../../kit/raw-peer.ts";

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await setTimeout(20);
}

test("[NODE-29] who is connected to one node is present on all, and gone with their node", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  const [first, second] = await untilMet(cluster);
  await using ada = await first.connect({ client: { displayName: "Ada", mode: "webchat" } });
  await using bob = await second.connect({ client: { displayName: "Bob", mode: "webchat" } });
  await until(async () => (await namesAt(ada)).includes("Bob"));
  await until(async () => (await namesAt(bob)).includes("Ada"));
  const change = ada.event("presence");
  await using eve = await second.connect({ client: { displayName: "Eve", mode: "webchat" } });
  const { payload } = await change;
  assert.ok(payload.presence.some(({ host }: { host: string }) => host === "Eve"));
  eve.close();
  await until(async () => !(await namesAt(ada)).includes("Eve"));
  await second.close();
  const left = Date.now();
  await until(async () => !(await namesAt(ada)).includes("Bob"));
  assert.ok(Date.now() - left < 4_000);
});

test("[NODE-30] a node is invoked from every server, once, with its own answer", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  const [first, second] = await untilMet(cluster);
  await using here = await first.connect();
  await using there = await second.connect();
  await using node = await connectApprovedNode(first, here);
  const { nodeId } = node;
  const list = async (peer: Connected) =>
    (await peer.ask("node.list", {})).nodes.find(
      (row: { nodeId: string }) => row.nodeId === nodeId,
    );
  await untilConnected(there, nodeId);
  assert.deepEqual(await list(there), await list(here));
  const asked = { ...invocation(nodeId, "say", { params: { text: "hi" } }), idempotencyKey: "k" };
  const fromThere = there.ask("node.invoke", asked);
  const fromHere = here.ask("node.invoke", asked);
  const { payload: request } = await node.event("node.invoke.request");
  assert.deepEqual([request.command, request.paramsJSON], ["say", '{"text":"hi"}']);
  const big = "x".repeat(500_000);
  await answer(node, request, { payload: { big } });
  const reply = { ok: true, nodeId, command: "say", payload: { big }, payloadJSON: null };
  assert.deepEqual([await fromThere, await fromHere], [reply, reply]);
  assert.deepEqual(await there.ask("node.invoke", asked), reply);
  assert.equal(requestsTo(node).length, 1);
});

test("[NODE-30] timeouts, refusals and a caller who leaves are the same from another server", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  const [first, second] = await untilMet(cluster);
  await using here = await first.connect();
  await using there = await second.connect();
  await using node = await connectApprovedNode(first, here);
  const { nodeId } = node;
  await untilConnected(there, nodeId);
  const error = async (peer: Connected, params: object) =>
    (await peer.request("node.invoke", params)).error;
  const late = () => invocation(nodeId, "say", { timeoutMs: 40 });
  assert.deepEqual(await error(there, late()), await error(here, late()));
  const unknown = () => invocation(nodeId, "fly");
  assert.deepEqual(await error(there, unknown()), await error(here, unknown()));
  await using leaver = await second.connect();
  leaver.request("node.invoke", invocation(nodeId, "say")).catch(() => undefined);
  const sent = requestsTo(node).length;
  await until(() => requestsTo(node).length > sent);
  leaver.close();
  await node.event("node.invoke.cancel");
  node.close();
  await untilGone(there, nodeId);
  const gone = await error(there, invocation(nodeId, "say"));
  assert.deepEqual([gone?.code, gone?.retryable], ["UNAVAILABLE", true]);
});

test("[NODE-30] a node that connects to another server leaves the one before", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  const [first, second] = await untilMet(cluster);
  await using operator = await first.connect();
  const device = createTestDevice();
  await using before = await connectApprovedNode(first, operator, { device });
  await using after = await connectNode(second, { device });
  assert.equal((await before.closed).reason, "replaced by a newer connection of this node");
  const invoked = operator.ask("node.invoke", invocation(device.id, "say"));
  const { payload: request } = await after.event("node.invoke.request");
  await answer(after, request);
  assert.equal((await invoked).ok, true);
});

test("[NODE-30] what a server that is gone had invoked is settled by another, and its own start cuts nobody else's", async () => {
  await using cluster = await openTestCluster({ nodes: 3 });
  const [first, second, third = first] = await untilMet(cluster);
  await using operator = await first.connect();
  await using atSecond = await second.connect();
  await using atThird = await third.connect();
  await using stays = await connectApprovedNode(third, atThird);
  await using goes = await connectApprovedNode(second, atSecond);
  for (const { nodeId } of [stays, goes]) await untilConnected(operator, nodeId);
  const cut = { ...invocation(goes.nodeId, "say"), idempotencyKey: "cut" };
  const kept = operator.ask("node.invoke", invocation(stays.nodeId, "say"));
  const lost = operator.request("node.invoke", cut);
  const { payload: request } = await stays.event("node.invoke.request");
  await goes.event("node.invoke.request");
  await second.close();
  assert.equal((await lost).ok, false);
  await using again = await cluster.open("b");
  await using peer = await again.connect();
  const { error } = await peer.request("node.invoke", cut);
  assert.match(error?.message ?? "", /INTERRUPTED|DISCONNECTED/);
  await answer(stays, request);
  assert.equal((await kept).ok, true);
});

test("[NODE-31] a device that is paired with one node connects to every node, and is closed on every node", async () => {
  await using cluster = await openTestCluster({ nodes: 2, trustedProxies: ["127.0.0.1"] });
  const [first, second] = await untilMet(cluster);
  await using operator = await first.connect();
  const device = createTestDevice();
  const paired = async (peer: Connected) => {
    const list = await peer.ask("device.pair.list", {});
    return list.paired.find(({ deviceId }: { deviceId: string }) => deviceId === device.id);
  };
  const knock = (token: string, wsUrl: string) =>
    connectPeer(wsUrl, {
      role: "operator",
      scopes: ["operator.read"],
      auth: { token },
      device: (challenge) => device.prove(challenge, { token, scopes: ["operator.read"] }),
    });
  await using here = await knock(first.token, first.wsUrl);
  const deviceToken: string = here.hello.auth.deviceToken;
  await using other = await second.connect();
  await until(async () => (await paired(other)) !== undefined);
  await using there = await knock(deviceToken, second.wsUrl);
  here.close();
  await until(async () => (await paired(operator))?.connected !== false);
  await operator.ask("device.pair.remove", { deviceId: device.id });
  assert.equal((await there.closed).code, 4001);
});
