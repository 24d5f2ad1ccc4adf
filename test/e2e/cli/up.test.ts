/** `atrium up` as people run it: real servers, started, found, killed. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runCli, startCli } from "../../kit/cli-process.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

const SERVER = fileURLToPath(new URL("../../../apps/server/src/main.ts", import.meta.url));

/** A server whose parent never asks how it ended: killed, it stays as a zombie until the parent goes. */
async function startUnderCarelessParent(home: string) {
  const script = '"$@" & exec sleep 1000';
  const command = [process.execPath, SERVER, "--home", home, "--port", "0", "--json"];
  const parent = spawn("sh", ["-c", script, "sh", ...command], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"] },
  });
  await once(createInterface({ input: parent.stdout }), "line");
  const { pid, url } = JSON.parse(await readFile(join(home, "holder.json"), "utf8"));
  return {
    pid: pid as number,
    url: url as string,
    async [Symbol.asyncDispose]() {
      try {
        process.kill(pid as number, "SIGKILL");
      } catch (error) {
        assert.match(String(error), /ESRCH/);
      }
      parent.kill("SIGKILL");
      await once(parent, "close");
    },
  };
}

test("[CLI-7] up opens a server, says where, and ends it when told to", async () => {
  await withHome(async (home) => {
    await using up = startCli(["up", "--home", home, "--port", "0"]);
    await up.says("\n");
    const [, url, token] = /^Atrium is open: (http:\/\/127\.0\.0\.1:\d+\/)#token=(\S+)\n$/.exec(
      up.stdout,
    )!;
    const at = ["--url", url!, "--token", token!];
    const { code, stdout, stderr } = await runCli(["status", "--json", ...at]);
    assert.equal(code, 0, stderr);
    const { pid } = JSON.parse(stdout);
    up.signal("SIGTERM");
    assert.equal((await up.ended).code, 0);
    assert.throws(() => process.kill(pid, 0), /ESRCH/);
  });
});

test("[CLI-7] up says where the server is that holds the home already", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    const { code, stdout } = await runCli(["up", "--home", home]);
    assert.equal(code, 0);
    assert.ok(stdout.startsWith(`Atrium is already open: ${server.url} (process ${server.pid}`));
    const json = await runCli(["up", "--json", "--home", home]);
    assert.equal(JSON.parse(json.stdout).url, server.url);
  });
});

test("[CLI-7] up --detach leaves the server running", async () => {
  await withHome(async (home) => {
    const { code, stdout, stderr } = await runCli(["up", "-d", "--home", home, "--port", "0"]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Atrium is open: http/);
    const { pid } = JSON.parse((await runCli(["status", "--json", "--home", home])).stdout);
    assert.equal(stderr, `To stop it, run: kill ${pid}\n`);
    process.kill(pid, "SIGTERM");
    for (;;) {
      const { code: running } = await runCli(["status", "--json", "--home", home]);
      if (running === 1) break;
    }
  });
});

test("[CLI-7] up passes on the server's flags and complaints", async () => {
  await withHome(async (home) => {
    for (const detach of [[], ["--detach"]]) {
      const { code, stdout, stderr } = await runCli(["up", "--home", home, "--dance", ...detach]);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, /--dance/);
    }
    await using up = startCli(["up", "--json", "--home", home, "--port", "0", "--auth", "none"]);
    await up.says("\n");
    assert.equal(JSON.parse(up.stdout).token, null);
    const { code } = await runCli(["status", "--home", home]);
    assert.equal(code, 0);
  });
});

test("[CLI-1] after kill -9 up opens again at once, also while the dead process is not buried", async () => {
  await withHome(async (home) => {
    await using dead = await startUnderCarelessParent(home);
    process.kill(dead.pid, "SIGKILL");
    if (process.platform === "linux") {
      let stat = "";
      while (!/\) Z /.test(stat)) stat = await readFile(`/proc/${dead.pid}/stat`, "utf8");
    }
    assert.equal(process.kill(dead.pid, 0), true);
    const gone = await runCli(["status", "--home", home]);
    assert.match(gone.stderr, /^atrium: No server is running for/);
    const found = JSON.parse((await runCli(["doctor", "--json", "--home", home])).stdout).findings;
    const says = (about: string): string =>
      found.find((each: { about: string }) => each.about === about).says;
    assert.match(says("held by"), new RegExp(`^process ${dead.pid}, which ended`));
    const { code, stdout, stderr } = await runCli(["up", "-d", "--home", home, "--port", "0"]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Atrium is open: http/);
    const { pid, running } = JSON.parse(
      (await runCli(["status", "--json", "--home", home])).stdout,
    );
    assert.equal(running, true);
    assert.notEqual(pid, dead.pid);
    process.kill(pid, "SIGKILL");
  });
});

test("[CLI-23] doctor looks at the port where the server was that died", async () => {
  await withHome(async (home) => {
    const server = await startServer(home);
    await server.end("SIGKILL");
    const { stdout } = await runCli(["doctor", "--home", home]);
    assert.match(
      stdout,
      new RegExp(`port +${server.port} is free, where the last server was$`, "m"),
    );
  });
});

test("[CLI-7] flags that a server which is open already does not fit are named, with exit code 1", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    const other = ["--port", "1", "--log", "memory", "--token", "secret-of-this-test"];
    const { code, stdout, stderr } = await runCli(["up", "-d", "--home", home, ...other]);
    assert.equal(code, 1);
    assert.ok(stdout.startsWith(`Atrium is already open: ${server.url} (process ${server.pid}`));
    assert.match(stderr, /^atrium: --port 1 --log memory --token … had no effect[^]*kill \d+/);
    const json = await runCli(["up", "--json", "--home", home, "--port", "1"]);
    assert.deepEqual([json.code, JSON.parse(json.stdout).ignored], [1, ["--port 1"]]);
    const fits = ["--home", home, "--port", `${server.port}`, "--host", "127.0.0.1"];
    assert.equal((await runCli(["up", ...fits])).code, 0);
  });
});
