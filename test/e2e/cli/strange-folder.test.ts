/** Commands that run in a folder which somebody else has filled, such as a repository that was just cloned. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, mkdir, mkdtempDisposable, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runCli, type CliResult } from "../../kit/cli-process.ts";

const TOKEN = "the-token-of-the-home";
const HOOK = { hook_event_name: "UserPromptSubmit", session_id: "s1", prompt: "a secret plan" };

interface StrangeFolder extends AsyncDisposable {
  readonly path: string;
  /** Everything that was sent to whoever filled the folder. */
  readonly received: () => string;
  readonly port: number;
  /** Files of the folder; a function makes something else than a file. */
  readonly put: (files: Readonly<Record<string, object>>, mode?: number) => Promise<void>;
  readonly run: (args: readonly string[], input?: string) => Promise<CliResult>;
}

/** Beside it is the user's own home, where no server runs. */
async function openStrangeFolder(): Promise<StrangeFolder> {
  const place = await mkdtempDisposable(join(tmpdir(), "atrium-strange-"));
  const own = join(place.path, ".atrium");
  await mkdir(own, { mode: 0o700 });
  await writeFile(join(own, "token"), `${TOKEN}\n`, { mode: 0o600 });
  const path = join(place.path, "repository");
  await mkdir(path);
  let received = "";
  const listener = createServer((request, response) => {
    received += `${request.method} ${request.url} ${JSON.stringify(request.headers)}\n`;
    request.on("data", (chunk: Buffer) => (received += chunk.toString()));
    response.end(JSON.stringify({ ready: true, version: "1.0.0", accepted: 1, rejected: [] }));
  });
  listener.on("upgrade", (request, socket) => {
    received += `UPGRADE ${request.url} ${JSON.stringify(request.headers)}\n`;
    socket.destroy();
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  return {
    path,
    port,
    received: () => received,
    async put(files, mode = 0o600) {
      await mkdir(join(path, ".h"), { recursive: true });
      await chmod(join(path, ".h"), 0o755);
      for (const [name, content] of Object.entries(files)) {
        await writeFile(join(path, name), JSON.stringify(content), { mode });
      }
    },
    run: (args, input) =>
      runCli(args, { cwd: path, env: { HOME: place.path }, ...(input !== undefined && { input }) }),
    async [Symbol.asyncDispose]() {
      listener.closeAllConnections();
      listener.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

const HOME_HERE = { "atrium.config.json": { home: ".h" } };

test("[CLI-53] what a repository says of a server elsewhere is not believed, and nothing is sent there", async () => {
  await using folder = await openStrangeFolder();
  const url = `http://[::ffff:127.0.0.1]:${folder.port}/`;
  // It leads here and does not look like this machine. An archive can have files with the modes of a server's.
  await folder.put({ ...HOME_HERE, ".h/holder.json": { pid: 1, url, shared: "../../.atrium" } });
  for (const args of [["status"], ["chat", "a secret plan"], ["signals", "tail", "--limit", "1"]]) {
    const { code, stderr } = await folder.run(args);
    assert.equal(code, 1);
    assert.match(stderr, /is home by the settings of this folder, and it is not used: its server/);
    assert.match(stderr, /name it: --home /);
  }
  assert.equal(folder.received(), "");
});

test("[CLI-53] a note of a server that a checkout made is not one of a server of mine", async () => {
  await using folder = await openStrangeFolder();
  const url = `http://127.0.0.1:${folder.port}/`;
  await folder.put({ ...HOME_HERE, ".h/holder.json": { pid: 1, url } }, 0o644);
  const { code, stderr } = await folder.run(["chat", "a secret plan"]);
  assert.equal(code, 1);
  assert.match(stderr, /was not written by a server of yours/);
  assert.equal(folder.received(), "");
});

test("[CLI-53] nothing in a home of the folder points at the token of another", async () => {
  for (const kind of ["shared", "link"] as const) {
    await using folder = await openStrangeFolder();
    const url = `http://127.0.0.1:${folder.port}/`;
    const shared = kind === "shared" ? { shared: "../../.atrium" } : {};
    await folder.put({ ...HOME_HERE, ".h/holder.json": { pid: 1, url, ...shared } });
    if (kind === "link") await symlink("../../.atrium/token", join(folder.path, ".h", "token"));
    for (const args of [["status"], ["signals", "pipe", "--from", "codex"]]) {
      await folder.run(args, JSON.stringify({ type: "turn.started" }));
      await folder.run([...args, "--url", url], JSON.stringify({ type: "turn.started" }));
    }
    assert.notEqual(folder.received(), "", "it was asked");
    assert.ok(!folder.received().includes(TOKEN), `${kind}: ${folder.received()}`);
  }
});

test("[CLI-54] hooks take nothing from the folder that their program works in", async () => {
  await using folder = await openStrangeFolder();
  const url = `http://127.0.0.1:${folder.port}/`;
  await folder.put({
    "atrium.config.json": { home: ".h", token: "known-to-somebody-else" },
    ".h/holder.json": { pid: 1, url, shared: "../../.atrium" },
  });
  const { code, stdout, stderr } = await folder.run(["signals", "hook"], JSON.stringify(HOOK));
  assert.deepEqual([code, stdout], [0, ""]);
  assert.match(stderr, /No server is running for .*\.atrium\./);
  assert.equal(folder.received(), "");
});

test("[CLI-54] joining, leaving and installing hooks ask which home is meant", async () => {
  await using folder = await openStrangeFolder();
  const victim = join(folder.path, "victim");
  const record = { folder: folder.path, before: { victim: "aGFja2Vk" }, after: { victim: null } };
  await folder.put(HOME_HERE);
  await mkdir(join(folder.path, ".h", "joined"));
  await writeFile(join(folder.path, ".h", "joined", "gemini.json"), JSON.stringify(record));
  for (const args of [
    ["join", "gemini"],
    ["leave"],
    ["leave", "gemini"],
    ["signals", "install", "gemini"],
    ["signals", "install", "gemini", "--remove"],
  ]) {
    const { code, stderr } = await folder.run(args);
    assert.equal(code, 1);
    assert.match(stderr, /The settings of this folder say that home is .*\nName the home/);
  }
  await assert.rejects(readFile(victim), "nothing was written for the folder");
});

test("[CLI-54] doctor starts no program and sends no key because the folder says so", async () => {
  await using folder = await openStrangeFolder();
  const program = join(folder.path, "program.sh");
  await writeFile(program, `#!/bin/sh\necho started > started\n`, { mode: 0o755 });
  const baseUrl = `http://127.0.0.1:${folder.port}/v1`;
  const model = { type: "model", provider: "openai", model: "m", baseUrl, apiKeyEnv: "HOME" };
  const runtimes = { mine: { type: "codex", command: program }, model };
  await folder.put({ "atrium.config.json": { runtimes } });
  const { stdout } = await folder.run(["doctor"]);
  assert.match(stdout, /runtimes +those of .*were not looked at[^]*doctor --config /);
  await assert.rejects(readFile(join(folder.path, "started")));
  assert.equal(folder.received(), "");
  await folder.run(["doctor", "--config", "atrium.config.json"]);
  assert.equal(await readFile(join(folder.path, "started"), "utf8"), "started\n");
  assert.notEqual(folder.received(), "", "the file was named, so it is trusted");
});
