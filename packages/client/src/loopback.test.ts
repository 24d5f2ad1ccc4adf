/** The client against a real socket and a small scripted gateway; no fakes but the patience. */
import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { EventEmitter, once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { proofText, systemEcho } from "@atrium/wire/gateway";
import { WebSocketServer, type WebSocket } from "ws";
import type { SetTimer } from "./base/deps.ts";
import { createDeviceIdentity, type DeviceIdentity } from "./base/device-identity.ts";
import { ConnectionLost, GatewayError, RequestAborted, RequestTimeout } from "./base/errors.ts";
import type { Problem } from "./base/problem.ts";
import { createGatewayClient, type GatewayClient } from "./client.ts";
import type { Gap } from "./rpc/feed.ts";
import { NONCE, challenge, hello, refusal, reply } from "./testing/stage.ts";

const CLIENT = { id: "test", version: "1", platform: "linux", mode: "test" };

/** The backoff without its waits; a deadline stays as far away as it was. */
const hurry: SetTimer = (run, delayMs) => {
  const timer = setTimeout(run, delayMs < 10_000 ? delayMs / 100 : delayMs);
  return () => clearTimeout(timer);
};

test("over a real socket: connects, calls, hears events and closes", async () => {
  await using gateway = await openGateway();
  const client = gateway.client();
  assert.deepEqual(await client.connect(), hello);
  assert.deepEqual(await client.request(systemEcho, { text: "hi" }), { ok: true, text: "hi" });
  await assert.rejects(client.requestByName("no.such"), GatewayError);
  const ticked = Promise.withResolvers<number>();
  client.onEvent("tick", ({ ts }) => ticked.resolve(ts));
  gateway.say({ type: "event", event: "tick", payload: { ts: 5 }, seq: 1 });
  assert.equal(await ticked.promise, 5);
  await client.close();
  assert.equal(client.state.state, "stopped");
});

test("[CLIENT-10] over a real socket: comes back after a kill and after a restart", async () => {
  await using gateway = await openGateway();
  const client = gateway.client();
  await client.connect();
  for (const drop of [
    (peer: WebSocket) => peer.terminate(),
    (peer: WebSocket) => peer.close(1012, "service restart"),
  ]) {
    const pending = assert.rejects(client.requestByName("hang"), ConnectionLost);
    const ready = nextState(client, "ready");
    drop(gateway.peer);
    await pending;
    await ready;
    assert.deepEqual(await client.request(systemEcho, { text: "back" }), {
      ok: true,
      text: "back",
    });
  }
});

test("[CLIENT-5] over a real socket: keeps trying a port where nobody answers until somebody does", async () => {
  const gone = await openGateway();
  const { port } = gone;
  await gone[Symbol.asyncDispose]();
  await using client = createGatewayClient({
    url: `ws://127.0.0.1:${port}`,
    client: CLIENT,
    deps: { setTimer: hurry },
  });
  const failed = nextState(client, "waiting");
  const connected = client.connect();
  await failed;
  await using gateway = await openGateway(port);
  assert.deepEqual(await connected, hello);
  assert.equal(gateway.port, port);
});

test("[CLIENT-15] over a real socket: timeouts, signals and noise end nothing but themselves", async () => {
  await using gateway = await openGateway();
  const client = gateway.client();
  const problems: Problem[] = [];
  const gaps: Gap[] = [];
  client.onProblem((problem) => problems.push(problem));
  client.onGap((gap) => gaps.push(gap));
  await client.connect();
  await assert.rejects(client.requestByName("hang", {}, { timeoutMs: 100 }), RequestTimeout);
  const controller = new AbortController();
  const aborted = client.requestByName("hang", {}, { signal: controller.signal });
  controller.abort();
  await assert.rejects(aborted, RequestAborted);
  gateway.peer.send("{broken");
  gateway.peer.send(Buffer.from([1, 2, 3]));
  gateway.say({ type: "event", event: "tick", payload: { ts: 1 }, seq: 3 });
  gateway.say({ type: "event", event: "tick", payload: { ts: 2 }, seq: 9 });
  assert.equal((await client.request(systemEcho, { text: "still here" })).text, "still here");
  assert.deepEqual(problems, [
    { kind: "frame", issue: "not JSON" },
    { kind: "frame", issue: "not a text frame" },
  ]);
  assert.deepEqual(gaps, [{ expected: 4, received: 9 }]);
});

test("[CLIENT-9] over a real socket: a silent server is left with 4000 and met again", async () => {
  await using gateway = await openGateway();
  gateway.tickIntervalMs = 20;
  const client = gateway.client();
  const left = once(gateway.departures, "left");
  const back = left.then(() => nextState(client, "ready"));
  await client.connect();
  assert.deepEqual(await left, [4000, "tick timeout"]);
  gateway.tickIntervalMs = hello.policy.tickIntervalMs;
  await back;
});

test("[CLIENT-3] over a real socket: the gateway verifies the device's signature, and refuses a forged one", async () => {
  await using gateway = await openGateway();
  const device = await createDeviceIdentity();
  await gateway.client(device).connect();
  const forged = { ...device, sign: () => device.sign("something else") };
  const client = gateway.client(forged);
  await assert.rejects(client.connect(), (error: unknown) => {
    assert.ok(error instanceof GatewayError);
    assert.deepEqual(error.details, { code: "DEVICE_AUTH_SIGNATURE_INVALID" });
    return true;
  });
  assert.equal(client.state.state, "failed");
});

interface Frame {
  readonly id: string;
  readonly method: string;
  readonly params: {
    readonly text?: string;
    readonly device?: { readonly publicKey: string; readonly signature: string };
  };
}

class ScriptedGateway implements AsyncDisposable {
  readonly port: number;
  readonly #server: WebSocketServer;
  readonly #clients: GatewayClient[] = [];
  readonly departures = new EventEmitter();
  tickIntervalMs = hello.policy.tickIntervalMs;

  constructor(server: WebSocketServer) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (peer) => {
      peer.on("message", (data) =>
        this.#answer(peer, JSON.parse((data as Buffer).toString()) as Frame),
      );
      peer.on("close", (code, reason) => this.departures.emit("left", code, reason.toString()));
      peer.send(JSON.stringify(challenge));
    });
  }

  get peer(): WebSocket {
    return [...this.#server.clients].at(-1)!;
  }

  say(frame: object): void {
    this.peer.send(JSON.stringify(frame));
  }

  client(device?: DeviceIdentity): GatewayClient {
    const url = `ws://127.0.0.1:${this.port}`;
    const deps = { setTimer: hurry };
    const client = createGatewayClient({ url, client: CLIENT, token: "secret", device, deps });
    this.#clients.push(client);
    return client;
  }

  #answer(peer: WebSocket, { id, method, params }: Frame): void {
    const say = (frame: object): void => peer.send(JSON.stringify(frame));
    if (method === "system.echo") say(reply(id, { ok: true, text: params.text }));
    else if (method === "connect" && (params.device === undefined || isProven(params.device))) {
      const policy = { ...hello.policy, tickIntervalMs: this.tickIntervalMs };
      say(reply(id, { ...hello, policy }));
    } else if (method === "connect") {
      const details = { code: "DEVICE_AUTH_SIGNATURE_INVALID" };
      say(refusal(id, { code: "INVALID_REQUEST", message: "device signature invalid", details }));
      peer.close(1008, "device signature invalid");
    } else if (method !== "hang") {
      say(refusal(id, { code: "INVALID_REQUEST", message: `unknown method: ${method}` }));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const peer of this.#server.clients) peer.terminate();
    await closed;
  }
}

async function openGateway(port = 0): Promise<ScriptedGateway> {
  const server = new WebSocketServer({ host: "127.0.0.1", port });
  await once(server, "listening");
  return new ScriptedGateway(server);
}

function isProven(device: Record<"publicKey" | "signature", string> & { id?: string }): boolean {
  const text = proofText("v3", {
    deviceId: device.id ?? "",
    clientId: CLIENT.id,
    clientMode: CLIENT.mode,
    role: "operator",
    scopes: ["operator.read", "operator.write"],
    signedAt: challenge.payload.ts,
    token: "secret",
    nonce: NONCE,
    platform: CLIENT.platform,
  });
  const jwk = { kty: "OKP", crv: "Ed25519", x: device.publicKey };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  return verify(null, Buffer.from(text), key, Buffer.from(device.signature, "base64url"));
}

/** Resolves the next time the client comes to that state. */
function nextState(client: GatewayClient, name: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = client.onState(({ state }) => {
      if (state !== name) return;
      stop();
      resolve();
    });
  });
}
