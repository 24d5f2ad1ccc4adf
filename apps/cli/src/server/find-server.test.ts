import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { lookForServer } from "./find-server.ts";

test("[CLI-2] the home's token is for servers on this machine", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-"));
  const home = folder.path;
  writeFileSync(join(home, "token"), "secret\n", { mode: 0o600 });
  const tokenFor = (url: string): string | undefined => {
    const found = lookForServer({ url, home }, { env: {}, cwd: home });
    return found.state === "named" ? found.place.token : undefined;
  };
  for (const url of ["http://127.0.0.1:1", "localhost:1", "ws://[::1]:1", "wss://127.9.9.9"]) {
    assert.equal(tokenFor(url), "secret", url);
  }
  for (const url of [
    "http://atrium.example",
    "http://127.0.0.1.example:1",
    "http://localhost.example",
    "http://10.0.0.1",
    "http://localhost@atrium.example",
  ]) {
    assert.equal(tokenFor(url), undefined, url);
  }
});

test("[CLI-1] a note that a crash cut short, or that a dead process left, is no server", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-"));
  const home = folder.path;
  const look = (note: string): string => {
    writeFileSync(join(home, "holder.json"), note);
    return lookForServer({ home }, { env: {}, cwd: home }).state;
  };
  const url = "http://127.0.0.1:1/";
  assert.equal(look('{"pid":1,'), "not running");
  assert.equal(look("[]"), "not running");
  assert.equal(look(JSON.stringify({ pid: 2 ** 22 + 1, url, since: "" })), "not running");
  assert.equal(look(JSON.stringify({ pid: process.pid, url, since: "" })), "running");
});
