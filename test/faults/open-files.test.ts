/** A server that may have few files and sockets open, and someone who takes all there are. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { RawPeer } from "../kit/raw-peer.ts";
import { startServer, withHome, type ServerProcess } from "../kit/server-process.ts";

const MAX_OPEN_FILES = 96;

/** Connections that never say anything, more than the server has room for. */
async function crowd(port: number): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: 2 * MAX_OPEN_FILES }, () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    return socket;
  });
  await Promise.all(
    sockets.map((socket) => Promise.race([once(socket, "connect"), setTimeout(2_000)])),
  );
  return sockets;
}

async function converse(peer: RawPeer, sessionKey: string, message: string): Promise<string> {
  const sent = { sessionKey, message, idempotencyKey: `${sessionKey} ${message}` };
  const { runId } = await peer.ask("chat.send", sent);
  const { status } = await peer.ask("agent.wait", { runId, timeoutMs: 60_000 });
  return status;
}

async function untilLetIn(server: ServerProcess): Promise<RawPeer> {
  for (;;) {
    try {
      return await server.connect();
    } catch {
      await setTimeout(50);
    }
  }
}

test("[SERVER-12] without a free descriptor who is in is served, and everyone again afterwards", async () => {
  await withHome(async (home) => {
    const runtimes = {
      fast: { type: "rehearsal", pace: 0 },
      script: { type: "command", command: ["sh", "-c", "cat >/dev/null; echo hello"] },
    };
    const agents = [
      { id: "agent_bd", name: "BD", role: "front desk", runtime: "fast" },
      { id: "agent_script", name: "Script", role: "engineer", runtime: "script" },
    ];
    await writeFile(join(home, "atrium.config.json"), JSON.stringify({ runtimes, agents }));
    const server = await startServer(home, { maxOpenFiles: MAX_OPEN_FILES });
    await using peer = await server.connect();
    assert.equal(await converse(peer, "agent:script:before", "hello"), "ok");
    const sockets = await crowd(server.port);
    // Who has connected is taken in when the server gets to it.
    const taken = async (): Promise<number> => (await readdir(`/proc/${server.pid}/fd`)).length;
    while ((await taken()) < MAX_OPEN_FILES - 1) await setTimeout(50);
    // What needs no file works; what does fails by itself, and the journal says why.
    assert.equal((await peer.ask("health")).ok, true);
    assert.equal(await converse(peer, "agent:main:main", "[[say: Still here.]]"), "ok");
    assert.equal(await converse(peer, "agent:main:files", "Write a launch plan"), "error");
    assert.equal(await converse(peer, "agent:script:during", "hello"), "error");
    assert.match(await readFile(join(home, "atrium.log"), "utf8"), /EMFILE/);
    assert.equal((await peer.ask("health")).ok, true);
    for (const socket of sockets) socket.destroy();
    await using newcomer = await untilLetIn(server);
    assert.equal((await fetch(`http://127.0.0.1:${server.port}/readyz`)).status, 200);
    assert.equal(await converse(newcomer, "agent:script:after", "hello"), "ok");
    assert.equal(
      await converse(newcomer, "agent:main:after", "Write a plan for the tide app"),
      "ok",
    );
    assert.equal(await server.end(), 0);
    assert.equal((await server.exited).stderr, "");
  });
});
