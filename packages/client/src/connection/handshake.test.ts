import assert from "node:assert/strict";
import { createHash, createPublicKey, verify } from "node:crypto";
import { test } from "node:test";
import { proofText } from "@atrium/wire/gateway";
import { createDeviceIdentity } from "../base/device-identity.ts";
import { ConnectFailed, ConnectionLost, GatewayError, RequestAborted } from "../base/errors.ts";
import {
  CHALLENGED_AT,
  NONCE,
  Stage,
  challenge,
  hello,
  refusal,
  reply,
  turn,
} from "../testing/stage.ts";

test("[CLIENT-2] says nothing before the challenge, then `connect` with all it was told to say", async () => {
  await using stage = new Stage({
    token: "secret",
    scopes: ["operator.read"],
    caps: ["tool-events"],
    about: { locale: "en-US" },
  });
  void stage.client.connect().catch(() => undefined);
  stage.socket.accept().flush();
  await turn();
  assert.deepEqual(stage.socket.heard, []);
  stage.socket.say(challenge).flush();
  await turn();
  assert.deepEqual(stage.socket.heard, [
    {
      type: "req",
      id: "1",
      method: "connect",
      params: {
        minProtocol: 3,
        maxProtocol: 4,
        client: { id: "test", version: "1.0.0", platform: "linux", mode: "test" },
        role: "operator",
        scopes: ["operator.read"],
        caps: ["tool-events"],
        locale: "en-US",
        auth: { token: "secret" },
      },
    },
  ]);
});

test("[CLIENT-2] resolves with the hello and keeps it for as long as the connection lasts", async () => {
  await using stage = new Stage();
  assert.equal(stage.client.hello, null);
  assert.deepEqual(await stage.connect(), hello);
  assert.deepEqual(stage.client.hello, hello);
  assert.deepEqual(await stage.client.connect(), hello);
  stage.socket.hangUp(1012).flush();
  assert.equal(stage.client.hello, null);
});

test("[CLIENT-3] signs the challenge with the device's key, over the token and the server's clock", async () => {
  const device = await createDeviceIdentity();
  const client = {
    id: "cli",
    version: "1",
    platform: "Linux",
    mode: "cli",
    deviceFamily: " Desk ",
  };
  const scopes = ["operator.read", "operator.write"];
  const connected = Promise.withResolvers<void>();
  await using stage = new Stage({
    client,
    device: {
      ...device,
      async sign(text) {
        const signature = await device.sign(text);
        connected.resolve();
        return signature;
      },
    },
    deviceToken: "device-secret",
    scopes,
  });
  void stage.client.connect().catch(() => undefined);
  stage.socket.accept().say(challenge).flush();
  await connected.promise;
  await turn();
  const params = stage.asked["params"] as Record<string, Record<string, string>>;
  const proof = params["device"]!;
  const raw = Buffer.from(proof["publicKey"]!, "base64url");
  assert.equal(proof["id"], createHash("sha256").update(raw).digest("hex"));
  assert.equal(proof["nonce"], NONCE);
  assert.equal(proof["signedAt"], CHALLENGED_AT);
  const text = proofText("v3", {
    deviceId: device.id,
    clientId: "cli",
    clientMode: "cli",
    role: "operator",
    scopes,
    signedAt: CHALLENGED_AT,
    token: "device-secret",
    nonce: NONCE,
    platform: "linux",
    deviceFamily: "desk",
  });
  const key = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: proof["publicKey"]! },
    format: "jwk",
  });
  assert.ok(verify(null, Buffer.from(text), key, Buffer.from(proof["signature"]!, "base64url")));
});

test("[CLIENT-4] rejects with the server's error when coming back is no use, and opens no more sockets", async () => {
  await using stage = new Stage();
  const connected = stage.client.connect();
  const id = await stage.challenge();
  const details = { code: "AUTH_TOKEN_MISMATCH" };
  stage.socket
    .say(refusal(id, { code: "INVALID_REQUEST", message: "bad token", details }))
    .hangUp(1008)
    .flush();
  await assert.rejects(connected, (error: unknown) => {
    assert.ok(error instanceof GatewayError);
    assert.equal(error.code, "INVALID_REQUEST");
    assert.deepEqual(error.details, details);
    return true;
  });
  assert.equal(stage.client.state.state, "failed");
  stage.clock.advance(3_600_000);
  assert.equal(stage.network.sockets.length, 1);

  const again = stage.client.connect();
  await stage.greet();
  assert.deepEqual(await again, hello);
});

test("[CLIENT-5] goes on trying while the server says that it will pass", async () => {
  await using stage = new Stage();
  const connected = stage.client.connect();
  const id = await stage.challenge();
  stage.socket
    .say(refusal(id, { code: "UNAVAILABLE", message: "starting", retryAfterMs: 700 }))
    .hangUp(1013)
    .flush();
  assert.equal(stage.client.state.state, "waiting");
  stage.clock.advance(699);
  assert.equal(stage.network.sockets.length, 1);
  stage.clock.advance(1);
  assert.equal(stage.network.sockets.length, 2);
  await stage.greet();
  assert.deepEqual(await connected, hello);
});

test("[CLIENT-5] drops a server that does not finish the handshake in time, and tries again", async () => {
  await using stage = new Stage({ connectTimeoutMs: 5_000 });
  const connected = stage.client.connect();
  stage.socket.accept().flush();
  stage.clock.advance(5_000);
  assert.deepEqual(stage.socket.closedWith, { code: 4000, reason: "handshake timeout" });
  stage.clock.advance(1_000);
  assert.equal(stage.network.sockets.length, 2);
  await stage.greet();
  assert.deepEqual(await connected, hello);
});

test("[CLIENT-4] fails for good on what the same attempt would meet again: a broken hello, key or address", async () => {
  await using misread = new Stage();
  const first = misread.client.connect();
  const id = await misread.challenge();
  misread.socket.say(reply(id, { type: "hello-ok" })).flush();
  await assert.rejects(first, (error: unknown) => {
    assert.ok(error instanceof ConnectFailed);
    assert.match(error.message, /invalid connect result: at /);
    return true;
  });

  await using unsigned = new Stage({
    device: { id: "x", publicKey: "y", sign: () => Promise.reject(new TypeError("locked")) },
  });
  const second = assert.rejects(unsigned.client.connect(), /cannot connect: locked/);
  await unsigned.challenge();
  await second;

  await using nowhere = new Stage({ url: "nonsense://", deps: { WebSocket } });
  await assert.rejects(nowhere.client.connect(), ConnectFailed);
});

test("a socket that went away while the key was signing is not answered, nor the next one", async () => {
  for (const sign of [() => Promise.resolve("signature"), () => Promise.reject(new TypeError())]) {
    const signing = Promise.withResolvers<void>();
    await using stage = new Stage({
      device: { id: "x", publicKey: "y", sign: () => signing.promise.then(sign) },
    });
    void stage.client.connect().catch(() => undefined);
    await stage.challenge();
    stage.socket.hangUp(1006).flush();
    stage.clock.advance(1_000);
    stage.socket.accept().flush();
    signing.resolve();
    await turn();
    assert.deepEqual(stage.socket.heard, []);
    assert.equal(stage.client.state.state, "greeting");
  }
});

test("[CLIENT-11] a signal ends the wait for the hello, and closing the client does too", async () => {
  await using stage = new Stage();
  const controller = new AbortController();
  const impatient = stage.client.connect({ signal: controller.signal });
  const patient = stage.client.connect();
  controller.abort("enough");
  await assert.rejects(impatient, RequestAborted);
  assert.equal(stage.client.state.state, "opening");
  void stage.client.close();
  await assert.rejects(patient, ConnectionLost);
  await assert.rejects(stage.client.connect(), ConnectionLost);
});
