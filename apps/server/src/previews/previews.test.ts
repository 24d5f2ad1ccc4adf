import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempDisposableSync, symlinkSync } from "node:fs";
import { request } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { systemTimers } from "../platform/timers.ts";
import { openWorkspaces } from "../workspaces/open-workspaces.ts";
import { git, makeRepository } from "../workspaces/testing/user-repository.ts";
import { createAnswerPreview } from "./answer-preview.ts";
import { createOpenPreview } from "./open-preview.ts";
import { openPreviewListener } from "./preview-listener.ts";
import { createPreviewSites } from "./preview-sites.ts";

const skip = skipWithout("git");
const FILES = {
  "index.html": "<!doctype html><title>Shop</title>",
  "style.css": "body { color: teal }",
  "app.mjs": "export const a = 1;",
  "picture.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
  "odd name/ü #1.txt": "odd\n",
  "guide/index.html": "guide",
  ".env": "SECRET=1",
  ".well-known/x": "hidden",
  "empty/keep.txt": "kept",
};

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

async function openSite(files: Readonly<Record<string, string>> = FILES) {
  const root = mkdtempDisposableSync(join(tmpdir(), "atrium-preview-"));
  const repository = makeRepository(join(root.path, "user"), files);
  symlinkSync("/etc/passwd", join(repository, "link"));
  symlinkSync("guide", join(repository, "folder-link"));
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "Links");
  const spaces = openWorkspaces({
    root: join(root.path, "workshop"),
    path: process.env["PATH"] ?? "",
    timers: systemTimers,
  });
  const opened = await spaces.openRepository({ id: "shop", path: repository });
  assert.ok(opened.ok);
  const { tree } = opened.value;
  const faults: unknown[] = [];
  const sites = createPreviewSites(() => "a secret");
  const use = () => Promise.resolve(spaces);
  const answer = createAnswerPreview({
    sites,
    use,
    allowedHosts: ["office.example"],
    report: (fault) => faults.push(fault),
  });
  const listener = await openPreviewListener({ host: "127.0.0.1", ports: [0], answer });
  assert.ok(listener);
  const { port } = listener;
  const openPreview = createOpenPreview({ sites, use, port: () => port });
  const address = async (host = "localhost:1"): Promise<URL> => {
    const url = await openPreview({ repositoryId: "shop", tree, host });
    assert.ok(url.ok, JSON.stringify(url));
    return new URL(url.value);
  };
  /** As it is written: nothing is made of the path before it is sent. */
  const get = (host: string, path: string, headers = {}, method = "GET"): Promise<Got> =>
    new Promise((resolve, reject) => {
      const asking = request(
        { host: "127.0.0.1", port, path, method, headers: { ...headers, host }, agent: false },
        (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (chunk: string) => (text += chunk));
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          );
        },
      );
      asking.on("error", reject).end();
    });
  return {
    port,
    tree,
    sites,
    faults,
    openPreview,
    address,
    get,
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await spaces[Symbol.asyncDispose]();
      root.remove();
    },
  };
}

test("[PREVIEW-1] files are served as what they are, folders as their page", { skip }, async () => {
  await using site = await openSite();
  const { host, href } = await site.address();
  assert.match(host, /^[0-9a-f]{32}\.localhost:\d+$/);
  assert.equal((await site.address()).href, href);
  const types = new Map([
    ["/", "text/html"],
    ["/index.html?x=1", "text/html"],
    ["/style.css", "text/css"],
    ["/app.mjs", "text/javascript"],
    ["/picture.svg", "image/svg+xml"],
    ["/odd%20name/%C3%BC%20%231.txt", "text/plain"],
    ["/guide/", "text/html"],
  ]);
  for (const [path, type] of types) {
    const got = await site.get(host, path);
    assert.equal(got.status, 200, path);
    assert.equal(got.headers["content-type"]?.split(";")[0], type, path);
    const known = await site.get(host, path, { "if-none-match": got.headers.etag ?? "" });
    assert.deepEqual([known.status, known.text], [304, ""], path);
    const head = await site.get(host, path, {}, "HEAD");
    assert.deepEqual([head.status, head.text], [200, ""]);
    assert.equal(head.headers["content-length"], String(Buffer.byteLength(got.text)));
  }
  const folder = await site.get(host, "/guide");
  assert.deepEqual([folder.status, folder.headers.location], [308, "./guide/"]);
  for (const path of ["/missing.js", "/empty/", "/empty", "/guide/index.html/"]) {
    assert.equal((await site.get(host, path)).status, 404, path);
  }
  assert.deepEqual(site.faults, []);
});

test(
  "[PREVIEW-1] by a name or an address the site is a folder, and built sites are found",
  { skip },
  async () => {
    await using site = await openSite();
    const shared = await site.address("office.example:18789");
    assert.match(shared.href, /^http:\/\/office\.example:\d+\/[0-9a-f]{32}\/$/);
    const page = await site.get("office.example", `${shared.pathname}guide/`);
    assert.deepEqual([page.status, page.text], [200, "guide"]);
    const bare = await site.get("10.0.0.7:99", shared.pathname.slice(0, -1));
    assert.equal(bare.status, 308);
    const asked = new URL(shared.pathname.slice(0, -1), shared);
    assert.equal(new URL(String(bare.headers.location), asked).href, shared.href);
    await using built = await openSite({ "package.json": "{}", "dist/index.html": "built" });
    const own = await built.address();
    assert.equal((await built.get(own.host, "/")).text, "built");
    assert.equal((await built.get(own.host, "/package.json")).status, 404);
    await using none = await openSite({ "main.c": "int main(){}" });
    const refused = await none.openPreview({
      repositoryId: "shop",
      tree: none.tree,
      host: "localhost",
    });
    assert.deepEqual(refused, { ok: false, code: "preview.missing" });
  },
);

test(
  "[PREVIEW-2] nothing but files is there, whatever is asked for and however",
  { skip },
  async () => {
    await using site = await openSite();
    const { host } = await site.address();
    for (const path of ["/api/builds", "/v1/models", "/healthz", "/metrics", "/git/x/info/refs"]) {
      assert.equal((await site.get(host, path)).status, 404, path);
      assert.equal((await site.get("localhost", path)).status, 404, path);
    }
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "PROPFIND"]) {
      const got = await site.get(host, "/", {}, method);
      assert.deepEqual([got.status, got.headers.allow], [405, "GET, HEAD"], method);
    }
    const bare = await site.get(host, "/");
    const signed = await site.get(host, "/", { cookie: "a=b", authorization: "Bearer x" });
    assert.deepEqual([signed.status, signed.text], [bare.status, bare.text]);
    assert.equal(signed.headers["set-cookie"], undefined);
    const socket = connect(site.port, "127.0.0.1");
    socket.write(
      `GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
    );
    await once(socket, "close");
    assert.equal(socket.bytesRead, 0);
  },
);

test("[PREVIEW-3] nothing that the tree's site has not is served", { skip }, async () => {
  await using site = await openSite({ ...FILES, "docs/index.html": "d", "secret.txt": "s" });
  const { host } = await site.address();
  const name = site.sites.nameOf({ repositoryId: "shop", tree: site.tree, folder: "docs" });
  const inner = `${name}.localhost:${site.port}`;
  assert.equal((await site.get(inner, "/")).text, "d");
  const ways = [
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/%252e%252e/secret.txt",
    "/.%2e/secret.txt",
    "/..\\secret.txt",
    "/x/../../secret.txt",
    "//secret.txt",
    "//evil.example/..",
    "/./index.html",
    "/%00",
    "/index.html%00.txt",
    "/%E0%A4%A",
    "http://localhost/secret.txt",
    `/${"a/".repeat(2_000)}`,
    "/__proto__",
    "/constructor",
  ];
  for (const path of ways) {
    const got = await site.get(inner, path);
    assert.equal(got.status, 404, `${path} ${got.text}`);
  }
  for (const path of [
    "/.env",
    "/.well-known/x",
    "/link",
    "/folder-link/",
    "/folder-link",
    "/.git",
  ]) {
    assert.equal((await site.get(host, path)).status, 404, path);
  }
  for (const other of ["0".repeat(32), "__proto__", "constructor"]) {
    assert.equal((await site.get(`${other}.localhost`, "/")).status, 404);
    assert.equal((await site.get("localhost", `/${other}/`)).status, 404);
  }
  assert.deepEqual(site.faults, []);
});

test("[PREVIEW-4] every answer says what a browser may do with it", { skip }, async () => {
  await using site = await openSite();
  const { host } = await site.address();
  const shared = await site.address("office.example");
  for (const path of ["/", "/app.mjs", "/missing", "/guide"]) {
    const { headers } = await site.get(host, path);
    const policy = String(headers["content-security-policy"]);
    assert.match(policy, /default-src 'self'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /https?:|\*/);
    assert.match(policy, /sandbox .*allow-same-origin$/);
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["access-control-allow-origin"], undefined);
  }
  const got = await site.get("office.example", shared.pathname, { origin: "null" });
  assert.equal(got.status, 200);
  assert.match(String(got.headers["content-security-policy"]), /sandbox (?!.*allow-same-origin)/);
  assert.equal(got.headers["access-control-allow-origin"], "null");
});

test("[PREVIEW-5] other hosts and origins are turned away", { skip }, async () => {
  await using site = await openSite();
  const { host, origin } = await site.address();
  const { pathname } = await site.address("office.example");
  const name = host.split(".")[0] ?? "";
  for (const other of ["evil.example", `${name}.evil.example`, `${name}.localhost.evil.example`]) {
    assert.equal((await site.get(other, pathname)).status, 403, other);
  }
  assert.equal((await site.get(host, "/", { origin: "http://evil.example" })).status, 403);
  assert.equal((await site.get(host, "/", { origin: "http://localhost:18789" })).status, 403);
  assert.equal((await site.get(host, "/", { origin })).status, 200);
  assert.equal((await site.get(host, `/${"a".repeat(8_000)}`)).status, 414);
  assert.equal((await site.get(host, `/${"a".repeat(20_000)}`)).status, 431);
});

test("[PREVIEW-5] who sends slowly or nothing is let go, and delays nobody", { skip }, async () => {
  await using site = await openSite();
  const { host } = await site.address();
  const slow = Array.from({ length: 100 }, () => connect(site.port, "127.0.0.1"));
  const ended = Promise.all(
    slow.map(async (socket, n) => {
      socket.on("error", () => undefined);
      socket.write(n % 2 === 0 ? "GET / HTTP/1.1\r\nx: " : "");
      await once(socket.resume(), "close");
    }),
  );
  assert.equal((await site.get(host, "/")).status, 200);
  await ended;
  assert.equal((await site.get(host, "/")).status, 200);
});
