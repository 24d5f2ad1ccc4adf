import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runServer, startServer, withHome } from "../kit/server-process.ts";

test("[SERVER-10] when nothing more can be written it says so, exits with 70, and has kept what it acknowledged", async () => {
  await withHome(async (home) => {
    const message = "x".repeat(50_000);
    let acknowledged = 0;
    {
      await using server = await startServer(home, { maxFileKiB: 2_000 });
      await using peer = await server.connect();
      const gone = peer.closed;
      while (acknowledged < 1_000) {
        const answer = await Promise.race([
          peer.request("chat.inject", { sessionKey: "main", message }).catch(() => undefined),
          gone.then(() => undefined),
        ]);
        if (answer?.ok !== true) break;
        acknowledged++;
      }
      const { code, stderr } = await server.exited;
      assert.equal(code, 70);
      assert.ok(stderr.startsWith(`atrium: ${join(home, "atrium.db")}`), stderr);
      assert.ok(!stderr.includes("    at "), stderr);
      assert.equal((await gone).code, 1012);
    }
    assert.ok(acknowledged > 0 && acknowledged < 1_000);
    await using server = await startServer(home);
    await using peer = await server.connect();
    const history = await peer.ask("chat.history", { sessionKey: "main", limit: 1 });
    assert.equal(history.totalMessages, acknowledged);
  });
});

test("[SERVER-10] a start on a full disk is one sentence, and everything is there once there is room", async (t) => {
  await withHome(async (folder) => {
    using stack = new DisposableStack();
    const options = ["-t", "tmpfs", "-o", "size=12m", "tmpfs", folder];
    if (spawnSync("mount", options).status !== 0) {
      assert.notEqual(process.env["CI"], "true", "CI must be able to mount a small disk");
      return t.skip("may not mount a small disk here");
    }
    stack.defer(() => spawnSync("umount", ["--lazy", folder]));
    const home = join(folder, "home");
    const ballast = join(folder, "ballast");
    mkdirSync(home);
    {
      await using server = await startServer(home);
      await using peer = await server.connect();
      await peer.ask("chat.inject", { sessionKey: "main", message: "before" });
      assert.equal(await server.end(), 0);
    }
    fill(ballast);
    const { code, stderr } = await runServer(home, ["--port", "0"]);
    assert.equal(code, 1);
    assert.match(stderr, /^atrium: [^\n]*atrium\.db[^\n]*\n$/);
    rmSync(ballast);
    await using server = await startServer(home);
    await using peer = await server.connect();
    const history = await peer.ask("chat.history", { sessionKey: "main", limit: 1 });
    assert.equal(history.totalMessages, 1);
  });
});

/** Until nothing more goes in. */
function fill(file: string): void {
  for (let bytes = 1_048_576; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    for (;;) {
      try {
        writeFileSync(file, Buffer.alloc(bytes), { flag: "a" });
      } catch {
        break;
      }
    }
  }
}
