import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog } from "@atrium/log";
import { createDispatch } from "../engine/dispatch.ts";
import { openProjections } from "../engine/projection-runner.ts";
import { accept, refuse } from "../engine/refusal.ts";
import { createNodes } from "../projections/nodes.ts";
import { createTestTime, given } from "../testing/index.ts";
import { invocation } from "./invocation.ts";
import { node, type Declare, type NodeEvent } from "./node.ts";
import { readSurface, type NodeOffer } from "./surface.ts";

const info = {
  displayName: "box",
  platform: "linux",
  version: "1",
  deviceFamily: null,
  modelIdentifier: null,
  clientId: "node-host",
  clientMode: "node",
  address: null,
};
const surface = readSurface({ caps: ["system"], commands: ["say", "sing"] });

const declare = (requestId: string, offer: NodeOffer = surface): Declare => ({
  type: "declare",
  nodeId: "n1",
  requestId,
  surface: offer,
  info,
  isSilent: true,
});
const requested = (requestId: string, offer: NodeOffer = surface): NodeEvent => ({
  type: "node.requested",
  nodeId: "n1",
  requestId,
  surface: offer,
  info,
  isSilent: true,
});
const approved = (requestId: string): NodeEvent => ({
  type: "node.approved",
  nodeId: "n1",
  requestId,
});
const agreed = [requested("r1"), approved("r1")] as const;

test("[GW-50] what a new node offers waits, and offering it again changes nothing", () => {
  assert.deepEqual(given(node).when(declare("r1")), accept([requested("r1")]));
  assert.deepEqual(given(node, requested("r1")).when(declare("r2")), accept([]));
});

test("[GW-50] an offer in another order, or with something twice, is the same offer", () => {
  const same = readSurface({ caps: ["system", "system"], commands: ["sing", "say"] });
  assert.deepEqual(given(node, requested("r1")).when(declare("r2", same)), accept([]));
});

test("[GW-50] more than was approved waits; as much or less does not", () => {
  const wider = [
    readSurface({ ...surface, commands: ["say", "sing", "shout"] }),
    readSurface({ ...surface, caps: ["system", "camera"] }),
    readSurface({ ...surface, permissions: { microphone: true } }),
  ];
  for (const offer of wider) {
    assert.deepEqual(
      given(node, ...agreed).when(declare("r2", offer)),
      accept([requested("r2", offer)]),
    );
  }
  const narrower = [
    surface,
    readSurface({ commands: ["say"] }),
    readSurface({}),
    readSurface({ ...surface, permissions: { microphone: false } }),
  ];
  for (const offer of narrower) {
    assert.deepEqual(given(node, ...agreed).when(declare("r2", offer)), accept([]));
  }
});

test("[GW-50] a node that comes back to what it has takes its request back", () => {
  const wider = readSurface({ ...surface, commands: ["say", "sing", "shout"] });
  const outcome = given(node, ...agreed, requested("r2", wider)).when(declare("r3"));
  assert.deepEqual(
    outcome,
    accept([{ type: "node.withdrawn", nodeId: "n1", requestId: "r2" } as const]),
  );
});

test("[GW-54] a newer request takes the place of the one that waits", () => {
  const other = readSurface({ commands: ["shout"] });
  const history = given(node, requested("r1"), requested("r2", other));
  assert.deepEqual(
    history.when({ type: "approve", requestId: "r1" }),
    refuse("request.unknown", "r1"),
  );
  assert.deepEqual(history.when({ type: "approve", requestId: "r2" }), accept([approved("r2")]));
});

test("[GW-54] two who approve the same request approve it once", () => {
  const history = given(node, ...agreed);
  assert.deepEqual(history.when({ type: "approve", requestId: "r1" }), accept([]));
  assert.deepEqual(
    history.when({ type: "reject", requestId: "r1" }),
    refuse("request.unknown", "r1"),
  );
});

test("[GW-54] a rejected request can be approved no more, and what was agreed before stays", () => {
  const rejected: NodeEvent = { type: "node.rejected", nodeId: "n1", requestId: "r1" };
  const fresh = given(node, requested("r1"), rejected);
  assert.deepEqual(
    fresh.when({ type: "approve", requestId: "r1" }),
    refuse("request.unknown", "r1"),
  );
  assert.deepEqual(fresh.when(declare("r2")), accept([requested("r2")]));
  const wider = readSurface({ ...surface, commands: ["say", "sing", "shout"] });
  const again = given(node, ...agreed, requested("r2", wider), {
    type: "node.rejected",
    nodeId: "n1",
    requestId: "r2",
  });
  assert.deepEqual(again.when(declare("r3")), accept([]));
});

test("[GW-54] only a known node is renamed or removed, and a removed one has to ask again", () => {
  const rename = { type: "rename", displayName: "Box" } as const;
  assert.deepEqual(given(node).when(rename), refuse("node.unknown"));
  assert.deepEqual(given(node).when({ type: "remove" }), refuse("node.unknown"));
  assert.deepEqual(
    given(node, ...agreed).when(rename),
    accept([{ type: "node.renamed", nodeId: "n1", displayName: "Box" } as const]),
  );
  const removed: NodeEvent = { type: "node.removed", nodeId: "n1" };
  assert.deepEqual(given(node, ...agreed).when({ type: "remove" }), accept([removed]));
  const gone = given(node, ...agreed, removed);
  assert.deepEqual(gone.when(declare("r2")), accept([requested("r2")]));
});

test("the list of nodes is the same from a snapshot, with what waits and what is open", async () => {
  await using log = openMemoryLog();
  const nodes = createNodes();
  await using projections = await openProjections(log, [nodes]);
  const dispatch = createDispatch({ log, clock: createTestTime(), settled: projections.settled });
  await dispatch(node, "n1", declare("r1"));
  await dispatch(node, "n1", { type: "approve", requestId: "r1" });
  await dispatch(node, "n1", { type: "rename", displayName: "Box" });
  const wider = readSurface({ ...surface, commands: ["say", "sing", "shout"] });
  await dispatch(node, "n1", declare("r2", wider));
  const offer = {
    state: "known",
    declared: surface.commands,
    approved: surface.commands,
    waiting: [],
  } as const;
  for (const invokeId of ["i1", "i2"]) {
    const about = { nodeId: "n1", command: "say", conversationKey: null, offer } as const;
    const ask = { type: "request", invokeId, ...about } as const;
    await dispatch(invocation, invokeId, ask);
  }
  const outcome = { status: "done", payload: 1 } as const;
  await dispatch(invocation, "i1", { type: "settle", outcome });

  const row = nodes.get("n1");
  assert.equal(row?.name, "Box");
  assert.deepEqual(row.approved?.surface, surface);
  assert.deepEqual(row.waiting?.surface, wider);
  assert.deepEqual(
    ["r1", "r2", "r3"].map((id) => nodes.ownerOf(id)),
    ["n1", "n1", undefined],
  );
  assert.deepEqual(nodes.openInvocations(), [{ invokeId: "i2", server: null }]);
  const copy = createNodes();
  copy.load(JSON.parse(JSON.stringify(nodes.save())));
  assert.deepEqual(copy.list(), nodes.list());
  assert.deepEqual(copy.openInvocations(), [{ invokeId: "i2", server: null }]);
  await dispatch(node, "n1", { type: "remove" });
  assert.deepEqual(nodes.list(), []);
});
