import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { MAIN, runServer, startServer, withHome } from "../../kit/server-process.ts";

test("[SERVER-3] when open it prints one line with the URL and the token, as JSON if asked", async () => {
  await withHome(async (home) => {
    const printed = async (...args: readonly string[]): Promise<string> => {
      const child = spawn(process.execPath, [MAIN, "--home", home, "--port", "0", ...args]);
      let stdout = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
        if (text.includes("\n")) child.kill("SIGTERM");
      });
      await once(child, "close");
      return stdout;
    };
    const plain = await printed();
    const token = (await readFile(join(home, "token"), "utf8")).trim();
    assert.match(plain, /^Atrium is open: http:\/\/127\.0\.0\.1:\d+\/#token=\S+\n$/);
    assert.ok(plain.endsWith(`#token=${token}\n`));
    const [line = "", ...rest] = (await printed("--json")).split("\n");
    assert.deepEqual(rest, [""]);
    const { port, url, ...said } = JSON.parse(line);
    assert.deepEqual(said, { ready: true, token });
    assert.equal(url, `http://127.0.0.1:${port}/`);
  });
});

test("[SERVER-4] a second server on the same home says who holds it and exits with 1", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    const second = await runServer(home, ["--port", "0"]);
    assert.equal(second.code, 1);
    assert.ok(second.stderr.includes(home), second.stderr);
    assert.match(second.stderr, new RegExp(`process ${server.pid} at ${server.url}`));
    assert.match(second.stderr, /^atrium: .* with --home\n$/);
    await using peer = await server.connect();
    assert.equal((await peer.ask("health")).ok, true);
  });
});

test("[SERVER-4] after kill -9 the next one opens at once", async () => {
  await withHome(async (home) => {
    const first = await startServer(home);
    await first.end("SIGKILL");
    await using second = await startServer(home);
    await using peer = await second.connect();
    assert.equal((await peer.ask("health")).ok, true);
  });
});

test("[SERVER-4] a port in use is named", async () => {
  await withHome(async (home) => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const address = holder.address();
    assert.ok(typeof address === "object" && address !== null);
    const { code, stderr } = await runServer(home, ["--port", `${address.port}`]);
    assert.deepEqual(
      [code, stderr],
      [
        1,
        `atrium: 127.0.0.1:${address.port} is in use by another program; choose a port with --port\n`,
      ],
    );
    holder.close();
  });
});

test("[SERVER-4] a port that another Atrium has is told as such", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    const { code, stderr } = await runServer(join(home, "other"), ["--port", `${server.port}`]);
    assert.equal(code, 1);
    assert.match(stderr, /^atrium: 127\.0\.0\.1:\d+ is in use by another Atrium; choose a port/);
  });
});

test("[SERVER-4] a home that another server uses is told with who it is, as far as that can be read", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    const named = await runServer(home, ["--port", "0"]);
    const who = `by process ${server.pid} at http://127.0.0.1:${server.port}/ since`;
    assert.ok(named.stderr.startsWith(`atrium: ${home} is in use ${who} `), named.stderr);
    await writeFile(join(home, "holder.json"), '{"pid":');
    const { code, stderr } = await runServer(home, ["--port", "0"]);
    assert.equal(code, 1);
    const advice = "stop it or choose another folder with --home";
    assert.equal(stderr, `atrium: ${home} is in use; ${advice}\n`);
  });
});

test("[SERVER-4] an address that is not ours is named", async () => {
  await withHome(async (home) => {
    const { code, stderr } = await runServer(home, ["--port", "0", "--host", "192.0.2.1"]);
    assert.equal(code, 1);
    assert.match(stderr, /^atrium: cannot listen on 192\.0\.2\.1:0: .+\n$/);
  });
});

test("[SERVER-4] a log file that is not ours is named and left alone", async () => {
  await withHome(async (home) => {
    const file = join(home, "atrium.db");
    await writeFile(file, "Dear diary, this is not a database.".repeat(200));
    const before = await readFile(file);
    const { code, stderr } = await runServer(home, ["--port", "0"]);
    assert.equal(code, 1);
    assert.ok(stderr.includes(file), stderr);
    assert.deepEqual(await readFile(file), before);
  });
});

test("[SERVER-4] a home that cannot be used is named", async () => {
  await withHome(async (home) => {
    const file = join(home, "taken");
    await writeFile(file, "");
    const itself = await runServer(file, ["--port", "0"]);
    assert.equal(itself.code, 1);
    assert.match(itself.stderr, /^atrium: cannot use .*taken as home: it is a file; .*\n$/);
    // Under /proc not even root may make a folder.
    for (const folder of [join(file, "home"), "/proc/atrium"]) {
      const { code, stderr } = await runServer(folder, ["--port", "0"]);
      assert.equal(code, 1);
      assert.ok(stderr.startsWith(`atrium: cannot use ${folder} as home: `), stderr);
      assert.ok(!stderr.includes("    at "), stderr);
    }
  });
});

test("[SERVER-5] the token is its owner's alone and the same after a restart", async () => {
  await withHome(async (home) => {
    const first = await startServer(home);
    const { token } = first;
    await first.end();
    for (const name of ["token", "device-secret", "atrium.db", "atrium.log"]) {
      assert.equal((await stat(join(home, name))).mode & 0o077, 0, name);
    }
    await using second = await startServer(home);
    assert.equal(second.token, token);
    assert.ok(!(await readFile(join(home, "atrium.log"), "utf8")).includes(token));
  });
});

test("[LISTEN-5] on SIGTERM everyone is told, closed with 1012, and the exit code is 0", async () => {
  await withHome(async (home) => {
    const server = await startServer(home);
    await using peer = await server.connect();
    await using bare = await server.connect({ scopes: [] });
    const { messageId } = await peer.ask("chat.inject", {
      sessionKey: "main",
      message: "last words",
    });
    const told = Promise.all([peer.event("shutdown"), bare.event("shutdown")]);
    const code = server.end();
    for (const { payload } of await told) assert.deepEqual(payload, { reason: "gateway stopping" });
    assert.deepEqual(await peer.closed, { code: 1012, reason: "service restart" });
    assert.equal(await code, 0);
    await using again = await startServer(home);
    await using back = await again.connect();
    const { messages } = await back.ask("chat.history", { sessionKey: "main" });
    assert.deepEqual(
      messages.map((message: { __openclaw: { id: string } }) => message.__openclaw.id),
      [messageId],
    );
  });
});

test("[SERVER-9] a server that is asked to stop has no fault to report", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    await using peer = await server.connect();
    await peer.ask("chat.send", { sessionKey: "main", message: "hi", idempotencyKey: "k1" });
    assert.equal(await server.end("SIGTERM"), 0);
    const lines = (await readFile(join(home, "atrium.log"), "utf8")).trim().split("\n");
    const levels = lines.map((line) => (JSON.parse(line) as { level: number }).level);
    assert.deepEqual([...new Set(levels)], [30], lines.join("\n"));
  });
});

test("[SERVER-1] flag beats environment beats file beats default", async () => {
  const { readConfig } = await import("@atrium/server/config");
  await withHome(async (home) => {
    await writeFile(
      join(home, "atrium.config.json"),
      JSON.stringify({ port: 1, auth: "none", durability: "normal" }),
    );
    const read = (args: string[], env: Record<string, string>) =>
      readConfig({ args, env, cwd: home });
    const config = read(["--port", "3"], { ATRIUM_PORT: "2", ATRIUM_AUTH: "token" });
    assert.deepEqual(
      [config.port, config.auth, config.durability, config.log],
      [3, "token", "normal", "sqlite"],
    );
    assert.equal(read([], { ATRIUM_PORT: "2" }).port, 2);
    assert.equal(read([], {}).port, 1);
    assert.equal(read([], { ATRIUM_HOME: "state" }).home, join(home, "state"));
  });
});

test("[SERVER-1] what nobody knows is an error that names it", async () => {
  const { ConfigError, readConfig } = await import("@atrium/server/config");
  await withHome(async (home) => {
    const rejects = async (args: string[], file: string | null, pattern: RegExp): Promise<void> => {
      const path = join(home, "settings.json");
      if (file !== null) await writeFile(path, file);
      const all = file === null ? args : [...args, "--config", path];
      assert.throws(
        () => readConfig({ args: all, env: {}, cwd: home }),
        (error: unknown) => error instanceof ConfigError && pattern.test(error.message),
        String(pattern),
      );
    };
    await rejects(["--prot", "1"], null, /--prot/);
    await rejects(["--port", "many"], null, /\/port: must be integer/);
    await rejects(
      ["--log", "papyrus"],
      null,
      /^log: "papyrus" is no place for a log; use sqlite, memory,/,
    );
    await rejects(["--config", join(home, "absent.json")], null, /absent\.json/);
    await rejects([], '{"prot": 1}', /settings\.json: .*'prot'/);
    await rejects([], '{"limits": {"maxFun": 1}}', /'maxFun'/);
    await rejects([], "{nope", /settings\.json is not JSON/);
    const { code, stderr } = await runServer(home, ["--prot", "1"]);
    assert.equal(code, 2);
    assert.match(stderr, /^atrium: Unknown option '--prot'\n\natrium: the front hall/);
    const extra = await runServer(home, ["extra"]);
    assert.equal(extra.code, 2);
    assert.match(extra.stderr, /^atrium: Unexpected argument 'extra'\n/);
    assert.equal((await runServer(home, ["--port", "many"])).code, 1);
  });
});

test("[SERVER-2] a token that could be guessed is refused, wherever it is written", async () => {
  await withHome(async (home) => {
    const short = /a token of 15 characters could be guessed; use at least 16/;
    const token = "fifteen-letters";
    assert.match((await runServer(home, ["--token", token])).stderr, short);
    const byEnv = await runServer(home, [], { env: { ATRIUM_TOKEN: token } });
    assert.match(byEnv.stderr, short);
    assert.equal(byEnv.code, 1);
    await writeFile(join(home, "token"), `${token}\n`);
    const kept = await runServer(home, []);
    assert.match(kept.stderr, short);
    assert.ok(kept.stderr.includes(join(home, "token")), kept.stderr);
    await writeFile(join(home, "atrium.config.json"), JSON.stringify({ token }));
    const written = await runServer(home, []);
    assert.match(written.stderr, short);
    assert.ok(!written.stderr.includes(token), "the token itself is not printed");
    await writeFile(join(home, "atrium.config.json"), JSON.stringify({ token: `${token}!` }));
    await using server = await startServer(home);
    assert.equal(server.token, `${token}!`);
  });
});

test("[SERVER-2] a proxy that is no address is refused by name", async () => {
  await withHome(async (home) => {
    const settings = JSON.stringify({ trustedProxies: ["127.0.0.1", "proxy.local"] });
    await writeFile(join(home, "atrium.config.json"), settings);
    const { code, stderr } = await runServer(home, []);
    assert.equal(code, 1);
    assert.match(stderr, /trustedProxies: proxy\.local is not an address or network/);
  });
});

test("[SERVER-2] auth none is refused where others could reach it", async () => {
  await withHome(async (home) => {
    const { code, stderr } = await runServer(home, ["--auth", "none", "--host", "0.0.0.0"]);
    assert.equal(code, 1);
    assert.match(stderr, /auth "none" would admit anyone who reaches 0\.0\.0\.0/);
  });
});
