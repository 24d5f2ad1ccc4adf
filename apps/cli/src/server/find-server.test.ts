import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
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
