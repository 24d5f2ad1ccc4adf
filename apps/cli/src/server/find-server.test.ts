import assert from "node:assert/strict";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { lookForServer } from "./find-server.ts";

test("[CLI-2] the home's token is for servers on this machine", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-"));
  const home = folder.path;
  writeFileSync(join(home, "token"), "secret\n", { mode: 0o600 });
  const tokenFor = async (url: string): Promise<string | undefined> => {
    const found = await lookForServer({ url, home }, { env: {}, cwd: home });
    return found.state === "named" ? found.place.token : undefined;
  };
  for (const url of ["http://127.0.0.1:1", "localhost:1", "ws://[::1]:1", "wss://127.9.9.9"]) {
    assert.equal(await tokenFor(url), "secret", url);
  }
  for (const url of [
    "http://atrium.example",
    "http://127.0.0.1.example:1",
    "http://localhost.example",
    "http://10.0.0.1",
    "http://localhost@atrium.example",
  ]) {
    assert.equal(await tokenFor(url), undefined, url);
  }
});

test("[CLI-2] a token of a settings file is for servers on this machine too", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-"));
  const home = folder.path;
  writeFileSync(join(home, "atrium.config.json"), JSON.stringify({ token: "written-by-hand" }));
  for (const [url, expected] of [
    ["http://127.0.0.1:1", "written-by-hand"],
    ["https://atrium.example", undefined],
  ] as const) {
    const found = await lookForServer({ url, home }, { env: {}, cwd: tmpdir() });
    assert.equal(found.state === "named" && found.place.token, expected, url);
    const env = { ATRIUM_TOKEN: "given" };
    const given = await lookForServer({ url, home }, { env, cwd: tmpdir() });
    assert.equal(given.state === "named" && given.place.token, "given", url);
  }
});

test("[CLI-2] a home's note of an address elsewhere does not lead its token there", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-"));
  const home = folder.path;
  await using door = await openDoor((_, response) => {
    response.end(JSON.stringify({ ready: true, version: "1.0.0", uptimeMs: 1 }));
  });
  const { port } = new URL(door.url);
  writeFileSync(join(home, "token"), "secret\n", { mode: 0o600 });
  for (const [host, expected] of [
    ["127.0.0.1", "secret"],
    ["0.0.0.0", "secret"],
    // An IPv4 address as IPv6: it leads here and does not look like this machine.
    ["[::ffff:127.0.0.1]", undefined],
    ["127.0.0.1@[::ffff:127.0.0.1]", undefined],
  ] as const) {
    const note = { pid: process.pid, url: `http://${host}:${port}/`, since: "" };
    writeFileSync(join(home, "holder.json"), JSON.stringify(note));
    const found = await lookForServer({ home }, { env: {}, cwd: tmpdir() });
    assert.equal(found.state === "running" && found.place.token, expected, host);
  }
  const note = { pid: process.pid, url: `https://127.0.0.1:${port}/`, since: "" };
  writeFileSync(join(home, "holder.json"), JSON.stringify(note));
  const { state } = await lookForServer({ home }, { env: {}, cwd: tmpdir() });
  assert.equal(state, "not running", "our servers speak plain HTTP");
});

test("[CLI-2] a home that was named leads to the folder that its nodes share, and to no token of others", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-"));
  await using door = await openDoor((_, response) => {
    response.end(JSON.stringify({ ready: true, version: "1.0.0", uptimeMs: 1 }));
  });
  const [home, shared] = [join(folder.path, "home"), join(folder.path, "shared")];
  for (const each of [home, shared]) mkdirSync(each, { mode: 0o700 });
  writeFileSync(join(shared, "token"), "secret\n", { mode: 0o600 });
  const note = { pid: process.pid, url: door.url, since: "", shared };
  writeFileSync(join(home, "holder.json"), JSON.stringify(note), { mode: 0o600 });
  const look = async (flags: object, env = {}, cwd = tmpdir()) => {
    const found = await lookForServer(flags, { env, cwd });
    return found.state === "running" ? found.place.token : found.state;
  };
  assert.equal(await look({ home }), "secret");
  assert.equal(await look({}, { ATRIUM_HOME: home }), "secret");
  // The same words mean another home in every folder, so they are the folder's.
  assert.equal(await look({}, { ATRIUM_HOME: "home" }, folder.path), undefined);
  writeFileSync(join(folder.path, "atrium.config.json"), '{ "home": "home" }');
  assert.equal(await look({}, {}, folder.path), undefined);
  assert.equal(await look({ config: "atrium.config.json" }, {}, folder.path), "secret");
  if (process.getuid?.() !== 0) return;
  chownSync(join(shared, "token"), 4_711, 4_711);
  assert.equal(await look({ home }), undefined, "it is not of who owns the home");
});

test("[CLI-53] a key that lies in a folder is not shown to servers elsewhere", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-"));
  writeFileSync(join(folder.path, "atrium.config.json"), '{ "home": "." }');
  const place = { env: {}, cwd: folder.path };
  const found = await lookForServer({ url: "https://atrium.example" }, place);
  const file = found.state === "named" ? found.place.deviceFile : undefined;
  assert.equal(file, join(homedir(), ".atrium", "cli-device.json"));
});

/** Answers as it is told to, at an address of its own. */
async function openDoor(answer: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

test("[CLI-1] a note that a crash cut short, or that a dead process left, is no server", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-"));
  const home = folder.path;
  const look = async (note: string): Promise<string> => {
    writeFileSync(join(home, "holder.json"), note);
    return (await lookForServer({ home }, { env: {}, cwd: home })).state;
  };
  await using door = await openDoor((_, response) => {
    response.end(JSON.stringify({ ready: true, version: "1.0.0", uptimeMs: 1 }));
  });
  const { url } = door;
  assert.equal(await look('{"pid":1,'), "not running");
  assert.equal(await look("[]"), "not running");
  assert.equal(await look(JSON.stringify({ pid: 2 ** 22 + 1, url, since: "" })), "not running");
  assert.equal(await look(JSON.stringify({ pid: process.pid, url, since: "" })), "running");
});

test("[CLI-1] a process that is there is no server unless it answers at its address", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-"));
  const home = folder.path;
  const look = async (url: string): Promise<string> => {
    writeFileSync(join(home, "holder.json"), JSON.stringify({ pid: process.pid, url, since: "" }));
    return (await lookForServer({ home }, { env: {}, cwd: home })).state;
  };
  await using stranger = await openDoor((_, response) => void response.end("Welcome to nginx!"));
  await using busy = await openDoor(() => undefined);
  assert.equal(await look("http://127.0.0.1:1/"), "not running");
  assert.equal(await look("nonsense"), "not running");
  assert.equal(await look(stranger.url), "not running");
  assert.equal(await look(busy.url), "running");
});
