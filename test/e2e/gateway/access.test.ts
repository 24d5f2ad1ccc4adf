import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { createTestDevice, type TestDevice } from "../../kit/device.ts";
import { introduce, openPeer, type ConnectOptions, type Frame } from "../../kit/raw-peer.ts";
import { withHome } from "../../kit/server-process.ts";

const READ = ["operator.read"];

/** `address`: by way of a proxy, who says so. */
async function refused(
  atrium: TestAtrium,
  options: ConnectOptions,
  address?: string,
): Promise<NonNullable<Frame["error"]>> {
  const headers = address === undefined ? {} : { "x-forwarded-for": address };
  await using peer = await openPeer(atrium.wsUrl, { headers });
  const { error } = await introduce(peer, options);
  assert.ok(error, "expected to be refused");
  assert.equal((await peer.closed).code, 1008);
  return error;
}

function withDevice(device: TestDevice, token: string, scopes = READ): ConnectOptions {
  return {
    scopes,
    ...(token !== "" && { auth: { token } }),
    device: (challenge) => device.prove(challenge, { token, scopes }),
  };
}

test("[GW-5] the shared token lets a client in, as token or as password", async () => {
  await using atrium = await openTestAtrium({ args: ["--token", "open-sesame-please"] });
  await using byToken = await atrium.connect({ auth: { token: "open-sesame-please" } });
  await using byPassword = await atrium.connect({ auth: { password: "open-sesame-please" } });
  assert.equal(byToken.hello.type, "hello-ok");
  assert.equal(byPassword.hello.type, "hello-ok");
});

test("[GW-5] no token and a wrong token are told apart", async () => {
  await using atrium = await openTestAtrium();
  const bare = await refused(atrium, { auth: {} });
  assert.deepEqual([bare.code, bare.details.code], ["NOT_PAIRED", "DEVICE_IDENTITY_REQUIRED"]);
  const wrong = await refused(atrium, { auth: { token: "wrong" } });
  assert.deepEqual([wrong.code, wrong.details.code], ["INVALID_REQUEST", "AUTH_TOKEN_MISMATCH"]);
  const tokenless = await refused(atrium, withDevice(createTestDevice(), ""));
  assert.equal(tokenless.details.code, "AUTH_TOKEN_MISSING");
});

test("[GW-5] with auth none nobody on this machine needs a token, and nobody else is let in", async () => {
  await using atrium = await openTestAtrium({ args: ["--auth", "none"] });
  await using peer = await atrium.connect({ auth: {} });
  assert.equal(peer.hello.snapshot.authMode, "none");
  for (const options of [{ auth: {} }, { scopes: [] }, withDevice(createTestDevice(), "")]) {
    const error = await refused(atrium, options, "203.0.113.7");
    assert.equal(error.details.code, "AUTH_UNAUTHORIZED");
  }
});

test("[GW-6] wrong tokens from one address run out, and come back with time", async () => {
  const limits = { wrongTokenTries: 3, wrongTokenRefillMs: 2_000 };
  await using atrium = await openTestAtrium({ limits });
  const guess = (token: string): ReturnType<typeof refused> => refused(atrium, { auth: { token } });
  for (let i = 0; i < 3; i++) {
    assert.equal((await guess(`wrong ${i}`)).details.code, "AUTH_TOKEN_MISMATCH");
  }
  // On a machine so slow that one has come back in the meantime, it takes another to use them up.
  let error = await guess("wrong again");
  while (error.details.code === "AUTH_TOKEN_MISMATCH") error = await guess("wrong again");
  assert.equal(error.details.code, "AUTH_RATE_LIMITED");
  await using meanwhile = await atrium.connect();
  assert.equal(meanwhile.hello.type, "hello-ok");
  assert.equal(error.retryable, true);
  assert.ok((error.retryAfterMs ?? 0) > 0 && (error.retryAfterMs ?? 0) <= 2_000);
  // Timers and the clock may disagree by a millisecond.
  await new Promise((resolve) => setTimeout(resolve, (error.retryAfterMs ?? 0) + 20));
  assert.equal((await guess("wrong later")).details.code, "AUTH_TOKEN_MISMATCH");
});

test("[GW-6] who guesses at one address takes no try from another", async () => {
  await using atrium = await openTestAtrium({
    limits: { wrongTokenTries: 2, wrongTokenRefillMs: 3_600_000 },
    trustedProxies: ["127.0.0.0/8"],
  });
  const guess = async (address: string): Promise<string> =>
    (await refused(atrium, { auth: { token: "wrong" } }, address)).details.code;
  const codes: string[] = [];
  for (const address of ["203.0.113.7", "203.0.113.7", "203.0.113.7", "203.0.113.8"]) {
    codes.push(await guess(address));
  }
  const mismatch = "AUTH_TOKEN_MISMATCH";
  assert.deepEqual(codes, [mismatch, mismatch, "AUTH_RATE_LIMITED", mismatch]);
});

test("[GW-6] a paired device is not locked out by others' wrong tokens", async () => {
  await using atrium = await openTestAtrium({
    limits: { wrongTokenTries: 1, wrongTokenRefillMs: 60_000 },
  });
  const device = createTestDevice();
  await using first = await atrium.connect(withDevice(device, atrium.token));
  await refused(atrium, { auth: { token: "wrong" } });
  await refused(atrium, { auth: { token: "wrong again" } });
  await using second = await atrium.connect(withDevice(device, first.hello.auth.deviceToken));
  assert.equal(second.hello.type, "hello-ok");
});

test("[GW-7] old and new signatures are accepted", async () => {
  await using atrium = await openTestAtrium();
  for (const version of ["v2", "v3"] as const) {
    const device = createTestDevice();
    const { token } = atrium;
    await using peer = await atrium.connect({
      scopes: READ,
      device: (challenge) => device.prove(challenge, { token, scopes: READ, version }),
    });
    assert.match(peer.hello.auth.deviceToken, /^[\w-]{43}$/);
  }
});

test("[GW-7] a proof that does not fit is refused with its own code", async () => {
  await using atrium = await openTestAtrium();
  const { token } = atrium;
  const device = createTestDevice();
  const other = createTestDevice();
  const proofs: Record<string, NonNullable<ConnectOptions["device"]>> = {
    DEVICE_AUTH_NONCE_MISMATCH: (challenge) =>
      device.prove({ ...challenge, nonce: "another" }, { token, scopes: READ }),
    DEVICE_AUTH_SIGNATURE_EXPIRED: (challenge) =>
      device.prove({ ...challenge, ts: challenge.ts - 600_000 }, { token, scopes: READ }),
    DEVICE_AUTH_SIGNATURE_INVALID: (challenge) =>
      device.prove(challenge, { token, scopes: ["operator.admin"] }),
    DEVICE_AUTH_DEVICE_ID_MISMATCH: (challenge) => ({
      ...device.prove(challenge, { token, scopes: READ }),
      id: other.id,
    }),
    DEVICE_AUTH_PUBLIC_KEY_INVALID: (challenge) => ({
      ...device.prove(challenge, { token, scopes: READ }),
      publicKey: "AAAA",
    }),
  };
  for (const [code, device_] of Object.entries(proofs)) {
    const error = await refused(atrium, { scopes: READ, auth: { token }, device: device_ });
    assert.deepEqual([error.code, error.details.code], ["INVALID_REQUEST", code]);
  }
});

test("[GW-7] a recorded proof is of no use on another connection", async () => {
  await using atrium = await openTestAtrium();
  const { token } = atrium;
  const device = createTestDevice();
  let recorded: unknown;
  await using first = await atrium.connect({
    scopes: READ,
    device: (challenge) => (recorded = device.prove(challenge, { token, scopes: READ })),
  });
  assert.equal(first.hello.type, "hello-ok");
  const error = await refused(atrium, { scopes: READ, auth: { token }, device: () => recorded });
  assert.equal(error.details.code, "DEVICE_AUTH_NONCE_MISMATCH");
});

test("[GW-8] a device token works instead of the shared one, also after a restart", async () => {
  await withHome(async (home) => {
    const device = createTestDevice();
    const open = () => openTestAtrium({ home, args: ["--log", "sqlite"] });
    const first = await open();
    const paired = await first.connect(withDevice(device, first.token));
    const { deviceToken, issuedAtMs } = paired.hello.auth;
    await first.close();

    await using second = await open();
    await using back = await second.connect(withDevice(device, deviceToken));
    assert.deepEqual(back.hello.auth, { role: "operator", scopes: READ, deviceToken, issuedAtMs });
    const stranger = await refused(second, withDevice(createTestDevice(), deviceToken));
    assert.equal(stranger.details.code, "AUTH_TOKEN_MISMATCH");
  });
});

test("[GW-9] a device token gives what was granted and no more", async () => {
  await using atrium = await openTestAtrium();
  const device = createTestDevice();
  await using first = await atrium.connect(withDevice(device, atrium.token));
  const { deviceToken } = first.hello.auth;
  const error = await refused(atrium, withDevice(device, deviceToken, ["operator.admin"]));
  assert.equal(error.details.code, "AUTH_SCOPE_MISMATCH");
  await using upgraded = await atrium.connect(withDevice(device, atrium.token, ["operator.admin"]));
  assert.deepEqual(upgraded.hello.auth.scopes, ["operator.admin"]);
  await using now = await atrium.connect(withDevice(device, deviceToken, ["operator.admin"]));
  assert.deepEqual(now.hello.auth.scopes, ["operator.admin"]);
});

test("[GW-10] no secret reaches the log", async () => {
  await withHome(async (home) => {
    const atrium = await openTestAtrium({ home, args: ["--log", "sqlite"] });
    const device = createTestDevice();
    const peer = await atrium.connect(withDevice(device, atrium.token));
    const { deviceToken } = peer.hello.auth;
    const wrong = "a-token-that-is-wrong";
    await refused(atrium, withDevice(device, wrong));
    const deviceSecret = (await readFile(join(home, "device-secret"), "utf8")).trim();
    const { token } = atrium;
    await atrium.close();
    const kept = await readFile(join(home, "atrium.db"), "latin1");
    assert.ok(kept.includes(device.id), "the device itself is on record");
    const journal = JSON.stringify([atrium.notes, atrium.faults]);
    assert.ok(journal.includes("wrong credentials"));
    for (const secret of [token, deviceToken, deviceSecret, wrong]) {
      assert.ok(!kept.includes(secret) && !journal.includes(secret));
    }
  });
});

test("[GW-9] a method without its scope is refused by name", async () => {
  await using atrium = await openTestAtrium();
  await using reader = await atrium.connect({ scopes: READ });
  const answer = await reader.request("chat.inject", { sessionKey: "main", message: "x" });
  assert.deepEqual(answer.error, {
    code: "FORBIDDEN",
    message: "missing scope: operator.admin",
    details: {
      code: "MISSING_SCOPE",
      missingScope: "operator.admin",
      requiredScopes: ["operator.admin"],
    },
  });
  assert.equal((await reader.ask("chat.history", { sessionKey: "main" })).totalMessages, 0);
});

test("[GW-9] without any scope health still answers, and write includes read", async () => {
  await using atrium = await openTestAtrium();
  await using nobody = await atrium.connect({ scopes: [] });
  assert.equal((await nobody.ask("health")).ok, true);
  assert.equal((await nobody.request("sessions.list", {})).error?.code, "FORBIDDEN");
  await using writer = await atrium.connect({ scopes: ["operator.write"] });
  assert.equal((await writer.ask("sessions.list", {})).count, 0);
  const device = createTestDevice();
  const claims = { token: atrium.token, scopes: ["operator.admin"], role: "node" };
  await using node = await atrium.connect({
    role: "node",
    scopes: ["operator.admin"],
    device: (challenge) => device.prove(challenge, claims),
  });
  assert.deepEqual(node.hello.auth.scopes, []);
});
