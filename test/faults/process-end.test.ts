/** A real server in which something happens that nobody caught, or that closes badly. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { preload } from "../kit/preload.ts";
import { runServer, startServer, withHome } from "../kit/server-process.ts";

const HANGING = `
  import net from "node:net";
  import { syncBuiltinESMExports } from "node:module";
  net.Server.prototype.close = function () { return this; };
  syncBuiltinESMExports();`;

for (const [what, code] of [
  ["an error that nobody caught", 'process.on("SIGUSR2", () => { throw new Error("boom"); });'],
  [
    "a rejection that nobody handled",
    'process.on("SIGUSR2", () => { void Promise.reject(new Error("boom")); });',
  ],
  [
    "an error that nobody caught, and closing that hangs",
    `${HANGING} process.on("SIGUSR2", () => { throw new Error("boom"); });`,
  ],
] as const) {
  test(`[SERVER-10] ${what} ends the process with 70 within 5 s, and the home is free`, async () => {
    await withHome(async (home) => {
      await using server = await startServer(home, { env: preload(code) });
      await using peer = await server.connect();
      const waiting = peer.request("exec.approval.request", { command: "x" }).catch(() => "gone");
      await peer.ask("health");
      process.kill(server.pid, "SIGUSR2");
      const { code: exitCode, stderr } = await server.exited;
      assert.deepEqual([exitCode, stderr], [70, "atrium: boom\n"]);
      assert.equal(await waiting, "gone");
      assert.match(await readFile(join(home, "atrium.log"), "utf8"), /"msg":"boom"/);
      assert.equal(existsSync(join(home, "holder.json")), false);
      await using next = await startServer(home);
      await using again = await next.connect();
      assert.equal((await again.ask("health")).ok, true);
    });
  });
}

test("[SERVER-10] [SERVER-11] while it hangs on the way out, SIGTERM ends it at once", async () => {
  await withHome(async (home) => {
    const code = `${HANGING} process.on("SIGUSR2", () => { throw new Error("boom"); });`;
    await using server = await startServer(home, { env: preload(code) });
    process.kill(server.pid, "SIGUSR2");
    let said = "";
    // The line on stderr comes before anything is closed.
    while (!said.includes("boom")) said = await readFile(join(home, "atrium.log"), "utf8");
    assert.equal(await server.end("SIGTERM"), 70);
  });
});

test("[SERVER-11] asked twice, it does not wait for what hangs", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home, { env: preload(HANGING) });
    process.kill(server.pid, "SIGTERM");
    let said = "";
    while (!said.includes('"closing"')) said = await readFile(join(home, "atrium.log"), "utf8");
    assert.equal(await server.end("SIGTERM"), 0);
    await using next = await startServer(home);
    assert.ok(next.port > 0);
  });
});

test("[SERVER-11] what has to be changed first is 1 or 2, never 70", async () => {
  await withHome(async (home) => {
    await writeFile(join(home, "atrium.config.json"), "{");
    assert.equal((await runServer(home, [])).code, 1);
    assert.equal((await runServer(home, ["--nonsense"])).code, 2);
  });
});

test("[SERVER-11] a start that fails for a reason nobody expected is 70, with one line", async () => {
  await withHome(async (home) => {
    const code = `
      import net from "node:net";
      net.Server.prototype.listen = function () { throw new TypeError("not a chance"); };`;
    const { code: exitCode, stderr } = await runServer(home, ["--port", "0"], {
      env: preload(code),
    });
    assert.deepEqual([exitCode, stderr], [70, "atrium: not a chance\n"]);
  });
});
