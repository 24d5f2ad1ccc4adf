import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempDisposableSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { HomeError, openHome } from "./home.ts";

test("[NODE-28] nodes that make a secret at the same time all use the same one", async () => {
  using dir = mkdtempDisposableSync(join(tmpdir(), "atrium-"));
  const module = JSON.stringify(new URL("home.ts", import.meta.url).href);
  const program = `import(${module}).then(({ openHome }) => {
    const [shared, at] = process.argv.slice(1);
    const home = openHome(shared + "/" + process.pid, shared);
    while (Date.now() < Number(at));
    const secrets = Array.from({ length: 200 }, (_, n) => home.secret("s" + n));
    process.stdout.write(JSON.stringify(secrets));
  })`;
  const at = String(Date.now() + 700);
  const start = () => promisify(execFile)(process.execPath, ["-e", program, dir.path, at]);
  const outputs = await Promise.all(Array.from({ length: 4 }, start));
  const secrets = new Set(outputs.map(({ stdout }) => stdout));
  assert.equal(secrets.size, 1);
  const home = openHome(join(dir.path, "x"), dir.path);
  const kept = Array.from({ length: 200 }, (_, n) => home.secret(`s${n}`));
  assert.deepEqual([...secrets], [JSON.stringify(kept)]);
  for (const secret of kept) assert.match(secret, /^[0-9a-f]{64}$/);
  assert.equal(readdirSync(dir.path).filter((name) => name.startsWith("s")).length, 200);
  assert.equal(statSync(join(dir.path, "s0")).mode & 0o777, 0o600);
});

test("[NODE-28] a secret that was cut short is made again; one that is there is kept", () => {
  using dir = mkdtempDisposableSync(join(tmpdir(), "atrium-"));
  const home = openHome(dir.path);
  writeFileSync(join(dir.path, "token"), "\n");
  const token = home.secret("token");
  assert.match(token, /^[0-9a-f]{64}$/);
  assert.equal(openHome(dir.path).secret("token"), token);
});

test("[NODE-27] what nodes share is in the shared folder, what is one node's own in its home", () => {
  using dir = mkdtempDisposableSync(join(tmpdir(), "atrium-"));
  const [folder, shared] = [join(dir.path, "home"), join(dir.path, "shared")];
  const home = openHome(folder, shared);
  assert.deepEqual(
    [home.blobsFolder, home.workshopFolder, home.logFile, home.journalFile],
    [
      join(shared, "blobs"),
      join(shared, "workshop"),
      join(folder, "atrium.db"),
      join(folder, "atrium.log"),
    ],
  );
  home.secret("token");
  assert.deepEqual([readdirSync(folder), readdirSync(shared)], [["new-home"], ["token"]]);
  assert.throws(
    () => openHome(folder, join(shared, "token")),
    (cause) =>
      cause instanceof HomeError && /shared folder: it is a file.*--shared/.test(cause.message),
  );
});
