/** The peer's own client and the peer's own schemas, against our server. */
import assert from "node:assert/strict";
import { createHash, createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { GatewayClient, type GatewayClientOptions } from "@openclaw/gateway-client";
import { openTestAtrium } from "../kit/atrium.ts";
import { loadPeerSchemas } from "../kit/peer-schemas.ts";

interface PeerEvent {
  readonly event: string;
  readonly payload?: unknown;
  readonly seq?: number;
}

async function connectReal(options: GatewayClientOptions) {
  const events: PeerEvent[] = [];
  const gaps: unknown[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const ticked = Promise.withResolvers<void>();
  const client = new GatewayClient({
    ...options,
    onHelloOk: resolve,
    onConnectError: reject,
    onGap: (gap) => void gaps.push(gap),
    onEvent: (event: PeerEvent) => {
      events.push(event);
      if (event.event === "tick") ticked.resolve();
    },
  });
  client.start();
  const hello = await promise;
  return {
    client,
    hello,
    events,
    gaps,
    ticked: ticked.promise,
    [Symbol.dispose]: () => client.stop(),
  };
}

test("[GW-34] the real client connects, calls health, hears tick and sees no gap", async () => {
  await using atrium = await openTestAtrium({ limits: { tickIntervalMs: 100 } });
  using real = await connectReal({
    url: atrium.wsUrl,
    token: atrium.token,
    scopes: ["operator.admin"],
  });
  const health = await real.client.request<{ ok: boolean }>("health", {});
  assert.equal(health.ok, true);
  await real.client.request("chat.inject", { sessionKey: "main", message: "hello" });
  const history = await real.client.request<{ messages: unknown[] }>("chat.history", {
    sessionKey: "main",
  });
  assert.equal(history.messages.length, 1);
  await real.ticked;
  assert.ok(real.events.some(({ event }) => event === "chat"));
  assert.deepEqual(real.gaps, []);
  await assert.rejects(
    real.client.request("no.such.method", {}),
    /unknown method: no\.such\.method/,
  );
});

test("[GW-8] the real client pairs its device and stores the token it is given", async () => {
  await using atrium = await openTestAtrium();
  const identity = makeIdentity();
  const stored: string[] = [];
  using real = await connectReal({
    url: atrium.wsUrl,
    token: atrium.token,
    scopes: ["operator.read"],
    deviceIdentity: identity,
    hostDeps: {
      signDevicePayload: (privateKeyPem: string, payload: string) =>
        sign(null, Buffer.from(payload), createPrivateKey(privateKeyPem)).toString("base64url"),
      publicKeyRawBase64UrlFromPem: () => identity.raw,
      loadDeviceAuthToken: () => null,
      storeDeviceAuthToken: ({ token }: { token: string }) => void stored.push(token),
      clearDeviceAuthToken: () => undefined,
    },
  });
  assert.equal((await real.client.request<{ ok: boolean }>("health", {})).ok, true);
  assert.equal(stored.length, 1);
  assert.match(stored[0] ?? "", /^[\w-]{43}$/);
});

test("[GW-34] every frame we send validates against the peer's published schemas", async () => {
  await using atrium = await openTestAtrium({
    limits: { tickIntervalMs: 50, healthIntervalMs: 50 },
  });
  await using peer = await atrium.connect();
  await using reader = await atrium.connect({ scopes: ["operator.read"] });
  const heard = Promise.all(
    ["tick", "health", "presence", "chat"].map((name) => reader.event(name)),
  );
  await peer.request("chat.inject", { sessionKey: "main", message: "hello", label: "note" });
  for (const [method, params] of [
    ["health", {}],
    ["status", {}],
    ["system-presence", {}],
    ["last-heartbeat", {}],
    ["chat.history", { sessionKey: "main" }],
    ["sessions.list", { includeLastMessage: true }],
    ["chat.history", {}],
    ["no.such.method", {}],
    ["chat.inject", { sessionKey: "nowhere", message: "x" }],
  ] as const) {
    await peer.request(method, params);
  }
  await heard;
  const goodbye = reader.event("shutdown");
  await atrium.close();
  await goodbye;

  const schemas = await loadPeerSchemas();
  for (const { frames } of [peer, reader]) for (const frame of frames) schemas.checkFrame(frame);
  schemas.check("HelloOk", peer.hello);
});

test("[GW-34] every frame of a run validates too, whatever happens in it", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect({ caps: ["tool-events"] });
  await peer.ask("sessions.subscribe", {});
  const messages = {
    said: "[[say: hello]]",
    failed: "[[fail: broken]]",
    used: '[[tool: look {"q":1}]] [[say: seen]]',
    stopped: "[[say: half]] [[hang]]",
    improvised: "Write a short plan for lunch.",
    housed: "/status",
  };
  for (const [runId, message] of Object.entries(messages)) {
    await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: runId });
    if (runId === "stopped") {
      await peer.first(({ payload }) => payload?.state === "delta" && payload.runId === runId);
      await peer.ask("chat.abort", { sessionKey: "main" });
    }
    await peer.ask("agent.wait", { runId, timeoutMs: 20_000 });
  }
  for (const [method, params] of [
    ["agent", { message: "[[say: x]]", idempotencyKey: "agent" }],
    ["chat.startup", { sessionKey: "main" }],
    ["chat.history", { sessionKey: "main" }],
    ["sessions.describe", { key: "main", includeLastMessage: true, includeDerivedTitles: true }],
    ["sessions.create", { label: "x" }],
    ["sessions.patch", { key: "main", label: "Main" }],
    ["sessions.reset", { key: "main" }],
    ["sessions.delete", { key: "main" }],
  ] as const) {
    await peer.request(method, params);
  }
  const schemas = await loadPeerSchemas();
  for (const frame of peer.frames) schemas.checkFrame(frame);
  const { sessions } = await peer.ask("sessions.list", { includeLastMessage: true });
  for (const session of sessions) schemas.check("SessionRow", session);
  const kinds = new Set(
    peer.frames.map(({ event, payload }) => `${event} ${payload?.state ?? ""}`),
  );
  for (const kind of ["chat delta", "chat final", "chat error", "chat aborted", "agent "]) {
    assert.ok(kinds.has(kind), kind);
  }
});

function makeIdentity() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "jwk" }).x ?? "";
  return {
    raw,
    deviceId: createHash("sha256").update(Buffer.from(raw, "base64url")).digest("hex"),
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }),
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }),
  };
}
