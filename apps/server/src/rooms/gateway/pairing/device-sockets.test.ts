import assert from "node:assert/strict";
import { test } from "node:test";
import type { Devices } from "@atrium/core";
import { noRelay } from "../../../cluster/relay.ts";
import type { GatewayPeer } from "../frames/peer.ts";
import { createDeviceSockets } from "./device-sockets.ts";

function memberOf(deviceId: string | undefined, role: string, id: string) {
  const closes: [number, string][] = [];
  const peer = { id, close: (code: number, reason: string) => void closes.push([code, reason]) };
  const admission = { deviceId, role, generation: 0 };
  const member = { peer, admission } as unknown as GatewayPeer;
  return { member, closes };
}

const devicesWith = (...roles: readonly string[]): Pick<Devices, "get"> => ({
  get: () => ({ grants: new Map(roles.map((role) => [role, { generation: 0 }])) }) as never,
});

test("[GW-12] who loses a role loses the sockets of that role, and no one else's", () => {
  const sockets = createDeviceSockets(devicesWith("operator", "node"), noRelay.mirror);
  const node = memberOf("d1", "node", "p1");
  const operator = memberOf("d1", "operator", "p2");
  const other = memberOf("d2", "node", "p3");
  const nobody = memberOf(undefined, "operator", "p4");
  for (const { member } of [node, operator, other, nobody]) sockets.joined(member);
  sockets.close("d1", "node");
  assert.deepEqual(node.closes, [[4001, "device removed"]]);
  sockets.left("p1");
  assert.equal(sockets.isConnected("d1"), true);
  sockets.close("d1");
  assert.deepEqual(operator.closes, [[4001, "device removed"]]);
  assert.deepEqual([node.closes.length, other.closes.length, nobody.closes.length], [1, 0, 0]);
});

test("[GW-12] a device that is removed while it is being let in is put out after its hello", async () => {
  const sockets = createDeviceSockets({ get: () => undefined }, noRelay.mirror);
  const { member, closes } = memberOf("d1", "node", "p1");
  sockets.joined(member);
  assert.deepEqual(closes, []);
  await Promise.resolve();
  assert.deepEqual(closes, [[4001, "device removed"]]);
});

test("[GW-13] whoever voids its own token hears the answer first; others of its role go at once", async () => {
  const sockets = createDeviceSockets(devicesWith("operator"), noRelay.mirror);
  const asking = memberOf("d1", "operator", "p1");
  const other = memberOf("d1", "operator", "p2");
  for (const { member } of [asking, other]) sockets.joined(member);
  sockets.closeButAnswer(asking.member, "d1", "operator");
  assert.deepEqual([asking.closes.length, other.closes.length], [0, 1]);
  await new Promise(setImmediate);
  assert.equal(asking.closes.length, 1);
});

test("[GW-13] a token that was voided while its device was being let in lets no one stay", async () => {
  const sockets = createDeviceSockets(
    { get: () => ({ grants: new Map([["operator", { generation: 1 }]]) }) as never },
    noRelay.mirror,
  );
  const { member, closes } = memberOf("d1", "operator", "p1");
  sockets.joined(member);
  await Promise.resolve();
  assert.deepEqual(closes, [[4001, "device removed"]]);
});
