/** Connections that never send a byte: real sockets, as many as the machine lets us have. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { startServer, withHome } from "../kit/server-process.ts";

const WANTED = 10_000;
const MAX_GROWTH_KB = 150_000;

/** Of this process, which has one end of each; the server has the other. */
function socketsAllowed(): number {
  const limit = execFileSync("sh", ["-c", "ulimit -n"]).toString().trim();
  return limit === "unlimited" ? WANTED : Math.min(WANTED, Number(limit) - 500);
}

async function memoryKb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
}

test("[LISTEN-2] ten thousand connections that never send a byte disturb no one and are closed by the server", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    await using peer = await server.connect();
    const before = await memoryKb(server.pid);
    const count = socketsAllowed();
    const ended: Promise<unknown>[] = [];
    for (let made = 0; made < count;) {
      const sockets = Array.from({ length: Math.min(500, count - made) }, () =>
        silent(server.port),
      );
      await Promise.all(sockets.map((socket) => once(socket, "connect")));
      ended.push(...sockets.map((socket) => once(socket, "close")));
      made += sockets.length;
      assert.equal((await peer.ask("health")).ok, true);
    }
    await using newcomer = await server.connect();
    assert.equal(newcomer.hello.type, "hello-ok");
    assert.ok((await memoryKb(server.pid)) - before < MAX_GROWTH_KB);
    // Nobody here closes them.
    await Promise.all(ended);
    assert.equal((await peer.ask("health")).ok, true);
    while ((await memoryKb(server.pid)) - before > MAX_GROWTH_KB / 2) await setTimeout(500);
    assert.equal(await server.end(), 0);
  });
});

function silent(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.resume();
  return socket;
}
