/** Our own client against our own server: what neither's unit tests can show. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createDeviceIdentity,
  createGatewayClient,
  type GatewayClient,
  type GatewayClientOptions,
  type Problem,
} from "@atrium/client";
import { chatHistory, chatInject, health } from "@atrium/wire/gateway";
import { openTestAtrium } from "../../kit/atrium.ts";
import { loadPeerSchemas } from "../../kit/peer-schemas.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

const ME = { id: "test", version: "dev", platform: "linux", mode: "cli" };

function clientOf(
  server: { readonly wsUrl: string; readonly token: string },
  options: Partial<GatewayClientOptions> = {},
): { readonly client: GatewayClient; readonly problems: readonly Problem[] } {
  const { wsUrl: url, token } = server;
  const scopes = ["operator.admin"];
  const client = createGatewayClient({ url, token, client: ME, scopes, ...options });
  const problems: Problem[] = [];
  client.onProblem((problem) => void problems.push(problem));
  return { client, problems };
}

test("[CLIENT-1] what an address and a token become is what the peer's own schema asks for", async () => {
  await using atrium = await openTestAtrium();
  const sent: string[] = [];
  class Overheard extends WebSocket {
    override send(text: string): void {
      sent.push(text);
      super.send(text);
    }
  }
  const { wsUrl: url, token } = atrium;
  await using client = createGatewayClient({ url, token, deps: { WebSocket: Overheard } });
  await client.connect();
  const { params } = JSON.parse(sent[0] ?? "");
  (await loadPeerSchemas()).check("ConnectParams", params);
  assert.deepEqual((await client.call("sessions.list", {})).sessions, []);
  const done = await client.agent({ message: "[[say: hello]]" });
  assert.equal(done.status, "ok");
});

test("[CLIENT-10] it connects, calls, hears, and finds nothing wrong with any frame", async () => {
  await using atrium = await openTestAtrium({
    limits: { tickIntervalMs: 50, healthIntervalMs: 50 },
  });
  const { client, problems } = clientOf(atrium);
  await using _closing = client;
  const gaps: unknown[] = [];
  client.onGap((gap) => void gaps.push(gap));
  await client.connect();
  assert.equal((await client.request(health, {})).ok, true);

  const told = new Promise<string>((resolve) => {
    client.onEvent("chat", (chat) => {
      const [part] = chat.state === "final" ? (chat.message?.content ?? []) : [];
      resolve(part?.type === "text" ? part.text : "");
    });
  });
  const heard = Promise.all(
    (["tick", "health"] as const).map(
      (name) => new Promise<void>((resolve) => client.onEvent(name, () => resolve())),
    ),
  );
  await client.request(chatInject, { sessionKey: "main", message: "hello" });
  assert.equal(await told, "hello");
  await heard;
  const { messages } = await client.request(chatHistory, { sessionKey: "main" });
  assert.equal(messages.length, 1);
  assert.deepEqual([problems, gaps], [[], []]);
});

test("[CLIENT-10] a device it makes is paired, and its token is enough from then on", async () => {
  await using atrium = await openTestAtrium();
  const device = await createDeviceIdentity();
  const first = clientOf(atrium, { device });
  await using _first = first.client;
  const { auth } = await first.client.connect();
  const second = clientOf(atrium, { device, token: undefined, deviceToken: auth.deviceToken });
  await using _second = second.client;
  assert.equal((await second.client.connect()).auth.deviceToken, auth.deviceToken);
});

test("[CLIENT-10] a wrong token is a failure it does not repeat", async () => {
  await using atrium = await openTestAtrium();
  const { client } = clientOf(atrium, { token: "wrong" });
  await using _closing = client;
  await assert.rejects(client.connect(), /gateway token mismatch/);
  assert.equal(client.state.state, "failed");
});

test("[CLIENT-10] it comes back by itself after the server was killed and started again", async () => {
  await withHome(async (home) => {
    const first = await startServer(home);
    const { client } = clientOf(first);
    await using _closing = client;
    await client.connect();
    const once = { sessionKey: "main", message: "kept", idempotencyKey: "k" };
    const { messageId } = await client.request(chatInject, once);
    const gone = stateReached(client, "waiting");
    await first.end("SIGKILL");
    await gone;
    const back = stateReached(client, "ready");
    await using _second = await startServer(home, { args: ["--port", `${first.port}`] });
    await back;
    assert.equal((await client.request(chatInject, once)).messageId, messageId);
    const { totalMessages } = await client.request(chatHistory, { sessionKey: "main" });
    assert.equal(totalMessages, 1);
  });
});

function stateReached(client: GatewayClient, wanted: string): Promise<void> {
  return new Promise((resolve) => {
    client.onState(({ state }) => {
      if (state === wanted) resolve();
    });
  });
}
