/** The command line as people run it: real processes, a real server, what is printed and the exit codes. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createWorldClient } from "@atrium/client";
import { openTestAtrium } from "../../kit/atrium.ts";
import { runCli } from "../../kit/cli-process.ts";
import { connectNode } from "../../kit/node.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

const BIN = fileURLToPath(new URL("../../../apps/cli/bin/atrium.mjs", import.meta.url));

test("[CLI-1] a server is found by flag, by environment, and by who holds the home", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    const { url, token } = server;
    for (const [args, env] of [
      [["--home", home], {}],
      [[], { ATRIUM_HOME: home }],
      [["--url", url, "--token", token], {}],
      [["--url", `${url}#token=${token}`], {}],
      [["--url", url.replace("http", "ws")], { ATRIUM_TOKEN: token }],
      [[], { ATRIUM_URL: url, ATRIUM_TOKEN: token }],
      [["--url", url, "--home", home], { ATRIUM_URL: "http://127.0.0.1:1" }],
    ] as const) {
      const { code, stdout, stderr } = await runCli(["status", "--json", ...args], { env });
      assert.equal(code, 0, stderr);
      assert.equal(JSON.parse(stdout).url, url);
      assert.equal(stdout.includes(token), false);
    }
  });
});

test("[CLI-1] the settings file of the folder says where home is", async () => {
  await withHome(async (folder) => {
    const home = join(folder, "elsewhere");
    await writeFile(join(folder, "atrium.config.json"), JSON.stringify({ home: "elsewhere" }));
    await using server = await startServer(home);
    const { stdout } = await runCli(["status", "--json"], { cwd: folder });
    assert.equal(JSON.parse(stdout).url, server.url);
  });
});

test("[CLI-3] where nothing runs, commands say so and how to start one", async () => {
  await withHome(async (home) => {
    for (const command of [["status"], ["chat", "hi"], ["sessions"]]) {
      const { code, stdout, stderr } = await runCli([...command, "--home", home]);
      assert.deepEqual([code, stdout], [1, ""]);
      assert.equal(
        stderr,
        `atrium: No server is running for ${home}.\nTo start one, run: atrium up\n`,
      );
    }
    const { code, stdout } = await runCli(["status", "--json", "--home", home]);
    assert.deepEqual([code, JSON.parse(stdout)], [1, { running: false, home }]);
  });
});

test("[CLI-4] what nobody knows is named, with exit code 2", async () => {
  const { code, stdout, stderr } = await runCli(["status", "--loud"]);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.equal(stderr, "atrium: Unknown option: --loud\nSee atrium status --help\n");
  assert.equal((await runCli([])).code, 2);
  assert.match((await runCli(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
});

test("[CLI-4] the help of up goes on with the server's", async () => {
  const { code, stdout } = await runCli(["up", "--help"]);
  assert.equal(code, 0);
  assert.match(stdout, /--detach, -d[^]*passed to the server:\n[^]*--home FOLDER/);
});

test("[CLI-3] a server that does not let us in, or does not answer, is a sentence", async () => {
  await using atrium = await openTestAtrium();
  const wrong = await runCli(["status", "--url", atrium.url, "--token", "wrong"]);
  assert.equal(wrong.code, 1);
  assert.match(
    wrong.stderr,
    /^atrium: .* rejected the connection: .*token mismatch.*\n.*--token.*\n$/,
  );
  const none = await runCli(["status", "--url", atrium.url]);
  assert.match(none.stderr, /rejected the connection[^]*Pass the token with --token/);
  const gone = await runCli(["status", "--url", "http://127.0.0.1:1"]);
  assert.equal(gone.code, 1);
  assert.match(gone.stderr, /^atrium: http:\/\/127\.0\.0\.1:1\/ does not answer\.\n.*doctor\n$/);
});

test("[CLI-6] the bin runs as a program of its own", async () => {
  const { stdout } = await promisify(execFile)(BIN, ["--version"], {
    env: { PATH: process.env["PATH"] },
  });
  const { version } = JSON.parse(
    await readFile(new URL("../../../apps/cli/package.json", import.meta.url), "utf8"),
  );
  assert.equal(stdout, `${version}\n`);
});

test("[CLI-8] status tells where the server is, how it does and who works there", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    await using peer = await server.connect();
    await peer.ask("chat.inject", { sessionKey: "main", message: "hello" });
    const { stdout } = await runCli(["status", "--home", home]);
    assert.match(stdout, /^Atrium \d+\.\d+\.\d+ is open at http:\/\/127\.0\.0\.1:\d+\/\n/);
    for (const line of [
      new RegExp(`^  up  .* process ${server.pid}$`, "m"),
      new RegExp(`^  home  +${home}$`, "m"),
      /^ {2}log {2,}\d+ entries +sqlite$/m,
      /^ {2}connections {2,}2 /m,
      /^ {2}conversations {2,}1$/m,
      /^ {2}main {2,}BD {2,}rehearsal\/\S+ {2,}1 conversation$/m,
      /^No active runs\.$/m,
    ]) {
      assert.match(stdout, line);
    }
    const report = JSON.parse((await runCli(["status", "--json", "--home", home])).stdout);
    assert.equal(report.running, true);
    assert.equal(report.pid, server.pid);
    assert.equal(report.conversations, 1);
    assert.equal(report.agents[0].name, "BD");
    assert.equal(report.log.engine, "sqlite");
  });
});

test("[CLI-8] status names what is under way", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const started = peer.event("chat");
  await peer.ask("chat.send", { sessionKey: "main", message: "[[hang]]", idempotencyKey: "k" });
  await started;
  const args = ["--url", atrium.url, "--token", atrium.token];
  const { stdout } = await runCli(["status", ...args]);
  assert.match(stdout, /^Active runs\n {2}agent:main:main {2}running$/m);
  const json = JSON.parse((await runCli(["status", "--json", ...args])).stdout);
  assert.deepEqual(json.underWay, [{ session: "agent:main:main", state: "running", runs: 1 }]);
});

test("[CLI-8] what waits for a person comes first, each with what answers it", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const at = ["--url", atrium.url, "--token", atrium.token];
  const { id } = await peer.ask("build.start", { prompt: "Build a bot", idempotencyKey: "b" });
  const say = (sessionKey: string, message: string) =>
    peer.ask("chat.send", { sessionKey, message, idempotencyKey: sessionKey });
  await say("work", "[[approve: shell npm publish]]");
  await say("side", "[[ask: Which audience? | Tech users | Everyone]]");
  await using _node = await connectNode(atrium, { displayName: "a lamp" });
  const report = async () => JSON.parse((await runCli(["status", "--json", ...at])).stdout);
  let waiting: { kind: string; what: string; answer: string; options: string[] }[] = [];
  while (waiting.length < 4) ({ waiting } = await report());
  const of = (kind: string) => waiting.find((each) => each.kind === kind)!;
  assert.equal(of("build").answer, `atrium build --answer ${id} me`);
  assert.equal(of("permission").what, "shell npm publish");
  assert.match(of("question").answer, /^http.*\/\?show=decision:dec_a\w+$/);
  assert.deepEqual(of("question").options, ["Tech users", "Everyone"]);
  const { stdout } = await runCli(["status", ...at]);
  assert.match(stdout, /^Atrium .*\n\nWaiting for you\n {2}permission {2}shell npm publish/);
  assert.match(stdout, /^ {2}node +a lamp asks for approval .*\n +→ atrium nodes approve \S+$/m);
  for (const kind of ["permission", "node", "build"]) {
    const { code, stderr } = await runCli([...of(kind).answer.split(" ").slice(1), ...at]);
    assert.equal(code, 0, stderr);
  }
  const left = (await report()).waiting.map((each: { kind: string }) => each.kind);
  assert.deepEqual(left, ["question"]);
});

test("[CLI-8] what was delivered waits for a review, at the page that shows it", async () => {
  await using atrium = await openTestAtrium();
  using world = createWorldClient(atrium);
  await world.connect();
  const said = (name: string): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      world.on("event", ({ payload }) => void (payload.name === name && resolve({ ...payload })));
    });
  const delivered = said("artifact_delivered");
  world.on("event", ({ payload }) => {
    if (payload.name !== "decision_requested") return;
    const { decision_id, options } = payload;
    void world.command("resolve_decision", { decision_id, choice: options[0] ?? "" });
  });
  const planned = said("kickoff_finished");
  await world.command("submit_request", { text: "Write a haiku about tides" });
  const { project_id } = await planned;
  const at = ["--url", atrium.url, "--token", atrium.token];
  const before = await runCli(["status", ...at]);
  assert.match(before.stdout, /^ {2}handout {5}\d tasks of .*\n +→ http:.*\/\?show=board$/m);
  await world.command("auto_assign", { project_id: String(project_id) });
  const { artifact_id: id } = await delivered;
  const { stdout } = await runCli(["status", ...at]);
  assert.match(stdout, /^Atrium .*\n\nWaiting for you\n/);
  const page = `${atrium.url}?show=artifact:${String(id)}`;
  const line = stdout.split("\n").findIndex((each) => each.endsWith(`→ ${page}`));
  assert.match(stdout.split("\n")[line - 1] ?? "", /^ {2}review {6}\S.*, version 1$/);
});

test("[CLI-13] sessions lists conversations, newest first, and shows what was said", async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  const none = await runCli(["sessions", ...at]);
  assert.match(none.stdout, /^No conversations yet\./);
  await runCli(["chat", ...at, '[[say: One]] [[tool: search {"q":1}]]']);
  await runCli(["chat", ...at, "--session", "side", "[[say: Two]]"]);
  const { code, stdout } = await runCli(["sessions", ...at]);
  assert.equal(code, 0);
  const keys = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/\s/)[0]);
  assert.deepEqual(keys, ["agent:main:side", "agent:main:main"]);
  const limited = await runCli(["sessions", ...at, "--limit", "1"]);
  assert.match(limited.stdout, /^agent:main:side .*\n\n1 more; see --limit\n$/);
  const shown = await runCli(["sessions", "show", "main", ...at]);
  assert.match(shown.stdout, /^agent:main:main\n\nyou {2}.*\n\[\[say: One\]\]/);
  assert.match(shown.stdout, /^ {2}· search \{"q":1\}$/m);
  assert.match(shown.stdout, /^BD {2}.*\nOne/m);
});

test("[CLI-13] a turn that failed or was stopped says so in what was said", async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  const failed = await runCli(["chat", ...at, "[[fail: no water]]"]);
  assert.equal(failed.code, 1);
  const { stdout } = await runCli(["sessions", "show", "main", ...at]);
  assert.match(stdout, /^BD {2}.*\n(?:.*\n)?\(failed: .*no water.*\)$/m);
});

test("[CLI-13] sessions are renamed, reset and deleted", async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  await runCli(["chat", ...at, "--session", "side", "[[say: Two]]"]);
  const renamed = await runCli(["sessions", "rename", "side", "A side show", ...at]);
  assert.equal(renamed.stdout, "agent:main:side is now called A side show.\n");
  assert.match((await runCli(["sessions", ...at])).stdout, /^agent:main:side {2}A side show {2}/);
  const reset = await runCli(["sessions", "reset", "side", ...at]);
  assert.equal(reset.stdout, "agent:main:side is reset.\n");
  const shown = JSON.parse((await runCli(["sessions", "show", "side", "--json", ...at])).stdout);
  assert.deepEqual(shown.messages, []);
  const deleted = await runCli(["sessions", "delete", "side", ...at]);
  assert.equal(deleted.stdout, "agent:main:side is deleted.\n");
  assert.match((await runCli(["sessions", ...at])).stdout, /^No conversations/);
});

test("[CLI-13] sessions speak JSON, and complain about what is not there", async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  await runCli(["chat", ...at, "[[say: One]]"]);
  const json = async (...args: string[]) =>
    JSON.parse((await runCli(["sessions", ...args, "--json", ...at])).stdout);
  assert.equal((await json("list")).sessions[0].key, "agent:main:main");
  assert.equal((await json("show", "main")).messages.length, 2);
  assert.equal((await json("rename", "main", "Hall")).entry.label, "Hall");
  for (const args of [
    ["show", "nobody"],
    ["delete", "nobody"],
    ["reset", "nobody"],
    ["rename", "nobody", "x"],
  ]) {
    const { code, stderr } = await runCli(["sessions", ...args, ...at]);
    assert.equal(code, 1);
    assert.match(stderr, /^atrium: .*nobody/);
  }
  const main = await runCli(["sessions", "delete", "main", ...at]);
  assert.equal(main.code, 1);
  assert.match(main.stderr, /Reset it instead/);
});

test("[CLI-5] what comes from elsewhere cannot control the terminal", async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  const { stdout } = await runCli(["chat", ...at, "[[say: red \u001b[31m bell \u0007 end]]"]);
  assert.equal(stdout, "red [31m bell  end\n");
  await runCli(["sessions", "rename", "main", "a\u001b]0;owned\u0007b", ...at]);
  assert.match((await runCli(["sessions", ...at])).stdout, / {2}a\]0;ownedb {2}/);
});
