import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtempDisposable, symlink, writeFile } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { openTestAtrium } from "../../kit/atrium.ts";
import { createTestDevice } from "../../kit/device.ts";
import { runServer } from "../../kit/server-process.ts";

const SCRIPT = "document.title = 'open';";
const PAGE = `<!doctype html><script>${SCRIPT}</script><script src="/assets/app-1a2b3c4d.js"></script>`;
const APP = "console.log('app');\n".repeat(50);
const HTML = { accept: "text/html" };

/** A server with a small web client; `get` sends paths as they are, which fetch would tidy up. */
async function openWeb() {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await mkdtempDisposable(join(tmpdir(), "atrium-web-"))).path;
  const web = join(folder, "web");
  await mkdir(join(web, "assets"), { recursive: true });
  await writeFile(join(folder, "secret.txt"), "secret");
  await symlink(join(folder, "secret.txt"), join(web, "link.txt"));
  for (const [name, content] of [
    ["index.html", PAGE],
    ["icon.svg", "<svg/>"],
    [".env", "secret"],
    ["assets/app-1a2b3c4d.js", APP],
    ["assets/app-1a2b3c4d.js.br", brotliCompressSync(APP)],
    ["assets/app-1a2b3c4d.js.gz", gzipSync(APP)],
  ] as const) {
    await writeFile(join(web, name), content);
  }
  const atrium = opened.use(await openTestAtrium({ args: ["--web", web] }));
  const held = opened.move();
  return {
    token: atrium.token,
    async get(path: string, headers: Record<string, string> = {}, method = "GET") {
      const asked = request({ host: "127.0.0.1", port: atrium.port, path, headers, method }).end();
      const [response] = (await once(asked, "response")) as [IncomingMessage];
      const body = Buffer.concat(await Array.fromAsync(response));
      return { status: response.statusCode, headers: response.headers, body };
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

test("[LISTEN-7] the files of a web folder are served with their types, for reading only", async () => {
  await using web = await openWeb();
  for (const [path, type, content] of [
    ["/", "text/html; charset=utf-8", PAGE],
    ["/index.html", "text/html; charset=utf-8", PAGE],
    ["/?token=x", "text/html; charset=utf-8", PAGE],
    ["/icon.svg", "image/svg+xml; charset=utf-8", "<svg/>"],
    ["/assets/app-1a2b3c4d.js", "text/javascript; charset=utf-8", APP],
  ] as const) {
    const { status, headers, body } = await web.get(path);
    assert.deepEqual([status, headers["content-type"], String(body)], [200, type, content], path);
  }
  const head = await web.get("/icon.svg", {}, "HEAD");
  assert.deepEqual([head.status, head.headers["content-length"], head.body.length], [200, "6", 0]);
  for (const method of ["POST", "PUT", "DELETE"]) {
    const { status, headers } = await web.get("/icon.svg", {}, method);
    assert.deepEqual([status, headers.allow], [405, "GET, HEAD"], method);
  }
  assert.equal((await web.get("/healthz")).status, 200);

  await using bare = await openTestAtrium();
  assert.match(await (await fetch(bare.url)).text(), /<div id="atrium">/);
});

test("[LISTEN-8] nothing outside the web folder, and nothing hidden in it, is served", async () => {
  await using web = await openWeb();
  for (const path of [
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/..%5csecret.txt",
    "//../secret.txt",
    "/assets/../../secret.txt",
    "/link.txt",
    "/.env",
    "/%2eenv",
    "/icon.svg%00.txt",
    "/%c0%ae%c0%ae/secret.txt",
    "/icon.svg/",
    `/${"a".repeat(5_000)}.js`,
  ]) {
    const { status, body } = await web.get(path);
    assert.equal(status, 404, path);
    assert.doesNotMatch(String(body), /^secret$/, path);
  }
});

test("[LISTEN-7] a path inside the client is its page; a missing file is not", async () => {
  await using web = await openWeb();
  for (const path of ["/chat", "/agents/main/overview", "/chat/", "/assets"]) {
    const { status, body } = await web.get(path, HTML);
    assert.deepEqual([status, String(body)], [200, PAGE], path);
  }
  for (const path of ["/assets/gone-1a2b3c4d.js", "/api/nothing", "/ws/nothing"]) {
    const { status, headers } = await web.get(path, HTML);
    assert.deepEqual([status, headers["content-type"]], [404, "application/json"], path);
  }
  assert.equal((await web.get("/chat", { accept: "application/json" })).status, 404);
});

test("[LISTEN-7] what has not changed is not sent again", async () => {
  await using web = await openWeb();
  const first = await web.get("/icon.svg");
  const etag = first.headers.etag ?? "";
  const again = await web.get("/icon.svg", { "if-none-match": etag });
  assert.deepEqual([again.status, again.body.length], [304, 0]);
  assert.equal((await web.get("/icon.svg", { "if-none-match": 'W/"other"' })).status, 200);
  for (const [path, policy] of [
    ["/", "no-cache"],
    ["/icon.svg", "no-cache"],
    ["/assets/app-1a2b3c4d.js", "public, max-age=31536000, immutable"],
  ] as const) {
    assert.equal((await web.get(path)).headers["cache-control"], policy, path);
  }
});

test("[LISTEN-7] a file that lies there packed is sent packed to those who take it", async () => {
  await using web = await openWeb();
  for (const [accepted, encoding, unpack] of [
    ["gzip, deflate, br", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["identity", undefined, (body: Buffer) => body],
  ] as const) {
    const headers = { "accept-encoding": accepted };
    const answer = await web.get("/assets/app-1a2b3c4d.js", headers);
    assert.equal(answer.headers["content-encoding"], encoding, accepted);
    assert.equal(answer.headers.vary, "accept-encoding");
    assert.equal(answer.headers["content-type"], "text/javascript; charset=utf-8");
    assert.equal(String(unpack(answer.body)), APP, accepted);
    assert.equal(
      (await web.get("/icon.svg", headers)).headers["content-encoding"],
      undefined,
      "nothing packed lies beside it",
    );
  }
});

test("[LISTEN-8] a page loads from our origin only and runs no script that was not in it", async () => {
  await using web = await openWeb();
  const { headers } = await web.get("/");
  const policy = String(headers["content-security-policy"]);
  const hash = createHash("sha256").update(SCRIPT).digest("base64");
  assert.ok(policy.includes(`script-src 'self' 'sha256-${hash}';`), policy);
  assert.ok(policy.includes("frame-ancestors 'none'"), policy);
  assert.doesNotMatch(policy, /unsafe-eval|https?:|\*/);
  for (const path of ["/", "/icon.svg"]) {
    const answer = await web.get(path);
    assert.equal(answer.headers["x-content-type-options"], "nosniff", path);
    assert.equal(answer.headers["x-frame-options"], "DENY", path);
    assert.equal(answer.headers["referrer-policy"], "no-referrer", path);
  }
});

test("[LISTEN-7] a web folder without a page is named when starting", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-web-"));
  const { code, stderr } = await runServer(join(folder.path, "home"), ["--web", folder.path]);
  assert.equal(code, 1);
  assert.equal(stderr, `atrium: web: there is no index.html in ${folder.path}\n`);
});

test("[LISTEN-6] a paired device's own token is as good, until it is revoked", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-web-"));
  await writeFile(join(folder.path, "index.html"), "<title>x</title>");
  await using atrium = await openTestAtrium({ args: ["--web", folder.path] });
  await using operator = await atrium.connect();
  const device = createTestDevice();
  const scopes = ["operator.read"];
  await using peer = await atrium.connect({
    scopes,
    device: (challenge) => device.prove(challenge, { token: atrium.token, scopes }),
  });
  const read = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${peer.hello.auth.deviceToken}` };
    return (await fetch(`${atrium.url}control-ui-config.json`, { headers })).status;
  };
  assert.equal(await read(), 200);
  await operator.ask("device.token.revoke", { deviceId: device.id, role: "operator" });
  assert.equal(await read(), 401);
});

test("[LISTEN-6] the web client of OpenClaw is told who answers it, given the token", async () => {
  await using web = await openWeb();
  assert.equal((await web.get("/control-ui-config.json")).status, 401);
  const { status, body } = await web.get("/control-ui-config.json", {
    authorization: `Bearer ${web.token}`,
  });
  assert.equal(status, 200);
  const told = JSON.parse(String(body)) as Record<string, unknown>;
  assert.deepEqual([told["basePath"], told["assistantAgentId"]], ["", "main"]);
});
