import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../kit/atrium.ts";
import { createTestDevice } from "../kit/device.ts";
import { answer, connectApprovedNode, connectNode, requestsTo } from "../kit/node.ts";
import { introduce, type Connected, type Frame } from "../kit/raw-peer.ts";
import { withHome } from "../kit/server-process.ts";

let keys = 0;
function ask(nodeId: string, command: string, more: Readonly<Record<string, unknown>> = {}) {
  return { nodeId, command, idempotencyKey: `key-${++keys}`, ...more };
}

async function pendingOf(operator: Connected, nodeId: string): Promise<Frame["payload"]> {
  const { pending } = await operator.ask("node.pair.list", {});
  return pending.find((request: { nodeId: string }) => request.nodeId === nodeId);
}

/** A socket's end is known to its server a moment later than to who ended it. */
async function untilGone(operator: Connected, nodeId: string): Promise<void> {
  while ((await operator.ask("node.describe", { nodeId })).connected === true);
}

test("[GW-100] a new node is paired silently, what it offers waits, and those who decide are told", async () => {
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

test("[GW-100] a node may speak protocol 2, 3 or 4, and must have a key of its own", async () => {
  await using atrium = await openTestAtrium();
  for (const protocol of [2, 3, 4]) {
    await using node = await connectNode(atrium, { protocol });
    assert.equal(node.hello.protocol, protocol);
  }
  await using keyless = await atrium.open();
  const { error } = await introduce(keyless, { role: "node", auth: { token: atrium.token } });
  assert.equal(error?.details.code, "DEVICE_IDENTITY_REQUIRED");
});

test("[GW-101] what a node offers can be used once it is approved, and the node is told", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using node = await connectNode(atrium);
  const { nodeId } = node;
  const { requestId } = await pendingOf(operator, nodeId);
  const early = await operator.request("node.invoke", ask(nodeId, "say"));
  assert.equal(early.error?.code, "INVALID_REQUEST");
  assert.deepEqual(early.error?.details, { reason: "command not approved", command: "say" });

  const told = [operator.event("node.pair.resolved"), node.event("node.pair.resolved")];
  const approved = await operator.ask("node.pair.approve", { requestId });
  assert.equal(approved.requestId, requestId);
  assert.deepEqual(approved.node.commands, ["say", "sing"]);
  for (const { payload } of await Promise.all(told)) {
    assert.deepEqual({ ...payload, ts: 0 }, { requestId, nodeId, decision: "approved", ts: 0 });
  }
  const invoked = operator.request("node.invoke", ask(nodeId, "say"));
  const { payload: request } = await node.first((frame) => frame.event === "node.invoke.request");
  await answer(node, request);
  assert.equal((await invoked).ok, true);
});

test("[GW-101] what cannot be invoked is said to be so, and why", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const node = await connectApprovedNode(atrium, operator);
  const { nodeId } = node;
  const unknown = await operator.request("node.invoke", ask("nobody", "say"));
  assert.deepEqual(
    [unknown.error?.code, unknown.error?.message, unknown.error?.details],
    ["INVALID_REQUEST", "unknown nodeId", { reason: "node.unknown" }],
  );
  const unoffered = await operator.request("node.invoke", ask(nodeId, "camera.snap"));
  assert.deepEqual(unoffered.error?.details, {
    reason: "command not declared by node",
    command: "camera.snap",
  });
  await node[Symbol.asyncDispose]();
  await untilGone(operator, nodeId);
  const offline = await operator.request("node.invoke", ask(nodeId, "say"));
  assert.equal(offline.error?.code, "UNAVAILABLE");
  assert.equal(offline.error?.retryable, true);
  assert.equal(offline.error?.details.code, "NOT_CONNECTED");
  assert.deepEqual(requestsTo(node), []);
});

test("[GW-102] an approved node is back at once; more than that waits beside what it has, less does not", async () => {
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
      const unapproved = await operator.request("node.invoke", ask(device.id, "shout"));
      assert.equal(unapproved.error?.details.reason, "command not approved");
      const usable = operator.ask("node.invoke", ask(device.id, "say"));
      await answer(wider, (await wider.event("node.invoke.request")).payload);
      assert.equal((await usable).ok, true);
    }
    const withdrawn = operator.event("node.pair.resolved");
    await using _less = await connectNode(atrium, { device, commands: ["say"] });
    assert.equal((await withdrawn).payload.decision, "withdrawn");
    assert.deepEqual(await commands(), ["approved", ["say"], undefined]);
  });
});

test("[GW-103] a command goes to the node it names and its answer comes back, as text or as it is", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using other = await connectApprovedNode(atrium, operator);
  await using node = await connectApprovedNode(atrium, operator);
  const { nodeId } = node;
  const params = { text: "höi", n: [1, 2] };
  const asText = operator.ask("node.invoke", {
    ...ask(nodeId, "say", { params, timeoutMs: 5_000 }),
    idempotencyKey: "mine",
  });
  const { payload: request, seq } = await node.event("node.invoke.request");
  assert.equal(seq, undefined);
  assert.deepEqual(
    { ...request, id: "" },
    {
      id: "",
      nodeId,
      command: "say",
      paramsJSON: JSON.stringify(params),
      timeoutMs: 5_000,
      idempotencyKey: "mine",
    },
  );
  const taken = await answer(node, request, { payloadJSON: '{"b": 2}', error: null });
  assert.deepEqual(taken.payload, { ok: true });
  assert.deepEqual(await asText, {
    ok: true,
    nodeId,
    command: "say",
    payload: { b: 2 },
    payloadJSON: '{"b": 2}',
  });

  const asIs = operator.ask("node.invoke", ask(nodeId, "sing"));
  const { payload: bare } = await node.event("node.invoke.request");
  assert.deepEqual(Object.keys(bare).toSorted(), [
    "command",
    "id",
    "idempotencyKey",
    "nodeId",
    "timeoutMs",
  ]);
  await answer(node, bare, { payload: [1] });
  assert.deepEqual(await asIs, {
    ok: true,
    nodeId,
    command: "sing",
    payload: [1],
    payloadJSON: null,
  });
  assert.deepEqual(requestsTo(other), []);
});

test("[GW-103] without a timeout a node has half a minute, and never more than a quarter of an hour", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  for (const [more, expected] of [
    [{}, 30_000],
    [{ timeoutMs: 0 }, 900_000],
    [{ timeoutMs: 86_400_000 }, 900_000],
    [{ timeoutMs: 1_000 }, 1_000],
  ] as const) {
    const asked = operator.ask("node.invoke", ask(node.nodeId, "say", more));
    const { payload: request } = await node.event("node.invoke.request");
    assert.equal(request.timeoutMs, expected);
    await answer(node, request);
    await asked;
  }
});

test("[GW-103] a node's own refusal is passed on with its code", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  const asked = operator.request("node.invoke", ask(node.nodeId, "say"));
  const { payload: request } = await node.event("node.invoke.request");
  await answer(node, request, { ok: false, error: { code: "MUTED", message: "not now" } });
  const { ok, error } = await asked;
  assert.equal(ok, false);
  assert.deepEqual([error?.code, error?.message], ["UNAVAILABLE", "MUTED: not now"]);
  assert.deepEqual(error?.details.nodeError, { code: "MUTED", message: "not now" });
});

test("[GW-104] the same key twice at once asks the node once and answers both", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using colleague = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  const asked = ask(node.nodeId, "say");
  const answers = [operator, operator, colleague].map((peer) => peer.ask("node.invoke", asked));
  const { payload: request } = await node.event("node.invoke.request");
  await answer(node, request, { payload: "once" });
  for (const { payload } of await Promise.all(answers)) assert.equal(payload, "once");
  assert.equal((await operator.ask("node.invoke", asked)).payload, "once");
  assert.equal(requestsTo(node).length, 1);
  const other = await operator.request("node.invoke", { ...asked, command: "sing" });
  assert.equal(other.error?.details.code, "key.reused");
});

test("[GW-104] the same key after a restart gives the first answer, with no node there to ask", async () => {
  await withHome(async (home) => {
    const open = () => openTestAtrium({ home, args: ["--log", "sqlite"] });
    const first = await open();
    const operator = await first.connect();
    const node = await connectApprovedNode(first, operator);
    const done = ask(node.nodeId, "say");
    const failed = ask(node.nodeId, "say");
    const says = operator.ask("node.invoke", done);
    await answer(node, (await node.event("node.invoke.request")).payload, { payload: "once" });
    const before = await says;
    const fails = operator.request("node.invoke", failed);
    const { payload: request } = await node.event("node.invoke.request");
    await answer(node, request, { ok: false, error: { code: "MUTED", message: "no" } });
    const failure = await fails;
    await first.close();

    await using second = await open();
    await using again = await second.connect();
    assert.deepEqual(await again.ask("node.invoke", done), before);
    assert.deepEqual((await again.request("node.invoke", failed)).error, failure.error);
  });
});

test("[GW-105] a node that disappears in the middle ends what it was asked, once", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const device = createTestDevice();
  const node = await connectApprovedNode(atrium, operator, { device });
  const asked = ask(node.nodeId, "say");
  const waiting = operator.request("node.invoke", asked);
  const { payload: request } = await node.event("node.invoke.request");
  await node[Symbol.asyncDispose]();
  const { error } = await waiting;
  assert.equal(error?.details.nodeError.code, "DISCONNECTED");

  await using back = await connectNode(atrium, { device });
  const late = await answer(back, request);
  assert.deepEqual(late.payload, { ok: true, ignored: true });
  assert.deepEqual((await operator.request("node.invoke", asked)).error, error);
  assert.deepEqual(requestsTo(back), []);
});

test("[GW-105] who waits too long is told so, and the node to stop; its late answer changes nothing", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  const asked = ask(node.nodeId, "say", { timeoutMs: 20 });
  const cancelled = node.event("node.invoke.cancel");
  const { error } = await operator.request("node.invoke", asked);
  assert.deepEqual(
    [error?.code, error?.details.nodeError.code, error?.retryable],
    ["UNAVAILABLE", "TIMEOUT", false],
  );
  const [request] = requestsTo(node);
  assert.deepEqual((await cancelled).payload, { invokeId: request.id, nodeId: node.nodeId });
  assert.equal((await answer(node, request)).payload.ignored, true);
  assert.deepEqual((await operator.request("node.invoke", asked)).error, error);
});

test("[GW-105] when everyone who asked has left the node is told to stop", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const colleague = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  const asked = ask(node.nodeId, "say");
  void colleague.request("node.invoke", asked).catch(() => undefined);
  await node.event("node.invoke.request");
  const cancelled = node.event("node.invoke.cancel");
  await colleague[Symbol.asyncDispose]();
  await cancelled;
  const { error } = await operator.request("node.invoke", asked);
  assert.equal(error?.details.nodeError.code, "ABORTED");
});

test("[GW-107] a second connection of a node takes the place of the first", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const device = createTestDevice();
  await using first = await connectApprovedNode(atrium, operator, { device });
  const cut = operator.request("node.invoke", ask(device.id, "say"));
  const { payload: old } = await first.event("node.invoke.request");
  await using second = await connectNode(atrium, { device });
  assert.deepEqual(await first.closed, {
    code: 1008,
    reason: "replaced by a newer connection of this node",
  });
  assert.equal((await cut).error?.details.nodeError.code, "DISCONNECTED");
  assert.equal((await answer(second, old)).payload.ignored, true);
  const asked = operator.ask("node.invoke", ask(device.id, "say"));
  await answer(second, (await second.event("node.invoke.request")).payload);
  assert.equal((await asked).ok, true);
  const { nodes } = await operator.ask("node.list", {});
  assert.deepEqual(
    nodes.map((row: { connected: boolean }) => row.connected),
    [true],
  );
});

test("[GW-108] methods of nodes are for nodes, and an operator's for operators", async () => {
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

test("[GW-108] a node answers for itself only", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  await using impostor = await connectApprovedNode(atrium, operator);
  const asked = operator.ask("node.invoke", ask(node.nodeId, "say"));
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

test("[GW-109] presence names nodes, and whoever reads learns when someone was last at one", async () => {
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

test("[GW-109] an event nobody has a use for is answered as such", async () => {
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

test("[GW-110] two who approve one request agree, and it is told once", async () => {
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

test("[GW-110] approving a deep command takes an admin, and invoking one too", async () => {
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
  const deep = await pairer.request("node.invoke", ask(node.nodeId, "fs.listDir"));
  assert.equal(deep.error?.details.missingScope, "operator.admin");
  const plain = pairer.ask("node.invoke", ask(node.nodeId, "say"));
  await answer(node, (await node.event("node.invoke.request")).payload);
  assert.equal((await plain).ok, true);
});

test("[GW-110] a rejected node stays and can do nothing; a removed one is put out and its token is void", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using rejected = await connectNode(atrium);
  const { requestId } = await pendingOf(operator, rejected.nodeId);
  await operator.ask("node.pair.reject", { requestId });
  const refused = await operator.request("node.invoke", ask(rejected.nodeId, "say"));
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

test("[GW-111] what clients of earlier times ask about pairing is answered", async () => {
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

test("[GW-112] an answer too big to keep ends the invocation and both sides are told", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  const asked = operator.request("node.invoke", ask(node.nodeId, "say"));
  const { payload: request } = await node.event("node.invoke.request");
  const refused = await answer(node, request, { payload: "x".repeat(9 * 1024 * 1024) });
  assert.equal(refused.error?.details.reason, "invocation.oversize");
  assert.equal((await asked).error?.details.nodeError.code, "OVERSIZE");
  const params = { text: "x".repeat(9 * 1024 * 1024) };
  const tooMuch = await operator.request("node.invoke", ask(node.nodeId, "say", { params }));
  assert.equal(tooMuch.error?.details.reason, "invocation.oversize");
  assert.equal(requestsTo(node).length, 1);
});

test("[GW-113] nodes are listed, those that are connected first, described and renamed", async () => {
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

test("[GW-176] a message is delivered to a node that offers a command for it, once per key", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const commands = ["system.notify"];
  const displayName = "Desk";
  await using node = await connectApprovedNode(atrium, operator, { commands, displayName });
  await using mute = await connectApprovedNode(atrium, operator, { displayName: "Mute" });
  const params = { channel: "node", to: "desk", message: "Lunch?", idempotencyKey: "m1" };
  const sent = operator.ask("send", params);
  const { payload: request } = await node.event("node.invoke.request");
  assert.equal(request.command, "system.notify");
  assert.deepEqual(JSON.parse(request.paramsJSON), { title: "test", body: "Lunch?" });
  await answer(node, request);
  const delivered = await sent;
  assert.deepEqual([delivered.channel, delivered.runId], ["node", "m1"]);
  assert.deepEqual(await operator.ask("send", params), delivered);
  assert.equal(requestsTo(node).length, 1);

  const refused = async (to: string, key: string) =>
    (await operator.request("send", { ...params, to, idempotencyKey: key })).error?.message ?? "";
  assert.match(await refused("nowhere", "m2"), /unknown nodeId/);
  assert.match(await refused(mute.nodeId, "m3"), /offers no message command/);
  node.close();
  await untilGone(operator, node.nodeId);
  assert.match(await refused("desk", "m4"), /not connected/);
});
