/** Every path of ours asks for the same manners, and says no in the same way. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { signalOf } from "../../kit/signals.ts";

interface Knock {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** By Node's own client, which sends a path, a header and a body as they are given. */
function knock(atrium: TestAtrium, path: string, { method = "GET", headers, body }: Knock = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const known = { authorization: `Bearer ${atrium.token}`, ...headers };
    const asking = request({ port: atrium.port, path, method, headers: known }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    asking.on("error", reject).on("upgrade", (_answer, socket) => socket.destroy());
    asking.end(body);
  });
}

const JSON_KIND = { "content-type": "application/json" };
const POSTS = [
  ["/api/builds", JSON.stringify({ prompt: "A bot [[hang]]" })],
  ["/api/signal", JSON.stringify(signalOf("x.y", {}))],
] as const;
const GETS = [
  "/api/builds",
  "/api/signals",
  "/api/signals/visitors",
  "/api/world/at",
  "/api/world/events",
  "/api/world/scene",
  "/api/office",
] as const;

test("[BUILD-23] a body is taken that is JSON, says so or says nothing, and is neither packed nor broken", async () => {
  await using atrium = await openTestAtrium();
  for (const [path, good] of POSTS) {
    const kinds = async (headers: Readonly<Record<string, string>>, body: Knock["body"] = good) => {
      const { status, text } = await knock(atrium, path, { method: "POST", headers, body });
      return status < 300 ? status : `${status} ${(JSON.parse(text) as Said).error?.code}`;
    };
    const taken = path === "/api/builds" ? 201 : 202;
    assert.equal(await kinds(JSON_KIND), taken, path);
    assert.equal(await kinds({ "content-type": "application/json; charset=utf-8" }), taken, path);
    assert.equal(await kinds({}), taken, path);
    assert.equal(await kinds({ "content-type": "text/plain" }), "415 body.foreign", path);
    const packed = { ...JSON_KIND, "content-encoding": "gzip" };
    assert.equal(await kinds(packed), "415 body.foreign", path);
    const broken = Buffer.from(good.replace(/A bot|x\.y/, "\u00ff"), "latin1");
    assert.equal(await kinds(JSON_KIND, broken), "400 body.unreadable", path);
  }
});

interface Said {
  readonly error?: { readonly code: string; readonly message: string };
}

test("[BUILD-23] a query has what the path knows and nothing else, and the answer names it", async () => {
  await using atrium = await openTestAtrium();
  for (const path of [...GETS, "/api/signals/stream", "/api/builds/x/events"]) {
    const { status, text } = await knock(atrium, `${path}?foo=1`);
    assert.equal(status, 400, path);
    const { error } = JSON.parse(text) as Said;
    assert.equal(error?.code, "params.invalid", path);
    assert.match(error?.message ?? "", /Unknown query parameter foo/, path);
  }
});

test("[BUILD-23] HEAD is GET without a body, and a slash too many leads to the same place", async () => {
  await using atrium = await openTestAtrium();
  for (const path of GETS) {
    const read = await knock(atrium, path);
    assert.equal(read.status, 200, path);
    const head = await knock(atrium, path, { method: "HEAD" });
    const kinds = [read, head].map(({ headers }) => headers["content-type"]);
    assert.deepEqual([head.status, head.text, kinds[1]], [200, "", kinds[0]], path);
    for (const other of [`${path}/`, `/${path}`, `//${path}//`]) {
      assert.equal((await knock(atrium, other)).status, 200, other);
    }
    const verb = await knock(atrium, path, { method: "DELETE" });
    assert.deepEqual([verb.status, verb.headers.allow?.startsWith("GET, HEAD")], [405, true], path);
  }
  const made = await knock(atrium, "/api/builds", { method: "POST", body: POSTS[0][1] });
  const { id } = JSON.parse(made.text) as { readonly id: string };
  for (const path of [`/api/builds/${id}`, `/api/builds/${id}/events`, "/api/signals/stream"]) {
    const head = await knock(atrium, path, { method: "HEAD" });
    assert.deepEqual([head.status, head.text], [200, ""], path);
  }
});

test("[BUILD-18] every no over HTTP has a code that docs/errors.md lists, and a message", async () => {
  await using atrium = await openTestAtrium();
  const docs = await readFile(new URL("../../../docs/errors.md", import.meta.url), "utf8");
  const listed = new Set(Array.from(docs.matchAll(/^\| `([^`]+)` \|/gm), ([, code]) => code));
  const upgrade = { connection: "upgrade", upgrade: "websocket" };
  const key = { "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==", "sec-websocket-version": "13" };
  const many = JSON.stringify(Array.from({ length: 2_001 }, () => ({})));
  const knocks: readonly (readonly [string, string, Knock])[] = [
    ["404 path.unknown", "/api/nothing", {}],
    ["404 path.unknown", "/ws/nothing", { headers: { ...upgrade, ...key } }],
    ["403 host.foreign", "/api/builds", { headers: { host: "evil.example" } }],
    ["403 origin.foreign", "/api/builds", { headers: { origin: "https://evil.example" } }],
    [
      "403 origin.foreign",
      "/",
      { headers: { ...upgrade, ...key, origin: "https://evil.example" } },
    ],
    ["401 unauthorized", "/api/builds", { headers: { authorization: "Bearer wrong" } }],
    ["401 unauthorized", "/api/login", { method: "POST", headers: { authorization: "Bearer no" } }],
    ["405 verb.unknown", "/api/builds", { method: "PUT" }],
    ["405 verb.unknown", "/", { method: "DELETE" }],
    ["400 body.unreadable", "/api/builds", { method: "POST", headers: JSON_KIND, body: "{" }],
    [
      "415 body.foreign",
      "/api/signal",
      { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" },
    ],
    ["413 signals.many", "/api/signal", { method: "POST", headers: JSON_KIND, body: many }],
    ["400 signals.none", "/api/signal", { method: "POST", headers: JSON_KIND, body: "[]" }],
    ["404 build.missing", "/api/builds/none", {}],
    ["400 request.empty", "/api/builds", { method: "POST", body: '{"prompt":" "}' }],
  ];
  for (const [expected, path, how] of knocks) {
    const { status, text } = await knock(atrium, path, how);
    const { error } = JSON.parse(text) as Said;
    assert.equal(`${status} ${error?.code}`, expected, text);
    assert.ok(listed.has(error?.code ?? ""), expected);
    assert.ok((error?.message ?? "") !== "", expected);
  }
  const blank = await knock(atrium, "/api/builds", { method: "POST", body: '{"prompt":" "}' });
  assert.match(blank.text, /the prompt is blank/);
});
