import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { createTestDevice, type TestDevice } from "../../kit/device.ts";
import { loadPeerSchemas } from "../../kit/peer-schemas.ts";
import {
  introduce,
  openPeer,
  type Connected,
  type Frame,
  type RawPeer,
} from "../../kit/raw-peer.ts";
import { withHome } from "../../kit/server-process.ts";

const READ = ["operator.read"];

interface Wish {
  /** As its proxy tells it. */
  readonly address?: string;
  readonly token?: string;
  readonly scopes?: readonly string[];
  readonly role?: string;
}

/** A device that does not come from this machine. */
async function knock(
  atrium: TestAtrium,
  device: TestDevice,
  { token = atrium.token, scopes = READ, role = "operator", address = "203.0.113.7" }: Wish = {},
): Promise<{ readonly peer: RawPeer; readonly answer: Frame }> {
  const peer = await openPeer(atrium.wsUrl, { headers: { "x-forwarded-for": address } });
  const answer = await introduce(peer, {
    role,
    scopes,
    auth: { token },
    device: (challenge) => device.prove(challenge, { token, scopes, role }),
  });
  return { peer, answer };
}

async function refused(...asked: Parameters<typeof knock>): Promise<NonNullable<Frame["error"]>> {
  const { peer, answer } = await knock(...asked);
  assert.ok(answer.error, "expected to be refused");
  assert.equal((await peer.closed).code, 1008);
  return answer.error;
}

async function admitted(...asked: Parameters<typeof knock>): Promise<Connected> {
  const { peer, answer } = await knock(...asked);
  assert.equal(answer.ok, true, JSON.stringify(answer.error));
  return Object.assign(peer, { hello: answer.payload });
}

test("[GW-11] a device from elsewhere waits for someone to let it in, with one request however often it comes", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const device = createTestDevice();
  const told = operator.event("device.pair.requested");
  const error = await refused(atrium, device);
  const { requestId } = error.details;
  assert.equal(error.code, "NOT_PAIRED");
  assert.match(error.message, /^pairing required: device is not approved yet \(requestId: /);
  assert.deepEqual(error.details, {
    code: "PAIRING_REQUIRED",
    reason: "not-paired",
    requestId,
    deviceId: device.id,
    requestedRole: "operator",
    requestedScopes: READ,
    remediationHint: "Approve this device from the pending pairing requests.",
  });
  assert.equal((await refused(atrium, device)).details.requestId, requestId);
  const { payload } = await told;
  assert.deepEqual(
    { ...payload, ts: 0 },
    {
      requestId,
      deviceId: device.id,
      publicKey: device.publicKey,
      platform: "linux",
      clientId: "test",
      clientMode: "test",
      role: "operator",
      roles: ["operator"],
      scopes: READ,
      remoteIp: "127.0.0.1",
      silent: false,
      isRepair: false,
      ts: 0,
    },
  );
  assert.deepEqual(await operator.ask("device.pair.list", {}), { pending: [payload], paired: [] });
});

test("[GW-11] once approved it is let in, also by a server that was restarted in between", async () => {
  await withHome(async (home) => {
    const open = () => openTestAtrium({ home, args: ["--log", "sqlite"] });
    const device = createTestDevice();
    const first = await open();
    const { requestId } = (await refused(first, device)).details;
    await first.close();

    await using atrium = await open();
    await using operator = await atrium.connect();
    const told = operator.event("device.pair.resolved");
    const approved = await operator.ask("device.pair.approve", { requestId });
    assert.deepEqual(
      [approved.requestId, approved.device.deviceId, approved.device.approvedVia],
      [requestId, device.id, "operator"],
    );
    assert.deepEqual(
      { ...(await told).payload, ts: 0 },
      { requestId, deviceId: device.id, decision: "approved", ts: 0 },
    );
    await using peer = await admitted(atrium, device);
    assert.deepEqual(peer.hello.auth.scopes, READ);
    const token = peer.hello.auth.deviceToken;
    await using again = await admitted(atrium, device, { token });
    assert.equal(again.hello.auth.deviceToken, token);
    const { paired } = await operator.ask("device.pair.list", {});
    const [row] = paired;
    assert.deepEqual([row.connected, row.roles, row.scopes], [true, ["operator"], READ]);
    assert.ok(!JSON.stringify(paired).includes(token));
  });
});

test("[GW-11] a paired device that wants more asks again, and says what for", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const device = createTestDevice();
  const { requestId } = (await refused(atrium, device)).details;
  await operator.ask("device.pair.approve", { requestId });
  const scopes = await refused(atrium, device, { scopes: ["operator.read", "operator.write"] });
  assert.equal(scopes.details.reason, "scope-upgrade");
  const role = await refused(atrium, device, { role: "node", scopes: [] });
  assert.equal(role.details.reason, "role-upgrade");
  assert.deepEqual([role.details.retryable, role.details.pauseReconnect], [true, false]);
  await operator.ask("device.pair.approve", { requestId: role.details.requestId });
  await using node = await admitted(atrium, device, { role: "node", scopes: [] });
  assert.equal(node.hello.auth.role, "node");
});

test("[GW-11] a rejected request lets no one in, and the device may ask anew", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const device = createTestDevice();
  const { requestId } = (await refused(atrium, device)).details;
  const rejected = await operator.ask("device.pair.reject", { requestId });
  assert.deepEqual(rejected, { requestId, deviceId: device.id });
  const late = await operator.request("device.pair.approve", { requestId });
  assert.equal(late.error?.message, "unknown requestId");
  assert.notEqual((await refused(atrium, device)).details.requestId, requestId);
});

test("[GW-11] a request that waited too long expires, and those who decide are told", async () => {
  await using atrium = await openTestAtrium({ limits: { pairingRequestMs: 50 } });
  await using operator = await atrium.connect();
  const expired = operator.next(({ payload }) => payload?.decision === "expired");
  const device = createTestDevice();
  const { requestId } = (await refused(atrium, device)).details;
  assert.equal((await expired).payload.requestId, requestId);
  assert.deepEqual((await operator.ask("device.pair.list", {})).pending, []);
  const late = await operator.request("device.pair.approve", { requestId });
  assert.equal(late.error?.message, "unknown requestId");
});

test("[GW-9] nobody lets a device in with more than they hold", async () => {
  await using atrium = await openTestAtrium();
  await using pairer = await atrium.connect({ scopes: ["operator.pairing", "operator.read"] });
  await using admin = await atrium.connect();
  const scopes = ["operator.admin"];
  const device = createTestDevice();
  const { requestId } = (await refused(atrium, device, { scopes })).details;
  const { error } = await pairer.request("device.pair.approve", { requestId });
  assert.deepEqual([error?.code, error?.details.missingScope], ["FORBIDDEN", "operator.admin"]);
  await admin.ask("device.pair.approve", { requestId });
  await using peer = await admitted(atrium, device, { scopes });
  assert.deepEqual(peer.hello.auth.scopes, scopes);
});

test("[GW-9] pairing is for those with the scope, and only they hear of it", async () => {
  await using atrium = await openTestAtrium();
  await using reader = await atrium.connect({ scopes: ["operator.read", "operator.write"] });
  await using operator = await atrium.connect();
  for (const method of ["device.pair.list", "node.pair.list"]) {
    const { error } = await reader.request(method, {});
    assert.equal(error?.details.missingScope, "operator.pairing");
  }
  const told = operator.event("device.pair.requested");
  await refused(atrium, createTestDevice());
  await told;
  await reader.ask("health");
  assert.ok(!reader.frames.some(({ event }) => event?.includes(".pair.")));
});

test("[GW-12] a removed device is put out at once and its token is void, for good", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const device = createTestDevice();
  const first = (await refused(atrium, device)).details;
  await operator.ask("device.pair.approve", { requestId: first.requestId });
  await using peer = await admitted(atrium, device);
  const token = peer.hello.auth.deviceToken;
  const removed = await operator.ask("device.pair.remove", { deviceId: device.id });
  assert.deepEqual(removed, { deviceId: device.id });
  assert.deepEqual(await peer.closed, { code: 4001, reason: "device removed" });
  assert.equal((await refused(atrium, device, { token })).details.code, "AUTH_TOKEN_MISMATCH");

  const second = (await refused(atrium, device)).details;
  await operator.ask("device.pair.approve", { requestId: second.requestId });
  await using back = await admitted(atrium, device);
  assert.notEqual(back.hello.auth.deviceToken, token);
  assert.equal((await refused(atrium, device, { token })).details.code, "AUTH_TOKEN_MISMATCH");
  const again = await operator.request("device.pair.remove", { deviceId: "nobody" });
  assert.equal(again.error?.message, "unknown deviceId");
});

test("[GW-6] who has no right token asks nothing, and who has it asks only so often", async () => {
  await using atrium = await openTestAtrium({ trustedProxies: ["127.0.0.0/8"] });
  await using operator = await atrium.connect();
  const wrong = await refused(atrium, createTestDevice(), { token: "guess" });
  assert.equal(wrong.details.code, "AUTH_TOKEN_MISMATCH");
  const patient = createTestDevice();
  const { requestId } = (await refused(atrium, patient)).details;
  let limited: NonNullable<Frame["error"]> | undefined;
  for (let n = 0; n < 20 && limited === undefined; n++) {
    const error = await refused(atrium, createTestDevice());
    if (error.details.requestId === undefined) limited = error;
  }
  assert.equal(limited?.retryable, true);
  assert.ok((limited?.retryAfterMs ?? 0) > 0);
  assert.equal(limited?.details.recommendedNextStep, "wait_then_retry");
  const { pending } = await operator.ask("device.pair.list", {});
  assert.equal(pending.length, 5);
  assert.equal((await refused(atrium, patient)).details.requestId, requestId);
  const neighbor = await refused(atrium, createTestDevice(), { address: "203.0.113.8" });
  assert.equal(typeof neighbor.details.requestId, "string", "another address asks for itself");
});

const schemas = await loadPeerSchemas();
const WRITE = ["operator.pairing", "operator.read", "operator.write"];

/** A device from elsewhere that someone let in. */
async function pairedDevice(
  atrium: TestAtrium,
  operator: RawPeer,
  scopes: readonly string[] = WRITE,
): Promise<{ readonly device: TestDevice; readonly token: string }> {
  const device = createTestDevice();
  const { requestId } = (await refused(atrium, device, { scopes })).details;
  await operator.ask("device.pair.approve", { requestId });
  await using peer = await admitted(atrium, device, { scopes });
  return { device, token: peer.hello.auth.deviceToken };
}

test("[GW-13] a device that rotates its token is told the new one, put out, and let in by it, over a restart too", async () => {
  await withHome(async (home) => {
    const open = () => openTestAtrium({ home, args: ["--log", "sqlite"] });
    const first = await open();
    const operator = await first.connect();
    const { device, token } = await pairedDevice(first, operator);
    const own = await admitted(first, device, { token, scopes: WRITE });
    const other = await admitted(first, device, { token, scopes: WRITE });
    const ask = { deviceId: device.id, role: "operator" };
    const rotated = await own.ask("device.token.rotate", ask);
    schemas.check("DeviceTokenRotateResult", rotated);
    assert.deepEqual([rotated.scopes, rotated.tokenDelivery], [WRITE, "in-band"]);
    assert.notEqual(rotated.token, token);
    assert.deepEqual(await own.closed, { code: 4001, reason: "device removed" });
    assert.deepEqual(await other.closed, { code: 4001, reason: "device removed" });
    await operator.ask("health");
    operator.close();
    await first.close();

    await using atrium = await open();
    const old = await refused(atrium, device, { token });
    assert.equal(old.details.code, "AUTH_TOKEN_MISMATCH");
    await using back = await admitted(atrium, device, { token: rotated.token, scopes: WRITE });
    assert.equal(back.hello.auth.deviceToken, rotated.token);
    assert.equal(back.hello.auth.issuedAtMs, rotated.rotatedAtMs);
    const { paired } = await back.ask("device.pair.list", {});
    assert.equal(paired[0].tokens[0].rotatedAtMs, rotated.rotatedAtMs);
  });
});

test("[GW-13] a token for someone else is not told, may be narrower, and never wider than was agreed to", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const { device, token } = await pairedDevice(atrium, operator);
  const ask = { deviceId: device.id, role: "operator" };
  const wider = await operator.request("device.token.rotate", {
    ...ask,
    scopes: ["operator.admin"],
  });
  assert.equal(wider.error?.details.reason, "scope.ungranted");
  const narrow = await operator.ask("device.token.rotate", { ...ask, scopes: READ });
  schemas.check("DeviceTokenRotateResult", narrow);
  assert.deepEqual(
    { ...narrow, rotatedAtMs: 0 },
    { ...ask, scopes: READ, rotatedAtMs: 0, tokenDelivery: "withheld-cross-device" },
  );
  assert.equal((await refused(atrium, device, { token })).details.code, "AUTH_TOKEN_MISMATCH");
  await using fetched = await admitted(atrium, device, { scopes: READ });
  const mine = fetched.hello.auth.deviceToken;
  const more = await refused(atrium, device, { token: mine, scopes: WRITE });
  assert.equal(more.details.code, "AUTH_SCOPE_MISMATCH");
});

test("[GW-13] who came by a device's token decides about no other device and no other role", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const one = await pairedDevice(atrium, operator);
  const two = await pairedDevice(atrium, operator);
  await using peer = await admitted(atrium, one.device, { token: one.token, scopes: WRITE });
  for (const method of ["device.token.rotate", "device.token.revoke"]) {
    for (const [deviceId, role, message] of [
      [two.device.id, "operator", "missing scope: operator.admin"],
      [one.device.id, "node", "unknown deviceId"],
    ] as const) {
      const { error } = await peer.request(method, { deviceId, role });
      assert.equal(error?.message, message);
    }
  }
  await using reader = await atrium.connect({ scopes: READ });
  const denied = await reader.request("device.token.revoke", {
    deviceId: one.device.id,
    role: "operator",
  });
  assert.equal(denied.error?.details.missingScope, "operator.pairing");
});

test("[GW-13] a revoked token lets no one in; from elsewhere the device asks anew, here it gets another", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  const { device, token } = await pairedDevice(atrium, operator, READ);
  await using peer = await admitted(atrium, device, { token });
  const ask = { deviceId: device.id, role: "operator" };
  const revoked = await operator.ask("device.token.revoke", ask);
  assert.deepEqual({ ...revoked, revokedAtMs: 0 }, { ...ask, revokedAtMs: 0 });
  assert.equal((await peer.closed).code, 4001);
  const { paired } = await operator.ask("device.pair.list", {});
  assert.equal(paired[0].tokens[0].revokedAtMs, revoked.revokedAtMs);
  assert.equal((await refused(atrium, device, { token })).details.code, "AUTH_TOKEN_MISMATCH");
  const asking = await refused(atrium, device);
  assert.equal(asking.details.reason, "role-upgrade");
  await operator.ask("device.pair.approve", { requestId: asking.details.requestId });
  await using back = await admitted(atrium, device);
  assert.notEqual(back.hello.auth.deviceToken, token);

  const here = createTestDevice();
  const prove = (challenge: Parameters<TestDevice["prove"]>[0]) =>
    here.prove(challenge, { token: atrium.token, scopes: READ });
  await using first = await atrium.connect({ scopes: READ, device: prove });
  const local = { deviceId: here.id, role: "operator" };
  await operator.ask("device.token.revoke", local);
  assert.equal((await first.closed).code, 4001);
  await using second = await atrium.connect({ scopes: READ, device: prove });
  assert.notEqual(second.hello.auth.deviceToken, first.hello.auth.deviceToken);
});
