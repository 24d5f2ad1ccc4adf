/** Who is on this machine, and who only seems to be. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { createTestDevice } from "../../kit/device.ts";
import { introduce, openPeer } from "../../kit/raw-peer.ts";

type Headers = Readonly<Record<string, string>>;

/** Each says that someone stands between; the last, that we were called by another name. */
const NOT_FROM_HERE: readonly Headers[] = [
  { "x-forwarded-for": "127.0.0.1" },
  { forwarded: "for=127.0.0.1" },
  { "x-forwarded-host": "office.example" },
  { "x-forwarded-proto": "https" },
  { "x-real-ip": "127.0.0.1" },
  { via: "1.1 proxy" },
  { "cf-connecting-ip": "203.0.113.7" },
  { "true-client-ip": "203.0.113.7" },
  { host: "office.example" },
  { host: "192.0.2.7:80" },
];

const PATHS = [
  "/metrics",
  "/control-ui-config.json",
  "/api/builds",
  "/api/office",
  "/api/signals",
  "/v1/models",
  "/sessions/main/history",
];

function get({ port }: TestAtrium, path: string, headers: Headers): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const sent = request({ host: "127.0.0.1", port, path, headers }, (response) => {
    response.resume();
    resolve(response.statusCode);
  });
  sent.on("error", reject);
  sent.end();
  return promise;
}

test("[LISTEN-10] without a token, whoever is not on this machine finds every door closed", async () => {
  await using atrium = await openTestAtrium({
    args: ["--auth", "none"],
    allowedHosts: ["office.example"],
  });
  for (const path of PATHS) assert.notEqual(await get(atrium, path, {}), 401, path);
  for (const headers of NOT_FROM_HERE) {
    const about = JSON.stringify(headers);
    for (const path of PATHS) assert.equal(await get(atrium, path, headers), 401, path + about);
    await using gateway = await openPeer(atrium.wsUrl, { headers });
    const { error } = await introduce(gateway, {});
    assert.equal(error?.details.code, "AUTH_UNAUTHORIZED", about);
    assert.match(error?.message ?? "", /--auth token/);
    await using world = await openPeer(`${atrium.wsUrl}ws/world`, { headers });
    world.send({ v: 1, type: "hello", id: "h", ts: 1, payload: { protocol_version: 1 } });
    assert.equal((await world.closed).code, 4501, about);
    await using signals = await openPeer(`${atrium.wsUrl}ws/signals`, { headers });
    signals.send({ type: "hello", id: "h" });
    assert.equal((await signals.closed).code, 1008, about);
  }
});

test("[LISTEN-10] a proxy is believed only when it is named", async () => {
  const limits = { wrongTokenTries: 1, wrongTokenRefillMs: 3_600_000 };
  const knock = async (atrium: TestAtrium, from: string): Promise<number | undefined> =>
    get(atrium, "/v1/models", { "x-forwarded-for": from, authorization: "Bearer wrong" });
  await using unnamed = await openTestAtrium({ limits });
  assert.equal(await knock(unnamed, "203.0.113.7"), 401);
  assert.equal(await knock(unnamed, "203.0.113.8"), 429, "an address that anyone could claim");
  await using named = await openTestAtrium({ limits, trustedProxies: ["127.0.0.0/8"] });
  assert.equal(await knock(named, "203.0.113.7"), 401);
  assert.equal(await knock(named, "203.0.113.8"), 401);
  assert.equal(await knock(named, "198.51.100.1, 203.0.113.8"), 429, "what it claimed itself");
  assert.equal(named.notes[0]?.["address"], "203.0.113.7");
});

const FROM_ELSEWHERE = { headers: { "x-forwarded-for": "203.0.113.7" } };

test("[LISTEN-11] from elsewhere the token alone grants no scope, and the refusal says how to be let in", async () => {
  await using atrium = await openTestAtrium();
  const auth = { token: atrium.token };
  for (const scopes of [["operator.read"], ["operator.admin"]]) {
    await using peer = await openPeer(atrium.wsUrl, FROM_ELSEWHERE);
    const { error } = await introduce(peer, { auth, scopes });
    assert.deepEqual(
      [error?.code, error?.details.code],
      ["NOT_PAIRED", "DEVICE_IDENTITY_REQUIRED"],
    );
    assert.match(error?.message ?? "", /atrium devices approve/);
  }
  await using bearer = await openPeer(atrium.wsUrl, {
    headers: { ...FROM_ELSEWHERE.headers, authorization: `Bearer ${atrium.token}` },
  });
  const shown = await introduce(bearer, { scopes: ["operator.write"] });
  assert.equal(shown.error?.details.code, "DEVICE_IDENTITY_REQUIRED");
  await using limited = await openPeer(atrium.wsUrl, FROM_ELSEWHERE);
  assert.equal((await introduce(limited, { auth, scopes: [] })).ok, true);
  assert.equal((await limited.request("sessions.list", {})).error?.code, "FORBIDDEN");
  assert.equal((await limited.request("health", {})).ok, true);
});

test("[LISTEN-11] with a device identity it is in once a person has let it in", async () => {
  await using atrium = await openTestAtrium();
  const { token } = atrium;
  const scopes = ["operator.read"];
  const device = createTestDevice();
  const knock = async () => {
    const peer = await openPeer(atrium.wsUrl, FROM_ELSEWHERE);
    const prove = (challenge: Parameters<typeof device.prove>[0]) =>
      device.prove(challenge, { token, scopes });
    return { peer, answer: await introduce(peer, { auth: { token }, scopes, device: prove }) };
  };
  const { answer: asked } = await knock();
  assert.equal(asked.error?.details.code, "PAIRING_REQUIRED");
  await using operator = await atrium.connect();
  await operator.ask("device.pair.approve", { requestId: asked.error?.details.requestId });
  const { peer, answer } = await knock();
  assert.equal(answer.ok, true);
  assert.ok(Array.isArray((await peer.ask("sessions.list", {})).sessions));
  peer.close();
});

/** An address of this machine that is not loopback, when it has one. */
function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
}

test("[LISTEN-11] a socket that does not come over loopback is from elsewhere, whatever it says", async (t) => {
  const address = ownAddress();
  if (address === undefined) return t.skip("this machine has no address but loopback");
  await using atrium = await openTestAtrium({ args: ["--host", "0.0.0.0"] });
  await using peer = await openPeer(`ws://${address}:${atrium.port}/`, {
    headers: { host: "127.0.0.1" },
  });
  const { error } = await introduce(peer, {
    auth: { token: atrium.token },
    scopes: ["operator.read"],
  });
  assert.equal(error?.details.code, "DEVICE_IDENTITY_REQUIRED");
});
