import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { startServer, withHome } from "../kit/server-process.ts";

test("[SERVER-9] when nothing more can be written it says so, exits with 70, and has kept what it acknowledged", async () => {
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
