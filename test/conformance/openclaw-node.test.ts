/** The peer's own client, as a node of ours. */
import assert from "node:assert/strict";
import { createHash, createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { GatewayClient } from "@openclaw/gateway-client";
import { openTestAtrium, type TestAtrium } from "../kit/atrium.ts";

interface Asked {
  readonly id: string;
  readonly nodeId: string;
  readonly command: string;
  readonly paramsJSON: string;
}

/** Echoes what it is asked, as a node host does it. */
async function connectRealNode({ wsUrl: url, token }: TestAtrium) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "jwk" }).x ?? "";
  const deviceId = createHash("sha256").update(Buffer.from(raw, "base64url")).digest("hex");
  const ready = Promise.withResolvers<unknown>();
  const approved = Promise.withResolvers<unknown>();
  const client: GatewayClient = new GatewayClient({
    url,
    token,
    role: "node",
    scopes: [],
    mode: "node",
    clientName: "node-host",
    caps: ["system"],
    commands: ["echo"],
    deviceIdentity: {
      deviceId,
      publicKeyPem: publicKey.export({ type: "spki", format: "pem" }),
      privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }),
    },
    hostDeps: {
      signDevicePayload: (pem: string, payload: string) =>
        sign(null, Buffer.from(payload), createPrivateKey(pem)).toString("base64url"),
      publicKeyRawBase64UrlFromPem: () => raw,
      loadDeviceAuthToken: () => null,
      storeDeviceAuthToken: () => undefined,
      clearDeviceAuthToken: () => undefined,
    },
    onHelloOk: ready.resolve,
    onConnectError: ready.reject,
    onEvent: ({ event, payload }: { event: string; payload?: unknown }) => {
      if (event === "node.pair.resolved") approved.resolve(payload);
      if (event !== "node.invoke.request") return;
      const { id, nodeId, paramsJSON } = payload as Asked;
      const said = { id, nodeId, ok: true, payloadJSON: paramsJSON };
      // The test may be over, and the client stopped, before it hears that this came.
      client.request("node.invoke.result", said).catch(() => undefined);
    },
  });
  client.start();
  await ready.promise;
  const [stop, isApproved] = [() => client.stop(), approved.promise];
  return { nodeId: deviceId, isApproved, [Symbol.dispose]: stop };
}

test("[GW-52] the real client is paired as a node, approved, and runs what it is asked", async () => {
  await using atrium = await openTestAtrium();
  await using operator = await atrium.connect();
  using node = await connectRealNode(atrium);
  const { nodeId } = node;
  const { pending } = await operator.ask("node.pair.list", {});
  const [{ requestId, clientId, clientMode }] = pending;
  assert.deepEqual([clientId, clientMode], ["node-host", "node"]);
  await operator.ask("node.pair.approve", { requestId });
  await node.isApproved;
  const params = { text: "hello" };
  const asked = { nodeId, command: "echo", params, idempotencyKey: "k" };
  const answer = await operator.ask("node.invoke", asked);
  assert.deepEqual([answer.payload, answer.payloadJSON], [params, JSON.stringify(params)]);
  assert.deepEqual(atrium.faults, []);
});
