/** The peer's own client and the peer's own schemas, against our server. */
import assert from "node:assert/strict";
import { createHash, createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { GatewayClient, type GatewayClientOptions } from "@openclaw/gateway-client";
import { Ajv } from "ajv";
import { openTestAtrium } from "../kit/atrium.ts";
import type { Frame, RawPeer } from "../kit/raw-peer.ts";

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

test("[GW-44] the real client connects, calls health, hears tick and sees no gap", async () => {
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

test("[GW-13] the real client pairs its device and stores the token it is given", async () => {
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

test("[GW-44] every frame we send validates against the peer's published schemas", async () => {
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

  const validate = await loadPeerSchemas();
  for (const { frames } of [peer, reader] satisfies RawPeer[]) {
    for (const frame of frames) for (const name of schemasFor(frame)) validate(name, frame);
  }
  const hello = peer.hello;
  validate("HelloOk", { payload: hello });
});

/** Which of the peer's definitions a frame, or what it carries, must satisfy. */
function schemasFor(frame: Frame): readonly string[] {
  if (frame.type === "res") return ["ResponseFrame"];
  const payloads: Record<string, string> = {
    tick: "TickEvent",
    shutdown: "ShutdownEvent",
    chat: "ChatEvent",
    health: "Snapshot.health",
    presence: "Snapshot.presence",
  };
  const name = payloads[frame.event ?? ""];
  return name === undefined ? ["EventFrame"] : ["EventFrame", name];
}

async function loadPeerSchemas(): Promise<(name: string, frame: Pick<Frame, "payload">) => void> {
  // The package does not export the file it ships, so it is found beside an export.
  const url = new URL(
    "../protocol.schema.json",
    import.meta.resolve("@openclaw/gateway-protocol/schema"),
  );
  const document = JSON.parse(await readFile(url, "utf8")) as { $id: string };
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addSchema(document);
  const checks = new Map<string, ReturnType<typeof ajv.compile>>();
  return (name, frame) => {
    const [definition = "", member] = name.split(".");
    const path = member === undefined ? definition : `${definition}/properties/${member}`;
    const check = checks.get(name) ?? ajv.compile({ $ref: `${document.$id}#/definitions/${path}` });
    checks.set(name, check);
    const value = definition.endsWith("Frame")
      ? frame
      : member === "presence"
        ? frame.payload.presence
        : frame.payload;
    assert.ok(
      check(value),
      `${name}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(value).slice(0, 500)}`,
    );
  };
}

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
