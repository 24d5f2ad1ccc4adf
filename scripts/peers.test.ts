import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtempDisposable, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findPeer, installPeer, type Surroundings } from "./peers.ts";

/** A registry on this machine with one small package in it, and a peer that is that package. */
async function openRegistry() {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await mkdtempDisposable(join(tmpdir(), "atrium-peers-"))).path;
  const place = (name: string): string => join(folder, name);
  for (const name of ["package", "manifests", "home"]) await mkdir(place(name));
  const tiny = { name: "tiny", version: "1.0.0" };
  await writeFile(join(folder, "package/package.json"), JSON.stringify(tiny));
  execFileSync("tar", ["-czf", place("tiny.tgz"), "-C", folder, "package"]);
  await writeFile(
    place("manifests/tiny-peer.json"),
    JSON.stringify({ private: true, dependencies: { tiny: "1.0.0" } }),
  );

  const asked: string[] = [];
  const archive = await readFile(place("tiny.tgz"));
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url?.endsWith(".tgz") === true) return response.end(archive);
    const tarball = `http://${request.headers.host}/tiny.tgz`;
    return response.end(
      JSON.stringify({
        name: "tiny",
        "dist-tags": { latest: "1.0.0" },
        versions: { "1.0.0": { ...tiny, dist: { tarball } } },
      }),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  opened.defer(close);
  const { port } = server.address() as AddressInfo;
  await writeFile(place("home/.npmrc"), `registry=http://127.0.0.1:${port}/\n`);
  const env = { PATH: process.env["PATH"], HOME: place("home"), ATRIUM_CACHE: place("cache") };
  const around: Surroundings = { manifests: place("manifests"), env };
  const held = opened.move();
  return { asked, around, close, place, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

test("a peer is installed once, also when two ask at the same time", async () => {
  await using registry = await openRegistry();
  const { around, asked, place } = registry;
  assert.deepEqual(findPeer("tiny-peer", around), { id: "tiny@1.0.0", folder: undefined });
  const both = [installPeer("tiny-peer", around), installPeer("tiny-peer", around)];
  assert.deepEqual(await Promise.all(both), [undefined, undefined]);
  const folder = place("cache/tiny-peer/node_modules/tiny");
  assert.deepEqual(findPeer("tiny-peer", around), { id: "tiny@1.0.0", folder });
  assert.equal(asked.filter((url) => url.endsWith(".tgz")).length, 1);
  assert.deepEqual(await readdir(place("cache")), ["tiny-peer"]);

  registry.close();
  assert.equal(await installPeer("tiny-peer", around), undefined, "it is there already");
});

test("a peer that cannot be had is named, and nothing half is left", async () => {
  await using registry = await openRegistry();
  registry.close();
  const problem = await installPeer("tiny-peer", registry.around);
  assert.match(problem ?? "", /^tiny@1\.0\.0 could not be installed: npm ended with \d+\n/);
  assert.deepEqual(await readdir(registry.place("cache")), []);
  assert.equal(findPeer("tiny-peer", registry.around).folder, undefined);
});

test("a peer that is already somewhere is found there, if it is the right one", async () => {
  await using registry = await openRegistry();
  const { around, place } = registry;
  for (const [name, version] of [
    ["older", "0.9.0"],
    ["right", "1.0.0"],
  ] as const) {
    const folder = place(`${name}/node_modules/tiny`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: "tiny", version }));
  }
  const env = { ...around.env, ATRIUM_PEERS: `${place("older")}:${place("right")}` };
  const { folder } = findPeer("tiny-peer", { ...around, env });
  assert.equal(folder, place("right/node_modules/tiny"));
  assert.equal(await installPeer("tiny-peer", { ...around, env }), undefined);
  assert.deepEqual(registry.asked, []);
});
