import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { accept, refuse } from "@atrium/core";
import { getRequestListener } from "@hono/node-server";
import {
  createReadBasic,
  createReadCredential,
} from "../../../apps/server/src/access/credentials.ts";
import { systemTimers } from "../../../apps/server/src/platform/timers.ts";
import { openHandoverRoom } from "../../../apps/server/src/rooms/git/handover-room.ts";
import { openGitRoom } from "../../../apps/server/src/rooms/git/room.ts";
import type { FindHandover } from "../../../apps/server/src/workshop/find-handover.ts";
import { openWorkspaces } from "../../../apps/server/src/workspaces/open-workspaces.ts";
import {
  makeRepository,
  write,
} from "../../../apps/server/src/workspaces/testing/user-repository.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";

const skip = skipWithout("git");
const run = promisify(execFile);
const TOKEN = "a-token-of-some-length";
const AUTHOR = { name: "Ada", email: "ada@agents.invalid" };

async function openHouse() {
  const root = mkdtempDisposableSync(join(tmpdir(), "atrium-clone-"));
  const user = makeRepository(join(root.path, "user"), { "README.md": "# Shop\n" });
  const path = process.env["PATH"] ?? "";
  const workshop = join(root.path, "workshop");
  const spaces = openWorkspaces({ root: workshop, path, timers: systemTimers });
  const opened = await spaces.openRepository({ id: "shop", path: user });
  assert.ok(opened.ok, JSON.stringify(opened));
  /** A build that wrote these files. */
  const seal = async (workspaceId: string, files: Readonly<Record<string, string>>) => {
    const tree = await spaces.openWorktree({ repositoryId: "shop", workspaceId, at: 1 });
    assert.ok(tree.ok, JSON.stringify(tree));
    write(tree.value.folder, files);
    const sealed = await spaces.seal(workspaceId, { message: "Made", author: AUTHOR, at: 1_000 });
    assert.ok(sealed.ok, JSON.stringify(sealed));
    return sealed.value.commit;
  };
  const handed = new Map<string, string>();
  const of: FindHandover["of"] = async (id) => {
    const commit = handed.get(id);
    if (commit === undefined) return refuse("build.missing", id);
    return accept({ repositoryId: "shop", commit, tree: "", base: commit });
  };
  const readCredential = createReadBasic(createReadCredential(null));
  const faults: unknown[] = [];
  const deps = {
    findHandover: { of, ofBuild: of, ofProject: of },
    use: () => Promise.resolve(spaces),
    body: { maxBytes: 1024 * 1024, timeoutMs: 2_000 },
    access: (request: Parameters<typeof readCredential>[0]) => {
      const shown = readCredential(request);
      return shown?.kind === "token" && shown.token === TOKEN
        ? { credential: { kind: "token" } as const, address: "::1", isLocal: true }
        : { status: 401 as const, reason: "wrong token", waitMs: 0 };
    },
    report: (fault: unknown) => void faults.push(fault),
  };
  const app = openGitRoom(deps).route("/", openHandoverRoom(deps));
  const answer = getRequestListener(app.fetch);
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gitOf = async (...args: readonly string[]): Promise<string> => {
    const env = { PATH: path, HOME: root.path, GIT_TERMINAL_PROMPT: "0", GIT_CONFIG_NOSYSTEM: "1" };
    return (await run("git", args, { env, cwd: root.path, timeout: 60_000 })).stdout.trim();
  };
  const post = (id: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(`http://${host}/git/${id}/git-upload-pack`, {
      method: "POST",
      body: new Uint8Array(Buffer.from(body)),
      headers: { authorization: `Bearer ${TOKEN}`, ...headers },
    });
  return {
    root: root.path,
    offers: () => readdirSync(join(workshop, "offers")),
    host,
    url: (id: string, password = TOKEN) => `http://me:${password}@${host}/git/${id}`,
    handed,
    seal,
    git: gitOf,
    post,
    faults,
    spaces,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await spaces[Symbol.asyncDispose]();
      root.remove();
    },
  };
}

const packet = (line: string): string =>
  `${(line.length + 5).toString(16).padStart(4, "0")}${line}\n`;

test(
  "[CLONE-1] [CLONE-2] git clones what was handed over as main, and nothing else",
  { skip },
  async () => {
    await using house = await openHouse();
    house.handed.set("b1", await house.seal("b1", { "src/a.txt": "one\n" }));
    const other = await house.seal("b2", { "secret.txt": "of another\n" });
    const copy = join(house.root, "copy");
    await house.git("clone", "--quiet", house.url("b1"), copy);
    assert.equal(readFileSync(join(copy, "src/a.txt"), "utf8"), "one\n");
    assert.equal(await house.git("-C", copy, "log", "--format=%s %an"), "Made Ada\nFirst Ada");
    assert.equal(await house.git("-C", copy, "branch", "--show-current"), "main");
    const refs = await house.git("ls-remote", house.url("b1.git"));
    const names = refs.split("\n").map((line) => line.split("\t")[1]);
    assert.deepEqual(names, ["HEAD", "refs/heads/main"]);
    const missing = house.git("-C", copy, "cat-file", "-e", other);
    await assert.rejects(missing);
    // The same build, further on.
    house.handed.set("b1", await house.seal("b1", { "src/b.txt": "two\n" }));
    await house.git("-C", copy, "fetch", "--quiet");
    assert.match(
      await house.git("-C", copy, "ls-tree", "--name-only", "origin/main", "src/"),
      /b\.txt/,
    );
    await house.git("clone", "--quiet", "--depth=1", house.url("b1"), join(house.root, "shallow"));
    assert.deepEqual(house.offers(), []);
    assert.deepEqual(house.faults, []);
  },
);

test(
  "[CLONE-2] objects that main does not lead to are refused, in every version of the protocol",
  { skip },
  async () => {
    await using house = await openHouse();
    house.handed.set("b1", await house.seal("b1", { "a.txt": "one\n" }));
    const other = await house.seal("b2", { "secret.txt": "of another\n" });
    for (const version of ["0", "1", "2"]) {
      const into = join(house.root, `v${version}`);
      const settings = ["-c", `protocol.version=${version}`];
      await house.git(...settings, "clone", "--quiet", house.url("b1"), into);
      const asked = house.git("-C", into, ...settings, "fetch", "origin", other);
      await assert.rejects(asked, /not our ref|unadvertised|did not send/);
      const header = { "git-protocol": `version=${version}` };
      const caps = "multi_ack_detailed side-band-64k thin-pack ofs-delta";
      const raw = await house.post(
        "b1",
        `${packet(`want ${other} ${caps}`)}0000${packet("done")}`,
        header,
      );
      const text = await raw.text();
      assert.doesNotMatch(text, /PACK/);
      assert.match(text, /not our ref/);
    }
    const command = `${packet("command=fetch")}0001${packet(`want ${other}`)}${packet("done")}0000`;
    const second = await house.post("b1", command, { "git-protocol": "version=2" });
    assert.doesNotMatch(await second.text(), /PACK/);
  },
);

test(
  "[CLONE-2] [CLONE-5] whatever is sent is answered, and is no fault of the server's",
  { skip },
  async () => {
    await using house = await openHouse();
    const commit = await house.seal("b1", { "a.txt": "one\n" });
    house.handed.set("b1", commit);
    const lines = [
      "",
      "0000",
      "ffff",
      "zzzz",
      `${packet("want __proto__")}0000`,
      `${packet(`want ${"0".repeat(40)}`)}0000${packet("done")}`,
      `${packet(`want ${commit} filter`)}${packet("filter blob:none")}0000${packet("done")}`,
      packet(`want ${commit}`).repeat(1_000),
      "\0\u001b[2J".repeat(5_000),
    ];
    for (const line of lines) {
      const answer = await house.post("b1", line);
      assert.equal(answer.status, 200);
      assert.doesNotMatch(await answer.text(), /PACK/, line.slice(0, 60));
    }
    const large = await house.post("b1", Buffer.alloc(2 * 1024 * 1024, "0"));
    assert.equal(large.status, 413);
    const gzip = { "content-encoding": "gzip" };
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    assert.equal((await house.post("b1", bomb, gzip)).status, 400);
    assert.equal((await house.post("b1", "no gzip", gzip)).status, 400);
    assert.equal((await house.post("b1", "x", { "content-encoding": "br" })).status, 415);
    const packed = gzipSync(`${packet(`want ${commit}`)}0000${packet("done")}`);
    assert.match(await (await house.post("b1", packed, gzip)).text(), /PACK/);
    for (const id of ["b2", "__proto__", "..", "%2e%2e%2fshop", "a".repeat(5_000)]) {
      assert.equal((await house.post(id, "0000")).status, 404, id.slice(0, 20));
    }
    assert.deepEqual(house.faults, []);
  },
);

test("[CLONE-3] nobody pushes, and what a tree says runs nothing", { skip }, async () => {
  await using house = await openHouse();
  const trap = join(house.root, "ran");
  const hook = `[uploadpack]\n\tpackObjectsHook = touch ${trap}\n`;
  const files = { config: hook, "hooks/post-upload-pack": `#!/bin/sh\ntouch ${trap}\n` };
  house.handed.set("b1", await house.seal("b1", files));
  const copy = join(house.root, "copy");
  await house.git("clone", "--quiet", house.url("b1"), copy);
  writeFileSync(join(copy, "mine.txt"), "mine\n");
  await house.git("-C", copy, "add", "--all");
  const who = ["-c", "user.name=Ada", "-c", "user.email=a@b.c"];
  await house.git("-C", copy, ...who, "commit", "--quiet", "--message", "Mine");
  await assert.rejects(house.git("-C", copy, "push", "origin", "main"), /403/);
  const headers = { authorization: `Bearer ${TOKEN}` };
  for (const [path, method] of [
    ["info/refs?service=git-receive-pack", "GET"],
    ["info/refs", "GET"],
    ["git-receive-pack", "POST"],
  ] as const) {
    const answer = await fetch(`http://${house.host}/git/b1/${path}`, { method, headers });
    assert.equal(answer.status, 403, path);
  }
  assert.equal(readdirSync(house.root).includes("ran"), false);
});

test("[CLONE-4] without the token there is nothing to see", { skip }, async () => {
  await using house = await openHouse();
  house.handed.set("b1", await house.seal("b1", { "a.txt": "one\n" }));
  const refs = `http://${house.host}/git/b1/info/refs?service=git-upload-pack`;
  const bare = await fetch(refs);
  assert.equal(bare.status, 401);
  assert.match(bare.headers.get("www-authenticate") ?? "", /^Basic realm=/);
  const wrong = house.git("ls-remote", house.url("b1", "wrong"));
  await assert.rejects(wrong, /Authentication failed|could not read/);
  const basic = (pair: string) =>
    fetch(refs, { headers: { authorization: `Basic ${Buffer.from(pair).toString("base64")}` } });
  assert.equal((await basic(`:${TOKEN}`)).status, 200);
  assert.equal((await basic(`${TOKEN}:`)).status, 401);
  assert.equal((await basic("")).status, 401);
});

test("[CLONE-5] a few clones run at once, and whoever leaves makes room", { skip }, async () => {
  await using house = await openHouse();
  const commit = await house.seal("b1", { "a.txt": "one\n" });
  const open = () => house.spaces.serveFetch("shop", commit, { input: null });
  const iterators = [];
  for (let n = 0; n < 4; n++) {
    const served = await open();
    assert.ok(served.ok);
    iterators.push(served.value[Symbol.asyncIterator]());
  }
  const fifth = await open();
  assert.deepEqual([fifth.ok, !fifth.ok && fifth.code], [false, "rate-limited"]);
  // One that never read, and one that read a little.
  await iterators[1]?.next();
  await iterators[0]?.return?.();
  await iterators[1]?.return?.();
  const again = await open();
  assert.ok(again.ok);
  let text = "";
  for await (const chunk of again.value) text += chunk.toString("latin1");
  assert.match(text, /^001e# service=git-upload-pack\n0000.*refs\/heads\/main/s);
  for (const iterator of iterators) await iterator.return?.();
  assert.deepEqual(house.offers(), []);
});

test("[CLONE-6] the archive has all files of what was handed over", { skip }, async () => {
  await using house = await openHouse();
  const files = { "a.txt": "one\n", "b/c.txt": "two\n", ".gitattributes": "b export-ignore\n" };
  house.handed.set("b1", await house.seal("b1", files));
  const headers = { authorization: `Bearer ${TOKEN}` };
  const path = `http://${house.host}/api/builds/b1/archive.zip`;
  const answer = await fetch(path, { headers });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "application/zip");
  assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; .*build-b1\.zip/);
  const zip = Buffer.from(await answer.arrayBuffer());
  assert.equal(String(zip.length), answer.headers.get("content-length"));
  const text = zip.toString("latin1");
  for (const name of ["README.md", "a.txt", "b/c.txt"].map((each) => `build-b1/${each}`)) {
    assert.ok(text.includes(name), name);
  }
  while (house.offers().length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal((await fetch(path)).status, 401);
  const missing = await fetch(path.replace("b1", "b9"), { headers });
  assert.equal(missing.status, 404);
});
