/** Asking a node to do something: once per key, however it ends. */
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
import { withHome } from "../../kit/server-process.ts";

test("[GW-52] a command goes to the node it names and its answer comes back, as text or as it is", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using other = await connectApprovedNode(atrium, operator);
  await using node = await connectApprovedNode(atrium, operator);
  const { nodeId } = node;
  const params = { text: "höi", n: [1, 2] };
  const asText = operator.ask("node.invoke", {
    ...invocation(nodeId, "say", { params, timeoutMs: 5_000 }),
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

  const asIs = operator.ask("node.invoke", invocation(nodeId, "sing"));
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

test("[GW-52] without a timeout a node has half a minute, and never more than a quarter of an hour", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  for (const [more, expected] of [
    [{}, 30_000],
    [{ timeoutMs: 0 }, 900_000],
    [{ timeoutMs: 86_400_000 }, 900_000],
    [{ timeoutMs: 1_000 }, 1_000],
  ] as const) {
    const asked = operator.ask("node.invoke", invocation(node.nodeId, "say", more));
    const { payload: request } = await node.event("node.invoke.request");
    assert.equal(request.timeoutMs, expected);
    await answer(node, request);
    await asked;
  }
});

test("[GW-52] a node's own refusal is passed on with its code", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  const asked = operator.request("node.invoke", invocation(node.nodeId, "say"));
  const { payload: request } = await node.event("node.invoke.request");
  await answer(node, request, { ok: false, error: { code: "MUTED", message: "not now" } });
  const { ok, error } = await asked;
  assert.equal(ok, false);
  assert.deepEqual([error?.code, error?.message], ["UNAVAILABLE", "MUTED: not now"]);
  assert.deepEqual(error?.details.nodeError, { code: "MUTED", message: "not now" });
});

test("[GW-52] the same key twice at once asks the node once and answers both", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using colleague = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  const asked = invocation(node.nodeId, "say");
  const answers = [operator, operator, colleague].map((peer) => peer.ask("node.invoke", asked));
  const { payload: request } = await node.event("node.invoke.request");
  await answer(node, request, { payload: "once" });
  for (const { payload } of await Promise.all(answers)) assert.equal(payload, "once");
  assert.equal((await operator.ask("node.invoke", asked)).payload, "once");
  assert.equal(requestsTo(node).length, 1);
  const other = await operator.request("node.invoke", { ...asked, command: "sing" });
  assert.equal(other.error?.details.code, "key.reused");
});

test("[GW-52] the same key after a restart gives the first answer, with no node there to ask", async () => {
  await withHome(async (home) => {
    const open = () => openTestAtrium({ home, args: ["--log", "sqlite"] });
    const first = await open();
    const operator = await first.connect();
    const node = await connectApprovedNode(first, operator);
    const done = invocation(node.nodeId, "say");
    const failed = invocation(node.nodeId, "say");
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

test("[GW-52] a node that disappears in the middle ends what it was asked, once", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const device = createTestDevice();
  const node = await connectApprovedNode(atrium, operator, { device });
  const asked = invocation(node.nodeId, "say");
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

test("[GW-52] who waits too long is told so, and the node to stop; its late answer changes nothing", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  const asked = invocation(node.nodeId, "say", { timeoutMs: 20 });
  const cancelled = node.event("node.invoke.cancel");
  const { error } = await operator.request("node.invoke", asked);
  assert.deepEqual(
    [error?.code, error?.details.nodeError.code, error?.retryable],
    ["UNAVAILABLE", "TIMEOUT", false],
  );
  const { payload: cancel } = await cancelled;
  const [request] = requestsTo(node);
  assert.deepEqual(cancel, { invokeId: request.id, nodeId: node.nodeId });
  assert.equal((await answer(node, request)).payload.ignored, true);
  assert.deepEqual((await operator.request("node.invoke", asked)).error, error);
});

test("[GW-52] when everyone who asked has left the node is told to stop", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const colleague = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  const asked = invocation(node.nodeId, "say");
  void colleague.request("node.invoke", asked).catch(() => undefined);
  await node.event("node.invoke.request");
  const cancelled = node.event("node.invoke.cancel");
  await colleague[Symbol.asyncDispose]();
  await cancelled;
  const { error } = await operator.request("node.invoke", asked);
  assert.equal(error?.details.nodeError.code, "ABORTED");
});

test("[GW-51] an answer too big to keep ends the invocation and both sides are told", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  await using node = await connectApprovedNode(atrium, operator);
  const asked = operator.request("node.invoke", invocation(node.nodeId, "say"));
  const { payload: request } = await node.event("node.invoke.request");
  const refused = await answer(node, request, { payload: "x".repeat(9 * 1024 * 1024) });
  assert.equal(refused.error?.details.reason, "invocation.oversize");
  assert.equal((await asked).error?.details.nodeError.code, "OVERSIZE");
  const params = { text: "x".repeat(9 * 1024 * 1024) };
  const tooMuch = await operator.request("node.invoke", invocation(node.nodeId, "say", { params }));
  assert.equal(tooMuch.error?.details.reason, "invocation.oversize");
  assert.equal(requestsTo(node).length, 1);
});

test("[GW-48] a message is delivered to a node that offers a command for it, once per key", async () => {
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
