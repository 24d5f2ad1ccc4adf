import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type IncomingMessage, type RequestOptions } from "node:http";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { WebSocket } from "ws";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { openPeer, type RawPeer } from "../../kit/raw-peer.ts";

/** The status an upgrade is answered with: 101 when it is let through. */
async function upgradeStatus(url: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(url, { headers });
  return new Promise((resolve, reject) => {
    socket.once("open", () => {
      socket.terminate();
      resolve(101);
    });
    socket.once("unexpected-response", (_request, response: IncomingMessage) =>
      resolve(response.statusCode ?? 0),
    );
    socket.once("error", reject);
  });
}

async function get(
  atrium: TestAtrium,
  options: RequestOptions,
): Promise<{ status: number; body: string }> {
  const asked = request({ host: "127.0.0.1", port: atrium.port, ...options }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  const body = (await Array.fromAsync(response)).join("");
  return { status: response.statusCode ?? 0, body };
}

test("[LISTEN-1] a foreign Host or Origin is turned away before anything is read", async () => {
  await using atrium = await openTestAtrium({
    allowedHosts: ["atrium.example"],
    allowedOrigins: ["https://panel.example"],
  });
  const { port, wsUrl } = atrium;
  for (const [headers, status] of [
    [{}, 101],
    [{ host: `localhost:${port}` }, 101],
    [{ host: "atrium.example" }, 101],
    [{ host: "evil.example" }, 403],
    [{ host: "127.0.0.1.evil.example" }, 403],
    [{ origin: `http://127.0.0.1:${port}` }, 101],
    [{ origin: "https://panel.example" }, 101],
    [{ origin: "https://evil.example" }, 403],
    [{ origin: `http://127.0.0.1:${port + 1}` }, 403],
    [{ origin: "null" }, 403],
  ] as const) {
    assert.equal(await upgradeStatus(wsUrl, headers), status, JSON.stringify(headers));
  }
  const page = await get(atrium, { path: "/healthz", headers: { host: "evil.example" } });
  assert.equal(page.status, 403);
  assert.match(page.body, /evil\.example/);
  const headers = { origin: "https://evil.example" };
  for (const method of ["GET", "POST"]) {
    assert.equal((await get(atrium, { path: "/api/login", method, headers })).status, 403, method);
  }
});

test("a path without a room is 404", async () => {
  await using atrium = await openTestAtrium();
  assert.equal(await upgradeStatus(`${atrium.wsUrl}nowhere`, {}), 404);
  assert.equal(await upgradeStatus(`${atrium.wsUrl}?a=b`, {}), 101);
  assert.equal((await get(atrium, { path: "/nowhere" })).status, 404);
});

test("[LISTEN-2] a stranger may say 64 KiB and no more", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.open();
  peer.sendText(
    JSON.stringify({ type: "req", id: "1", method: "connect", params: "x".repeat(70_000) }),
  );
  assert.deepEqual(await peer.closed, { code: 1009, reason: "too much before connect" });
  assert.equal(
    peer.frames.some((frame) => frame.type === "res"),
    false,
  );
});

test("[LISTEN-2] a peer that is in may send frames up to the announced limit", async () => {
  await using atrium = await openTestAtrium({ limits: { maxPayloadBytes: 1_000_000 } });
  await using peer = await atrium.connect();
  const text = "x".repeat(900_000);
  assert.equal((await peer.ask("system.echo", { text })).text.length, text.length);
  peer.send({
    type: "req",
    id: "big",
    method: "system.echo",
    params: { text: "x".repeat(1_100_000) },
  });
  assert.equal((await peer.closed).code, 1009);
});

test("[LISTEN-2] a socket that does not connect in time is shown out", async () => {
  await using atrium = await openTestAtrium({ limits: { handshakeTimeoutMs: 100 } });
  await using peer = await atrium.open();
  await using quick = await atrium.connect();
  assert.deepEqual(await peer.closed, { code: 1013, reason: "handshake timeout" });
  assert.equal((await quick.ask("health")).ok, true);
});

test("[LISTEN-2] when the lobby is full the longest waiting goes and the newcomer stays", async () => {
  await using atrium = await openTestAtrium({ limits: { lobbySeats: 3 } });
  const peers: RawPeer[] = [];
  for (let i = 0; i < 4; i++) peers.push(await atrium.open());
  const closed = await peers[0]?.closed;
  assert.deepEqual(closed, { code: 1013, reason: "too many sockets are waiting to connect" });
  await using late = await atrium.connect();
  assert.equal(late.hello.type, "hello-ok");
  for (const peer of peers) await peer[Symbol.asyncDispose]();
});

test("[LISTEN-2] ten thousand sockets that never speak keep no one out and leave nothing behind", async () => {
  await using atrium = await openTestAtrium({ limits: { handshakeTimeoutMs: 60_000 } });
  await using peer = await atrium.connect();
  const before = await memoryAfterGc();
  const silent: Socket[] = [];
  let opened = 0;
  for (let batch = 0; batch < 20; batch++) {
    const sockets = Array.from({ length: 500 }, () => silentSocket(atrium.port));
    await Promise.all(sockets.map((socket) => once(socket, "data").then(() => opened++)));
    silent.push(...sockets);
    assert.equal((await peer.ask("health")).ok, true);
    await using newcomer = await atrium.connect();
    assert.equal(newcomer.hello.type, "hello-ok");
  }
  assert.equal(opened, 10_000);
  const { body } = await get(atrium, { path: "/metrics" });
  const waiting = Number(/^atrium_strangers (\d+)$/m.exec(body)?.[1]);
  assert.ok(waiting <= 1_024, `${waiting} sockets are waiting`);
  for (const socket of silent) socket.destroy();
  // The server side notices in its own time.
  while ((await peer.ask("status")).connections > 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const grown = (await memoryAfterGc()) - before;
  assert.ok(grown < 20_000_000, `${grown} bytes of heap were not given back`);
});

test("[LISTEN-6] operations answer over plain HTTP", async () => {
  await using atrium = await openTestAtrium();
  for (const path of ["/healthz", "/health"]) {
    assert.deepEqual(await get(atrium, { path }), {
      status: 200,
      body: '{"ok":true,"status":"live"}',
    });
  }
  const ready = await get(atrium, { path: "/readyz" });
  assert.deepEqual([ready.status, JSON.parse(ready.body).ready], [200, true]);
  for (const path of ["/startupz", "/startup"]) {
    const started = await get(atrium, { path });
    assert.deepEqual([started.status, JSON.parse(started.body).status], [200, "started"]);
  }
  await using _peer = await atrium.connect();
  const { body } = await get(atrium, { path: "/metrics" });
  assert.match(body, /^atrium_connections 1$/m);
  assert.match(body, /^process_cpu_seconds_total \d/m);
});

test("[LISTEN-6] figures are for this machine, or for whoever has the token", async () => {
  await using atrium = await openTestAtrium();
  const elsewhere = { "x-forwarded-for": "203.0.113.7" };
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await get(atrium, { path: "/metrics", headers })).status;
  assert.equal(await status(elsewhere), 401);
  assert.equal(await status({ ...elsewhere, authorization: "Bearer wrong" }), 401);
  assert.equal(await status({ ...elsewhere, authorization: `Bearer ${atrium.token}` }), 200);
  const live = await get(atrium, { path: "/healthz", headers: elsewhere });
  assert.equal(live.status, 200);
});

test("[LISTEN-5] a peer that is gone without a word is found by ping", async () => {
  await using atrium = await openTestAtrium({ limits: { pingIntervalMs: 500 } });
  const silent = await openPeer(atrium.wsUrl, { autoPong: false });
  await using polite = await atrium.connect();
  assert.equal((await silent.closed).code, 1006);
  assert.equal((await polite.ask("health")).ok, true);
});

/** Upgrades by hand and then says nothing; cheaper than ten thousand WebSocket clients. */
function silentSocket(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\n" +
      "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
  );
  return socket;
}

async function memoryAfterGc(): Promise<number> {
  const { setFlagsFromString } = await import("node:v8");
  const { runInNewContext } = await import("node:vm");
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    gc();
  }
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}
