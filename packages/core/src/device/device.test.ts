import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog } from "@atrium/log";
import { createDispatch } from "../engine/dispatch.ts";
import { openProjections } from "../engine/projection-runner.ts";
import { accept, refuse } from "../engine/refusal.ts";
import { createDevices } from "../projections/devices.ts";
import { createTestTime, given } from "../testing/index.ts";
import { device, type Admit, type DeviceEvent, type RequestPairing } from "./device.ts";

const info = { clientId: "cli", clientMode: "cli", platform: "linux", displayName: null };

function admit(change: Partial<Admit> = {}): Admit {
  const scopes = ["operator.read"];
  return {
    type: "admit",
    deviceId: "d1",
    publicKey: "pk",
    role: "operator",
    scopes,
    info,
    ...change,
  };
}

const paired: DeviceEvent = {
  type: "device.paired",
  deviceId: "d1",
  publicKey: "pk",
  approvedVia: "silent",
  ...info,
};
const granted = (...scopes: string[]): DeviceEvent => ({
  type: "device.granted",
  deviceId: "d1",
  role: "operator",
  scopes,
});

test("[CORE-38] a new device is paired and granted what it asked for", () => {
  assert.deepEqual(given(device).when(admit()), {
    ok: true,
    value: [paired, granted("operator.read")],
  });
});

test("[CORE-38] a device that asks for more keeps what it had", () => {
  const outcome = given(device, paired, granted("operator.read")).when(
    admit({ scopes: ["operator.admin"] }),
  );
  assert.deepEqual(outcome, { ok: true, value: [granted("operator.admin", "operator.read")] });
});

test("[CORE-38] roles are granted apart", async () => {
  await using log = openMemoryLog();
  const devices = createDevices();
  await using projections = await openProjections(log, [devices]);
  const dispatch = createDispatch({
    log,
    clock: createTestTime(),
    settled: (seq) => projections.settled(seq),
  });
  await dispatch(device, "d1", admit());
  await dispatch(device, "d1", admit({ role: "node", scopes: [] }));
  const grants = devices.get("d1")?.grants;
  assert.deepEqual([...(grants?.keys() ?? [])], ["operator", "node"]);
  assert.deepEqual(grants?.get("operator")?.scopes, ["operator.read"]);
});

test("[CORE-38] a device that comes back as it was writes nothing", () => {
  const outcome = given(device, paired, granted("operator.read")).when(admit());
  assert.deepEqual(outcome, { ok: true, value: [] });
});

test("[CORE-38] a device that comes back with another key is refused", () => {
  const outcome = given(device, paired, granted()).when(admit({ publicKey: "other" }));
  assert.deepEqual(outcome, refuse("device.mismatched"));
});

const later = 1_000;
function ask(change: Partial<RequestPairing> = {}): RequestPairing {
  const { type: _type, ...asked } = admit();
  const times = { now: 0, expiresAt: later };
  return { type: "request", requestId: "r1", address: "10.0.0.9", ...times, ...asked, ...change };
}
const requested = (change: Partial<Extract<DeviceEvent, { type: "device.requested" }>> = {}) =>
  ({
    type: "device.requested",
    deviceId: "d1",
    publicKey: "pk",
    requestId: "r1",
    role: "operator",
    scopes: ["operator.read"],
    address: "10.0.0.9",
    expiresAt: later,
    ...info,
    ...change,
  }) as const;
const approve = (change: { now?: number; holds?: string[]; requestId?: string } = {}) =>
  ({ type: "approve", requestId: "r1", now: 1, holds: ["operator.read"], ...change }) as const;

test("[GW-11] a device asks once, however often it comes while its question waits", () => {
  assert.deepEqual(given(device).when(ask()), accept([requested()]));
  const waiting = given(device, requested());
  assert.deepEqual(waiting.when(ask({ requestId: "r2", now: 1 })), accept([]));
  assert.deepEqual(waiting.when(ask({ requestId: "r2", scopes: [] })), accept([]));
});

test("[GW-11] more scopes, another role, or a question that waited too long is a new question", () => {
  const waiting = given(device, requested());
  for (const change of [
    { scopes: ["operator.admin"] },
    { role: "node", scopes: [] },
    { now: later, expiresAt: later * 2 },
  ]) {
    const { now: _now, ...seen } = { now: 0, ...change };
    assert.deepEqual(
      waiting.when(ask({ requestId: "r2", ...change })),
      accept([requested({ requestId: "r2", ...seen })]),
    );
  }
  assert.deepEqual(
    given(device, paired, granted()).when(ask({ publicKey: "other" })),
    refuse("device.mismatched"),
  );
});

test("[GW-9] approval grants what was asked for, to a new device and to a known one", () => {
  const approved: DeviceEvent = { type: "device.approved", deviceId: "d1", requestId: "r1" };
  assert.deepEqual(
    given(device, requested()).when(approve()),
    accept([approved, { ...paired, approvedVia: "operator" }, granted("operator.read")]),
  );
  const known = given(device, paired, granted("operator.write"), requested());
  assert.deepEqual(
    known.when(approve()),
    accept([approved, granted("operator.read", "operator.write")]),
  );
});

test("[GW-9] nobody grants what they do not hold, or what is no longer asked", () => {
  const waiting = given(device, requested({ scopes: ["operator.admin"] }));
  assert.deepEqual(waiting.when(approve()), refuse("scope.missing", "operator.admin"));
  assert.deepEqual(
    waiting.when(approve({ now: later, holds: ["operator.admin"] })),
    refuse("request.expired", "r1"),
  );
  assert.deepEqual(waiting.when(approve({ requestId: "r9" })), refuse("request.unknown", "r9"));
  const rejected: DeviceEvent = { type: "device.rejected", deviceId: "d1", requestId: "r1" };
  assert.deepEqual(waiting.when({ type: "reject", requestId: "r1" }), accept([rejected]));
  const after = given(device, requested(), rejected);
  assert.deepEqual(after.when(approve()), refuse("request.unknown", "r1"));
});

test("[GW-9] a question expires when its time has come, and not before", () => {
  const waiting = given(device, requested());
  assert.deepEqual(waiting.when({ type: "expire", now: later - 1 }), accept([]));
  assert.deepEqual(
    waiting.when({ type: "expire", now: later }),
    accept([{ type: "device.expired", deviceId: "d1", requestId: "r1" } as const]),
  );
});

test("[GW-12] a device loses one role at a time, and with the last one everything", () => {
  const node: DeviceEvent = { type: "device.granted", deviceId: "d1", role: "node", scopes: [] };
  const both = given(device, paired, granted("operator.read"), node);
  const revoked = { type: "device.revoked", deviceId: "d1", role: "node" } as const;
  const removed = { type: "device.removed", deviceId: "d1" } as const;
  assert.deepEqual(both.when({ type: "revoke", role: "node" }), accept([revoked]));
  const one = given(device, paired, granted("operator.read"), node, revoked);
  assert.deepEqual(one.when({ type: "revoke", role: "node" }), accept([]));
  assert.deepEqual(one.when({ type: "revoke", role: "operator" }), accept([removed]));
  assert.deepEqual(one.when({ type: "remove" }), accept([removed]));
  assert.deepEqual(given(device).when({ type: "remove" }), refuse("device.unknown"));
});

test("[GW-12] who is let in again after that is of the next generation, from a snapshot too", async () => {
  await using log = openMemoryLog();
  const devices = createDevices();
  await using projections = await openProjections(log, [devices]);
  const dispatch = createDispatch({ log, clock: createTestTime(), settled: projections.settled });
  await dispatch(device, "d1", admit());
  await dispatch(device, "d1", admit({ role: "node", scopes: [] }));
  await dispatch(device, "d1", { type: "revoke", role: "node" });
  await dispatch(device, "d1", admit({ role: "node", scopes: [] }));
  const generations = (): unknown[] =>
    [...(devices.get("d1")?.grants ?? [])].map(([role, grant]) => [role, grant.generation]);
  assert.deepEqual(generations(), [
    ["operator", 0],
    ["node", 1],
  ]);
  await dispatch(device, "d1", { type: "remove" });
  assert.equal(devices.get("d1"), undefined);
  devices.load(JSON.parse(JSON.stringify(devices.save())));
  await dispatch(device, "d1", admit());
  assert.deepEqual(generations(), [["operator", 1]]);
  await dispatch(device, "d2", ask({ deviceId: "d2" }));
  const copy = createDevices();
  copy.load(JSON.parse(JSON.stringify(devices.save())));
  assert.deepEqual(copy.requests(), devices.requests());
  assert.equal(copy.requestOf("d2")?.requestId, "r1");
});

const manager = (holds: readonly string[], deviceId: string | null = null) => ({ holds, deviceId });
const admin = manager(["operator.admin", "operator.read", "operator.write"]);
const rotated = (...scopes: string[]): DeviceEvent => ({
  type: "device.token.rotated",
  deviceId: "d1",
  role: "operator",
  scopes,
});
const voided: DeviceEvent = { type: "device.token.revoked", deviceId: "d1", role: "operator" };
const rotate = (by = admin, scopes?: readonly string[], role = "operator") =>
  ({ type: "rotateToken", role, scopes, by }) as const;
const revoke = (by = admin, role = "operator") => ({ type: "revokeToken", role, by }) as const;

test("[GW-13] a new token has what the last one had, or less, and never what was not granted", () => {
  const held = given(device, paired, granted("operator.read", "operator.write"));
  assert.deepEqual(held.when(rotate()), accept([rotated("operator.read", "operator.write")]));
  assert.deepEqual(held.when(rotate(admin, [])), accept([rotated()]));
  const beyond = held.when(rotate(admin, ["operator.admin"]));
  assert.deepEqual(beyond, refuse("scope.ungranted", "operator.admin"));
  const narrowed = given(device, paired, granted("operator.read", "operator.write"), rotated());
  const again = narrowed.when(rotate(admin, ["operator.write"]));
  assert.deepEqual(again, accept([rotated("operator.write")]));
  assert.deepEqual(narrowed.when(rotate()), accept([rotated()]));
  assert.deepEqual(given(device).when(rotate()), refuse("device.unknown"));
  assert.deepEqual(held.when(rotate(admin, [], "node")), refuse("device.unknown"));
});

test("[GW-13] a device looks after its own token, an admin after every one", () => {
  const held = given(device, paired, granted("operator.read"));
  for (const command of [rotate, revoke]) {
    const when = (holds: readonly string[], deviceId: string | null) =>
      held.when(command(manager(holds, deviceId)));
    assert.equal(when(["operator.read"], "d1").ok, true);
    assert.equal(when(["operator.read"], null).ok, true);
    const foreign = when(["operator.read"], "d2");
    assert.deepEqual(foreign, refuse("scope.missing", "operator.admin"));
    assert.equal(when(admin.holds, "d2").ok, true);
    assert.deepEqual(when(["operator.pairing"], "d1"), refuse("scope.missing", "operator.read"));
  }
  const node: DeviceEvent = { type: "device.granted", deviceId: "d1", role: "node", scopes: [] };
  const asNode = given(device, paired, node);
  assert.deepEqual(
    asNode.when(revoke(manager(["operator.read"], "d1"), "node")),
    refuse("scope.missing", "operator.admin"),
  );
});

test("[GW-13] a revoked token is revoked once, and being let in again or rotating gives another", async () => {
  const gone = given(device, paired, granted("operator.read"), voided);
  assert.deepEqual(gone.when(revoke()), accept([]));
  assert.deepEqual(gone.when(admit()), accept([granted("operator.read")]));
  assert.deepEqual(gone.when(rotate()), accept([rotated("operator.read")]));

  await using log = openMemoryLog();
  const devices = createDevices();
  await using projections = await openProjections(log, [devices]);
  const dispatch = createDispatch({ log, clock: createTestTime(), settled: projections.settled });
  const grant = () => devices.get("d1")?.grants.get("operator");
  await dispatch(device, "d1", admit());
  await dispatch(device, "d1", rotate(admin, []));
  assert.deepEqual([grant()?.generation, grant()?.scopes, grant()?.revokedAt], [1, [], null]);
  assert.deepEqual(grant()?.approved, ["operator.read"]);
  await dispatch(device, "d1", revoke());
  assert.equal(grant()?.generation, 2);
  assert.notEqual(grant()?.revokedAt, null);
  await dispatch(device, "d1", admit());
  assert.deepEqual([grant()?.generation, grant()?.revokedAt], [2, null]);
  const copy = createDevices();
  copy.load(JSON.parse(JSON.stringify(devices.save())));
  assert.deepEqual(copy.list(), devices.list());
});
