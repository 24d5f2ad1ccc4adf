/** Nodes: how they come in, what they may, who they are to others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { createTestDevice } from "../../kit/device.ts";
import {
  answer,
  connectApprovedNode,
  connectNode,
  invocation,
  requestsTo,
  untilGone,
} from "../../kit/node.ts";
import { introduce, type Connected, type Frame } from "../../kit/raw-peer.ts";
import { withHome } from "../../kit/server-process.ts";

async function pendingOf(operator: Connected, nodeId: string): Promise<Frame["payload"]> {
  const { pending } = await operator.ask("node.pair.list", {});
  return pending.find((request: { nodeId: string }) => request.nodeId === nodeId);
}

test("[GW-50] a new node is paired silently, what it offers waits, and those who decide are told", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const resolved = operator.event("device.pair.resolved");
  const told = operator.event("node.pair.requested");
  await using node = await connectNode(atrium);
  const { auth, snapshot } = node.hello;
  assert.deepEqual([auth.role, auth.scopes], ["node", []]);
  assert.match(auth.deviceToken, /^[\w-]{43}$/);
  assert.deepEqual(snapshot.presence, []);
  assert.deepEqual(
    { ...(await resolved).payload, ts: 0 },
    { requestId: "silent", deviceId: node.nodeId, decision: "approved", ts: 0 },
  );
  const request = (await told).payload;
  assert.match(request.requestId, /^[0-9a-f-]{36}$/);
  assert.deepEqual(
    { ...request, requestId: "", ts: 0 },
    {
      requestId: "",
      nodeId: node.nodeId,
      displayName: "test node",
      platform: "linux",
      version: "dev",
      clientId: "test",
      clientMode: "test",
      caps: ["system"],
      commands: ["say", "sing"],
      requiredApproveScopes: ["operator.pairing", "operator.write"],
      silent: true,
      ts: 0,
    },
  );
  assert.deepEqual(await operator.ask("node.pair.list", {}), { pending: [request], paired: [] });
  assert.deepEqual(atrium.faults, []);
});

test("[GW-50] a node may speak protocol 2, 3 or 4, and must have a key of its own", async () => {
  await using atrium = await openTestAtrium();
  for (const protocol of [2, 3, 4]) {
    await using node = await connectNode(atrium, { protocol });
    assert.equal(node.hello.protocol, protocol);
  }
  await using keyless = await atrium.open();
  const { error } = await introduce(keyless, { role: "node", auth: { token: atrium.token } });
  assert.equal(error?.details.code, "DEVICE_IDENTITY_REQUIRED");
});

test("[GW-51] what a node offers can be used once it is approved, and the node is told", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using node = await connectNode(atrium);
  const { nodeId } = node;
  const { requestId } = await pendingOf(operator, nodeId);
  const early = await operator.request("node.invoke", invocation(nodeId, "say"));
  assert.equal(early.error?.code, "INVALID_REQUEST");
  assert.deepEqual(early.error?.details, { reason: "command not approved", command: "say" });

  const told = [operator.event("node.pair.resolved"), node.event("node.pair.resolved")];
  const approved = await operator.ask("node.pair.approve", { requestId });
  assert.equal(approved.requestId, requestId);
  assert.deepEqual(approved.node.commands, ["say", "sing"]);
  for (const { payload } of await Promise.all(told)) {
    assert.deepEqual({ ...payload, ts: 0 }, { requestId, nodeId, decision: "approved", ts: 0 });
  }
  const invoked = operator.request("node.invoke", invocation(nodeId, "say"));
  const { payload: request } = await node.first((frame) => frame.event === "node.invoke.request");
  await answer(node, request);
  assert.equal((await invoked).ok, true);
});

test("[GW-51] what cannot be invoked is said to be so, and why", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const node = await connectApprovedNode(atrium, operator);
  const { nodeId } = node;
  const unknown = await operator.request("node.invoke", invocation("nobody", "say"));
  assert.deepEqual(
    [unknown.error?.code, unknown.error?.message, unknown.error?.details],
    ["INVALID_REQUEST", "unknown nodeId", { reason: "node.unknown" }],
  );
  const unoffered = await operator.request("node.invoke", invocation(nodeId, "camera.snap"));
  assert.deepEqual(unoffered.error?.details, {
    reason: "command not declared by node",
    command: "camera.snap",
  });
  await node[Symbol.asyncDispose]();
  await untilGone(operator, nodeId);
  const offline = await operator.request("node.invoke", invocation(nodeId, "say"));
  assert.equal(offline.error?.code, "UNAVAILABLE");
  assert.equal(offline.error?.retryable, true);
  assert.equal(offline.error?.details.code, "NOT_CONNECTED");
  assert.deepEqual(requestsTo(node), []);
});

test("[GW-50] an approved node is back at once; more than that waits beside what it has, less does not", async () => {
  await withHome(async (home) => {
    const device = createTestDevice();
    const open = () => openTestAtrium({ home, args: ["--log", "sqlite"] });
    const first = await open();
    const before = await first.connect();
    await connectApprovedNode(first, before, { device });
    await first.close();

    await using atrium = await open();
    await using operator = await atrium.connect();
    const commands = async (): Promise<Frame["payload"]> => {
      const row = await operator.ask("node.describe", { nodeId: device.id });
      return [row.approvalState, row.commands, row.pendingDeclaredCommands];
    };
    {
      await using _same = await connectNode(atrium, { device });
      assert.deepEqual(await commands(), ["approved", ["say", "sing"], undefined]);
    }
    {
      const more = ["say", "sing", "shout"];
      await using wider = await connectNode(atrium, { device, commands: more });
      assert.deepEqual(await commands(), [
        "pending-reapproval",
        ["say", "sing"],
        ["say", "shout", "sing"].toSorted(),
      ]);
      const unapproved = await operator.request("node.invoke", invocation(device.id, "shout"));
      assert.equal(unapproved.error?.details.reason, "command not approved");
      const usable = operator.ask("node.invoke", invocation(device.id, "say"));
      await answer(wider, (await wider.event("node.invoke.request")).payload);
      assert.equal((await usable).ok, true);
    }
    const withdrawn = operator.event("node.pair.resolved");
    await using _less = await connectNode(atrium, { device, commands: ["say"] });
    assert.equal((await withdrawn).payload.decision, "withdrawn");
    assert.deepEqual(await commands(), ["approved", ["say"], undefined]);
  });
});

test("[GW-53] a second connection of a node takes the place of the first", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const device = createTestDevice();
  await using first = await connectApprovedNode(atrium, operator, { device });
  const cut = operator.request("node.invoke", invocation(device.id, "say"));
  const { payload: old } = await first.event("node.invoke.request");
  await using second = await connectNode(atrium, { device });
  assert.deepEqual(await first.closed, {
    code: 1008,
    reason: "replaced by a newer connection of this node",
  });
  assert.equal((await cut).error?.details.nodeError.code, "DISCONNECTED");
  assert.equal((await answer(second, old)).payload.ignored, true);
  const asked = operator.ask("node.invoke", invocation(device.id, "say"));
  await answer(second, (await second.event("node.invoke.request")).payload);
  assert.equal((await asked).ok, true);
  const { nodes } = await operator.ask("node.list", {});
  assert.deepEqual(
    nodes.map((row: { connected: boolean }) => row.connected),
    [true],
  );
});

test("[GW-53] methods of nodes are for nodes, and an operator's for operators", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  for (const method of ["node.event", "node.invoke.result", "node.invoke.progress"]) {
    const { error } = await operator.request(method, {});
    assert.deepEqual(error, {
      code: "INVALID_REQUEST",
      message: "unauthorized role: operator",
    });
  }
  for (const method of ["node.list", "node.invoke", "chat.inject", "node.pair.approve"]) {
    const { error } = await node.request(method, {});
    assert.deepEqual(error, { code: "INVALID_REQUEST", message: "unauthorized role: node" });
  }
  assert.equal((await node.ask("health")).ok, true);
  const unknown = await node.request("node.skills.update", { skills: [] });
  assert.equal(unknown.error?.message, "unknown method: node.skills.update");
});

test("[GW-53] a node answers for itself only", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  await using impostor = await connectApprovedNode(atrium, operator);
  const asked = operator.ask("node.invoke", invocation(node.nodeId, "say"));
  const { id } = (await node.event("node.invoke.request")).payload;
  const inItsName = { id, nodeId: node.nodeId, ok: true, payload: "forged" };
  const forged = await impostor.request("node.invoke.result", inItsName);
  assert.equal(forged.error?.details.reason, "node.mismatched");
  const inOwnName = { ...inItsName, nodeId: impostor.nodeId };
  const stray = await impostor.request("node.invoke.result", inOwnName);
  assert.deepEqual(stray.payload, { ok: true, ignored: true });
  await answer(node, { id }, { payload: "true" });
  assert.equal((await asked).payload, "true");
});

test("presence names nodes, and whoever reads learns when someone was last at one", async () => {
  await using atrium = await openTestAtrium();
  await using reader = await atrium.connect({ scopes: ["operator.read"] });
  await using blind = await atrium.connect({ scopes: ["operator.pairing"] });
  const present = reader.next(
    ({ event, payload }) => event === "presence" && JSON.stringify(payload).includes('"Node: '),
  );
  await using node = await connectNode(atrium, { permissions: { accessibility: true } });
  await present;
  const told = reader.event("node.presence");
  const event = "node.presence.activity";
  const said = await node.ask("node.event", { event, payload: { idleSeconds: 5 } });
  assert.deepEqual(said, { ok: true, event, handled: true, reason: "updated" });
  const { payload } = await told;
  assert.equal(payload.nodeId, node.nodeId);
  assert.equal(payload.presenceUpdatedAtMs - payload.lastActiveAtMs, 5_000);
  const row = await reader.ask("node.describe", { nodeId: node.nodeId });
  assert.equal(row.lastActiveAtMs, payload.lastActiveAtMs);
  const cleared = reader.event("node.presence");
  await node.ask("node.event", { event, payloadJSON: '{"action":"clear"}' });
  assert.equal((await cleared).payload.lastActiveAtMs, null);
  await blind.ask("health");
  assert.ok(!blind.frames.some((frame) => frame.event === "node.presence"));
});

test("an event nobody has a use for is answered as such", async () => {
  await using atrium = await openTestAtrium();
  await using node = await connectNode(atrium);
  const reasonOf = async (params: unknown) => (await node.ask("node.event", params)).reason;
  const event = "node.presence.activity";
  assert.equal(await reasonOf({ event: "voice.transcript" }), "unsupported_event");
  assert.equal(await reasonOf({ event, payloadJSON: "{" }), "invalid_payload");
  assert.equal(await reasonOf({ event, payload: { idleSeconds: 1 } }), "permission_required");
  const progress = { invokeId: "x", nodeId: node.nodeId, seq: 0, chunk: "…" };
  assert.deepEqual(await node.ask("node.invoke.progress", progress), { ok: true, ignored: true });
});

test("[GW-54] two who approve one request agree, and it is told once", async () => {
  await using atrium = await openTestAtrium();
  await using one = await atrium.connect();
  await using two = await atrium.connect();
  await using node = await connectNode(atrium);
  const { requestId } = await pendingOf(one, node.nodeId);
  const [first, second] = await Promise.all(
    [one, two].map((operator) => operator.ask("node.pair.approve", { requestId })),
  );
  assert.deepEqual(first, second);
  const { error } = await two.request("node.pair.reject", { requestId });
  assert.equal(error?.message, "unknown requestId");
  await one.ask("health");
  const told = one.frames.filter(({ event }) => event === "node.pair.resolved");
  assert.equal(told.length, 1);
});

test("[GW-54] approving a deep command takes an admin, and invoking one too", async () => {
  await using atrium = await openTestAtrium();
  await using admin = await atrium.connect();
  await using pairer = await atrium.connect({ scopes: ["operator.pairing", "operator.write"] });
  await using node = await connectNode(atrium, { commands: ["fs.listDir", "say"] });
  const request = await pendingOf(pairer, node.nodeId);
  assert.deepEqual(request.requiredApproveScopes, ["operator.pairing", "operator.admin"]);
  const { requestId } = request;
  const refused = await pairer.request("node.pair.approve", { requestId });
  assert.equal(refused.error?.details.missingScope, "operator.admin");
  await admin.ask("node.pair.approve", { requestId });
  const deep = await pairer.request("node.invoke", invocation(node.nodeId, "fs.listDir"));
  assert.equal(deep.error?.details.missingScope, "operator.admin");
  const plain = pairer.ask("node.invoke", invocation(node.nodeId, "say"));
  await answer(node, (await node.event("node.invoke.request")).payload);
  assert.equal((await plain).ok, true);
});

test("[GW-54] a rejected node stays and can do nothing; a removed one is put out and its token is void", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using rejected = await connectNode(atrium);
  const { requestId } = await pendingOf(operator, rejected.nodeId);
  await operator.ask("node.pair.reject", { requestId });
  const refused = await operator.request("node.invoke", invocation(rejected.nodeId, "say"));
  assert.equal(refused.error?.details.reason, "command not approved");

  const device = createTestDevice();
  const node = await connectApprovedNode(atrium, operator, { device });
  const { deviceToken } = node.hello.auth;
  const told = operator.next(
    ({ payload }) => payload?.decision === "removed" && "nodeId" in payload,
  );
  assert.deepEqual(await operator.ask("node.pair.remove", { nodeId: device.id }), {
    nodeId: device.id,
  });
  assert.deepEqual(await node.closed, { code: 4001, reason: "device removed" });
  assert.equal((await told).payload.requestId, "");
  const again = await operator.request("node.pair.remove", { nodeId: device.id });
  assert.equal(again.error?.message, "unknown nodeId");
  await using locked = await atrium.open();
  const { error } = await introduce(locked, {
    role: "node",
    scopes: [],
    auth: { token: deviceToken },
    device: (challenge) => device.prove(challenge, { token: deviceToken, role: "node" }),
  });
  assert.equal(error?.details.code, "AUTH_TOKEN_MISMATCH");
});

test("[GW-54] what clients of earlier times ask about pairing is answered", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const offer = { nodeId: "phone-1", displayName: "Phone", commands: ["say"], silent: false };
  const first = await operator.ask("node.pair.request", offer);
  assert.deepEqual([first.status, first.created], ["pending", true]);
  const again = await operator.ask("node.pair.request", offer);
  assert.deepEqual(again, { ...first, created: false });
  await operator.ask("node.pair.approve", { requestId: first.request.requestId });
  const settled = await operator.ask("node.pair.request", offer);
  assert.deepEqual([settled.status, settled.node.displayName], ["approved", "Phone"]);
  const verify = (nodeId: string, token: string) =>
    operator.ask("node.pair.verify", { nodeId, token });
  assert.deepEqual(await verify("phone-1", "made up"), { ok: false });

  await using node = await connectNode(atrium);
  const { deviceToken } = node.hello.auth;
  assert.deepEqual(await verify(node.nodeId, deviceToken), { ok: false });
  const { requestId } = await pendingOf(operator, node.nodeId);
  await operator.ask("node.pair.approve", { requestId });
  assert.equal((await verify(node.nodeId, deviceToken)).node.nodeId, node.nodeId);
  assert.deepEqual(await verify(node.nodeId, atrium.token), { ok: false });
});

test("nodes are listed, those that are connected first, described and renamed", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const away = await connectApprovedNode(atrium, operator, { displayName: "a" });
  await using here = await connectNode(atrium, { displayName: "z" });
  await away[Symbol.asyncDispose]();
  await untilGone(operator, away.nodeId);
  const { nodes, ts } = await operator.ask("node.list", {});
  assert.ok(Number.isInteger(ts));
  assert.deepEqual(
    nodes.map((row: Record<string, unknown>) => [
      row["displayName"],
      row["approvalState"],
      row["connected"],
      row["paired"],
      row["commands"],
      row["pathEnv"],
    ]),
    [
      ["z", "pending-approval", true, true, [], "/usr/bin"],
      ["a", "approved", false, true, ["say", "sing"], undefined],
    ],
  );
  const renamed = { nodeId: here.nodeId, displayName: "Kitchen" };
  assert.deepEqual(await operator.ask("node.rename", renamed), renamed);
  const row = await operator.ask("node.describe", { nodeId: here.nodeId });
  assert.equal(row.displayName, "Kitchen");
  for (const [method, params] of [
    ["node.describe", { nodeId: "x" }],
    ["node.rename", { nodeId: "x", displayName: "y" }],
    ["node.pair.remove", { nodeId: "x" }],
  ] as const) {
    assert.equal((await operator.request(method, params)).error?.message, "unknown nodeId");
  }
  const blank = await operator.request("node.rename", { ...renamed, displayName: "  " });
  assert.equal(blank.error?.message, "invalid node.rename params: displayName is blank");
});
