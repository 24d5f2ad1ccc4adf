import assert from "node:assert/strict";
import { test } from "node:test";
import { GATEWAY_EVENTS, GATEWAY_METHODS } from "@atrium/wire/gateway";
import { openTestAtrium } from "../../kit/atrium.ts";
import { connectParams, introduce } from "../../kit/raw-peer.ts";

test("[GW-1] the first frame is a challenge, and a client that does not wait for it is served", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.open();
  const auth = { token: atrium.token };
  const answer = await peer.request("connect", connectParams({ auth }));
  assert.equal(answer.ok, true);
  const [challenge] = peer.frames;
  assert.equal(challenge?.event, "connect.challenge");
  assert.equal(challenge?.seq, undefined);
  assert.match(challenge?.payload.nonce, /^[0-9a-f-]{36}$/);
  assert.ok(Math.abs(Date.now() - challenge?.payload.ts) < 60_000);
});

test("[GW-2] every range that contains a version we speak is accepted with the greatest of both", async () => {
  await using atrium = await openTestAtrium();
  for (const [min, max, expected] of [
    [2, 2, 2],
    [3, 3, 3],
    [3, 4, 4],
    [4, 4, 4],
    [4, 9, 4],
    [1, 3, 3],
  ] as const) {
    await using peer = await atrium.connect({ minProtocol: min, maxProtocol: max });
    assert.equal(peer.hello.protocol, expected);
  }
});

test("[GW-2] a range without one is refused and closed with 1002", async () => {
  await using atrium = await openTestAtrium();
  for (const [minProtocol, maxProtocol] of [
    [5, 6],
    [1, 1],
    [4, 3],
  ] as const) {
    await using peer = await atrium.open();
    const answer = await introduce(peer, {
      minProtocol,
      maxProtocol,
      auth: { token: atrium.token },
    });
    assert.equal(answer.error?.code, "INVALID_REQUEST");
    assert.equal(answer.error?.details.code, "PROTOCOL_MISMATCH");
    assert.deepEqual(await peer.closed, { code: 1002, reason: "protocol mismatch" });
  }
});

test("[WIRE-6] a reason that is longer than a close frame has room for is cut, and the socket closes", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.open();
  const answer = await peer.request("connect", { ...connectParams(), client: {}, scopes: 1 });
  const message = String(answer.error?.message);
  assert.ok(Buffer.byteLength(message) > 200, message);
  const { code, reason } = await peer.closed;
  assert.equal(code, 1008);
  assert.ok(message.startsWith(reason) && reason.length > 40, reason);
});

/** Not announced: it comes before the hello, and it is always refused. */
const UNLISTED: ReadonlySet<string> = new Set(["connect", "cron.add"]);

test("[GW-3] hello-ok announces what is served and the limits that hold", async () => {
  await using atrium = await openTestAtrium({ limits: { tickIntervalMs: 12_345 } });
  await using peer = await atrium.connect();
  const { features, policy, snapshot, auth, server } = peer.hello;
  const advertised = GATEWAY_METHODS.map(({ name }) => name).filter((name) => !UNLISTED.has(name));
  assert.deepEqual(features, {
    methods: advertised,
    events: GATEWAY_EVENTS.map(({ name }) => name),
    capabilities: [
      "published-model-catalog",
      "session-scoped-chat-metadata",
      "session-scoped-model-catalog",
    ],
  });
  assert.deepEqual(policy, {
    maxPayload: 26_214_400,
    maxBufferedBytes: 16_777_216,
    tickIntervalMs: 12_345,
  });
  assert.equal(snapshot.health.ok, true);
  assert.equal(snapshot.sessionDefaults.mainSessionKey, "agent:main:main");
  assert.equal(snapshot.authMode, "token");
  assert.deepEqual(auth, { role: "operator", scopes: ["operator.admin"] });
  assert.match(server.connId, /^[0-9a-f-]{36}$/);
  for (const method of advertised) {
    const answer = await peer.request(method, {});
    assert.doesNotMatch(answer.error?.message ?? "", /unknown method/, method);
  }
});

test("[GW-3] every method that is served is announced, to every role, and nothing else is", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const announced = new Set<string>(peer.hello.features.methods);
  for (const name of ["chat.inject", "sessions.get", "node.pair.request", "node.pair.verify"]) {
    assert.ok(announced.has(name), name);
  }
  const declared = new Set(GATEWAY_METHODS.map(({ name }) => name));
  assert.deepEqual(declared.difference(announced), UNLISTED);
  assert.deepEqual(announced.difference(declared), new Set());
  // What is not announced is no use: the handshake is over, and jobs are always refused.
  for (const name of UNLISTED) {
    const answer = await peer.request(name, {});
    assert.equal(answer.ok, false, name);
  }
  const unknown = await peer.request("system.nothing", {});
  assert.match(unknown.error?.message ?? "", /unknown method/);
  await using reader = await atrium.connect({ scopes: ["operator.read"] });
  assert.deepEqual(reader.hello.features, peer.hello.features);
});

test("[GW-3] only an admin learns where the state is kept", async () => {
  await using atrium = await openTestAtrium();
  await using reader = await atrium.connect({ scopes: ["operator.read"] });
  assert.equal(reader.hello.snapshot.stateDir, undefined);
  assert.equal(reader.hello.snapshot.authMode, undefined);
});

test("[GW-2] connect forgives what it does not know", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.open();
  const answer = await peer.request("connect", {
    ...connectParams({
      auth: { token: atrium.token },
      client: { id: "some-new-app", mode: "hologram", shoe: 42 },
    }),
    someFutureOption: { a: 1 },
  });
  assert.equal(answer.ok, true);
});

test("[GW-4] a first frame other than connect is answered and closed", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.open();
  const answer = await peer.request("health");
  const message = "invalid handshake: first request must be connect";
  assert.deepEqual(answer.error, { code: "INVALID_REQUEST", message });
  assert.deepEqual(await peer.closed, { code: 1008, reason: message });
});

test("[GW-4] a second connect is answered and the connection goes on", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const answer = await peer.request("connect", connectParams());
  assert.equal(answer.error?.message, "connect is only valid as the first request");
  assert.equal((await peer.ask("health")).ok, true);
});

test("[GW-4] connect with wrong params says which and closes", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.open();
  const answer = await peer.request("connect", { minProtocol: "four", maxProtocol: 4 });
  assert.equal(
    answer.error?.message,
    "invalid connect params: must have required property 'client'; at /minProtocol: must be integer",
  );
  assert.equal((await peer.closed).code, 1008);
});

test("[WIRE-6] what is too long for a close reason is cut, never within a character", async () => {
  await using atrium = await openTestAtrium();
  for (const prefix of ["", "a", "ab"]) {
    await using peer = await atrium.open();
    peer.send({ type: "req", id: "c", method: "connect", [prefix + "€".repeat(200)]: 1 });
    const { error } = await peer.first(({ id }) => id === "c");
    assert.ok(Buffer.byteLength(error?.message ?? "") > 600);
    const { code, reason } = await peer.closed;
    assert.equal(code, 1008);
    assert.ok(error?.message.startsWith(reason), reason);
    const bytes = Buffer.byteLength(reason);
    assert.ok(bytes > 120 && bytes <= 123, `${bytes} bytes`);
  }
});

test("[GW-4] an unknown role is refused", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.open();
  const answer = await introduce(peer, { role: "emperor", auth: { token: atrium.token } });
  assert.equal(answer.error?.message, "invalid role");
  assert.equal((await peer.closed).code, 1008);
});

test("[GW-1] requests sent together with connect are answered after it, in order", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.open();
  peer.send({
    type: "req",
    id: "c",
    method: "connect",
    params: connectParams({ auth: { token: atrium.token } }),
  });
  for (const id of ["1", "2", "3"]) {
    peer.send({ type: "req", id, method: "system.echo", params: { text: id } });
  }
  await peer.first((frame) => frame.id === "3");
  const answers = peer.frames.filter((frame) => frame.type === "res");
  assert.deepEqual(
    answers.map(({ id }) => id),
    ["c", "1", "2", "3"],
  );
});

test("[GW-1] a crowd of frames before the handshake is decided closes the socket", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.open();
  const params = connectParams({ auth: { token: atrium.token } });
  const crowd = Array.from({ length: 30 }, (_, n) => ({
    type: "req",
    id: `${n}`,
    method: "health",
  }));
  peer.sendTogether([{ type: "req", id: "c", method: "connect", params }, ...crowd]);
  assert.deepEqual(await peer.closed, { code: 1008, reason: "too many pending handshake frames" });
});
