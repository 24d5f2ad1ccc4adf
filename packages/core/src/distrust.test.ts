/** What an entry that cannot be read does to rights, and to commands of its stream. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog, type Log } from "@atrium/log";
import { approval, type ApprovalSubject } from "./approval/approval.ts";
import { conversation } from "./conversation/conversation.ts";
import { device } from "./device/device.ts";
import { createDispatch, type Dispatch } from "./engine/dispatch.ts";
import { openProjections, type Projections } from "./engine/projection-runner.ts";
import { Quarantine } from "./engine/quarantine.ts";
import * as core from "./index.ts";
import { node } from "./node/node.ts";
import { readSurface } from "./node/surface.ts";
import { createApprovals } from "./projections/approvals.ts";
import { createConversations } from "./projections/conversations.ts";
import { createDevices } from "./projections/devices.ts";
import { createNodes } from "./projections/nodes.ts";
import { AGGREGATES } from "./stored-events/aggregates.ts";
import { createProblemFinder, findEventProblem } from "./stored-events/event-problem.ts";
import { readableLog } from "./stored-events/readable-log.ts";
import { createTestTime } from "./testing/index.ts";

interface House extends AsyncDisposable {
  readonly log: Log;
  readonly projections: Projections;
  readonly dispatch: Dispatch;
  readonly quarantine: Quarantine;
  readonly devices: ReturnType<typeof createDevices>;
  readonly nodes: ReturnType<typeof createNodes>;
  readonly approvals: ReturnType<typeof createApprovals>;
  readonly conversations: ReturnType<typeof createConversations>;
  /** Writes what no command would. */
  spoil(stream: string, type?: string, data?: unknown): Promise<void>;
}

async function openHouse(log: Log = openMemoryLog()): Promise<House> {
  const devices = createDevices();
  const nodes = createNodes();
  const approvals = createApprovals();
  const conversations = createConversations();
  const quarantine = new Quarantine(() => undefined);
  const folds = [devices, nodes, approvals, conversations];
  const projections = await openProjections(log, folds, {
    findProblem: findEventProblem,
    quarantine,
  });
  const deps = { log, clock: createTestTime(), settled: projections.settled };
  const dispatch = createDispatch({ ...deps, quarantine });
  return {
    log,
    projections,
    dispatch,
    quarantine,
    devices,
    nodes,
    approvals,
    conversations,
    async spoil(stream, type = `${stream.split("/")[0]}.of_a_newer_version`, data = {}) {
      const done = await log.append(stream, "any", [{ type, at: 5, data }]);
      assert.ok(done.ok);
      await projections.settled(done.position.seq);
    },
    [Symbol.asyncDispose]: () => projections.close(),
  };
}

const info = { clientId: "c", clientMode: "test", platform: "linux", displayName: null };
const admit = {
  type: "admit",
  deviceId: "d1",
  publicKey: "k",
  role: "operator",
  scopes: ["operator.admin"],
  info,
} as const;

test("[CORE-12] a device with an entry that cannot be read is no longer paired, also after a restart, until a person lets it in anew", async () => {
  await using log = openMemoryLog();
  {
    await using house = await openHouse(log);
    await house.dispatch(device, "d1", admit);
    const before = house.devices.get("d1")?.grants.get("operator")?.generation ?? 0;
    await house.spoil("device/d1");
    assert.equal(house.devices.get("d1"), undefined);
    const again = await house.dispatch(device, "d1", { type: "remove" });
    assert.equal(again.ok, false);
    const silent = await house.dispatch(device, "d1", admit);
    assert.equal(!silent.ok && silent.code, "device.suspended");
    assert.ok(house.devices.isSuspended("d1"));
    const { type: _type, ...asked } = admit;
    const at = { now: 1, address: "127.0.0.1", expiresAt: 9 };
    await house.dispatch(device, "d1", { type: "request", requestId: "r1", ...asked, ...at });
    const person = { now: 2, holds: ["operator.admin"] };
    await house.dispatch(device, "d1", { type: "approve", requestId: "r1", ...person });
    assert.ok(!house.devices.isSuspended("d1"));
    // A token of the time before is void.
    const { generation = 0 } = house.devices.get("d1")?.grants.get("operator") ?? {};
    assert.equal(generation, before + 1);
    await house.spoil("device/d1", "device.removed", { deviceId: 7 });
    assert.equal(house.devices.get("d1"), undefined);
  }
  await using house = await openHouse(log);
  assert.equal(house.devices.get("d1"), undefined);
  assert.deepEqual([...house.quarantine.unknown], [["device.of_a_newer_version", 1]]);
  assert.deepEqual([...house.quarantine.damaged], [["all", 1]]);
});

test("[CORE-12] a node with an entry that cannot be read has to be approved again", async () => {
  await using house = await openHouse();
  const surface = readSurface({ caps: ["system"], commands: ["say"] });
  const about = { ...info, version: "1", deviceFamily: null, modelIdentifier: null, address: null };
  const declare = { type: "declare", nodeId: "n1", surface, info: about, isSilent: false } as const;
  await house.dispatch(node, "n1", { ...declare, requestId: "r1" });
  await house.dispatch(node, "n1", { type: "approve", requestId: "r1" });
  assert.ok(house.nodes.get("n1")?.approved);
  await house.spoil("node/n1");
  assert.equal(house.nodes.get("n1"), undefined);
  await house.dispatch(node, "n1", { ...declare, requestId: "r2" });
  assert.equal(house.nodes.get("n1")?.approved, null);
  assert.equal(house.nodes.get("n1")?.waiting?.requestId, "r2");
});

const subject: ApprovalSubject = {
  tool: "shell",
  summary: "npm publish",
  cwd: null,
  host: null,
  nodeId: null,
  warning: null,
  conversationKey: "agent:main:main",
  runId: "run-1",
  agent: "main",
  askedBy: "agent",
  mayAlways: true,
};
const ann = { id: "device-a", name: "Ann", via: "gateway" } as const;

test("[CORE-12] an approval with an entry that cannot be read allows nothing, whether it was open or an always", async () => {
  await using house = await openHouse();
  const request = { type: "request", subject, expiresAt: 99, standing: null } as const;
  await house.dispatch(approval, "a1", { ...request, id: "a1", code: "abcde" });
  await house.dispatch(approval, "a1", { type: "allow", how: "always", by: ann });
  assert.equal(house.approvals.rules().length, 1);
  await house.spoil("approval/a1");
  assert.deepEqual(house.approvals.rules(), []);
  assert.equal(house.approvals.standingFor(subject), undefined);
  await house.dispatch(approval, "a2", { ...request, id: "a2", code: "fghij" });
  await house.spoil("approval/a2", "approval.allowed", { how: "once" });
  assert.equal(house.approvals.openCount, 0);
  const late = await house.dispatch(approval, "a2", { type: "allow", how: "once", by: ann });
  assert.deepEqual([late.ok, "code" in late && late.code], [false, "approval.settled"]);
});

test("[CORE-8] a conversation goes on with the commands that come after an entry that cannot be read", async () => {
  await using log = openMemoryLog();
  const key = "agent:main:main";
  const stream = `conversation/${key}`;
  {
    await using house = await openHouse(log);
    await house.spoil(stream, "conversation.opened", null);
    const where = { text: key, agentId: "agent_bd", handle: "main", isMain: true };
    const opening = { key: where, sessionId: "s1" } as const;
    const open = { type: "open", ...opening, settings: {} } as const;
    assert.equal((await house.dispatch(conversation, key, open)).ok, true);
    await house.spoil(stream);
    const said = { messageId: "m1", text: "hello", label: null };
    const say = { type: "inject", ...opening, ...said } as const;
    assert.equal((await house.dispatch(conversation, key, say)).ok, true);
    assert.equal(house.conversations.get(key)?.messages, 1);
  }
  await using house = await openHouse(log);
  assert.equal(house.conversations.get(key)?.messages, 1);
});

test("[CORE-8] the streams of every aggregate are known", () => {
  const aggregates = Object.values<unknown>(core).filter(isAggregate);
  assert.ok(aggregates.length > 10);
  for (const { name } of aggregates) {
    const entry = { seq: 1, stream: `${name}/x`, type: "of_a_newer_version", at: 1, data: {} };
    assert.equal(findEventProblem(entry)?.why, "its type is not known", name);
  }
  const problem = findEventProblem({ seq: 1, stream: "newer/x", type: "x", at: 1, data: {} });
  assert.equal(problem?.why, "its stream is not known");
});

test("[CORE-11] two aggregates that own the same streams are a fault at the start that names them; one may have a single stream under the name of another", () => {
  const [first] = AGGREGATES;
  assert.ok(first);
  const twice = [...AGGREGATES, { ...first, checks: new Map() }];
  const said = `two aggregates are named "${first.name}" and own the same streams: ${first.name}/*`;
  assert.throws(() => createProblemFinder(twice), new core.Fault(said));
  const chat = { name: "office", onlyId: "chat", checks: new Map() };
  assert.throws(() => createProblemFinder([chat, chat]), /named "office".*office\/chat/);
  assert.throws(() => createProblemFinder([{ ...first, name: "office/chat" }]), /"office\/chat"/);
  // Whoever asks about an entry, as every start does, has had these looked at.
  createProblemFinder(AGGREGATES);
});

function isAggregate(value: unknown): value is { readonly name: string } {
  return typeof value === "object" && value !== null && "decide" in value && "evolve" in value;
}

test("[CORE-8] whoever reads the past is shown what can be read", async () => {
  await using log = openMemoryLog();
  await using house = await openHouse(log);
  await house.dispatch(device, "d1", admit);
  await house.spoil("device/d1");
  await house.spoil("newer/thing", "thing.happened");
  await house.dispatch(device, "d2", { ...admit, deviceId: "d2" });
  const readable = readableLog(log);
  const types = (await Array.fromAsync(readable.read())).map(({ type }) => type);
  const each = ["device.paired", "device.granted"];
  assert.deepEqual(types, [...each, ...each]);
  const newest = await Array.fromAsync(readable.read({ backwards: true, limit: 1 }));
  assert.deepEqual(
    newest.map(({ type }) => type),
    ["device.granted"],
  );
  const leave = new AbortController();
  const tailed: string[] = [];
  for await (const batch of readable.tail(0, leave.signal)) {
    tailed.push(...batch.map(({ type }) => type));
    if (tailed.length >= 4) leave.abort();
  }
  assert.deepEqual(tailed, types);
  assert.deepEqual([readable.head, readable.epoch], [log.head, log.epoch]);
});
