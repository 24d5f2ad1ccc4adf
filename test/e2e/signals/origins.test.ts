/** Pages of other origins at the signals' paths: what their browser is told, and what counts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { signIn } from "../../kit/browser.ts";
import { signalOf } from "../../kit/signals.ts";

const BOARD = "https://board.example";
const call = () => signalOf("tool_call", { toolName: "look", agentId: "a1" });

function ask(
  { url }: TestAtrium,
  path: string,
  init: Omit<RequestInit, "headers"> & { readonly headers?: Record<string, string> },
): Promise<Response> {
  return fetch(new URL(path, url), init);
}

const corsOf = ({ headers }: Response): readonly string[] =>
  [...headers].filter(([name]) => name.startsWith("access-control-")).map(([name]) => name);

test("[SIG-17] a page of an allowed origin is told that it may ask, and reads the answer", async () => {
  await using atrium = await openTestAtrium({ allowedOrigins: [BOARD] });
  for (const [path, verbs] of [
    ["/api/signal", "POST"],
    ["/api/signals", "GET, HEAD"],
    ["/api/signals/stream", "GET, HEAD"],
    ["/api/signals/visitors", "GET, HEAD"],
  ] as const) {
    const preflight = await ask(atrium, path, {
      method: "OPTIONS",
      headers: {
        origin: BOARD,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
      },
    });
    assert.equal(preflight.status, 204, path);
    assert.equal(preflight.headers.get("access-control-allow-origin"), BOARD);
    assert.equal(preflight.headers.get("access-control-allow-methods"), verbs);
    assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /authorization/);
    assert.match(preflight.headers.get("vary") ?? "", /origin/i);
    assert.equal(preflight.headers.get("access-control-allow-credentials"), null);
    assert.equal(await preflight.text(), "");
  }
  const headers = {
    origin: BOARD,
    authorization: `Bearer ${atrium.token}`,
    "content-type": "application/json",
  };
  const sent = await ask(atrium, "/api/signal", {
    method: "POST",
    headers,
    body: JSON.stringify(call()),
  });
  assert.equal(sent.status, 202);
  assert.equal(sent.headers.get("access-control-allow-origin"), BOARD);
  const bad = await ask(atrium, "/api/signal", { method: "POST", headers, body: "{}" });
  assert.equal(bad.status, 400);
  assert.equal(bad.headers.get("access-control-allow-origin"), BOARD);
  const listening = new AbortController();
  const stream = await ask(atrium, "/api/signals/stream", { headers, signal: listening.signal });
  assert.equal(stream.status, 200);
  assert.equal(stream.headers.get("access-control-allow-origin"), BOARD);
  assert.match(stream.headers.get("vary") ?? "", /origin/i);
  listening.abort();
});

test("[SIG-17] other origins, other paths and requests without an origin are told nothing of the kind", async () => {
  await using atrium = await openTestAtrium({ allowedOrigins: [BOARD] });
  const authorization = `Bearer ${atrium.token}`;
  const asks = { "access-control-request-method": "POST" };
  for (const origin of ["https://evil.example", `${BOARD}.evil.example`, "null", `${BOARD}:444`]) {
    const preflight = await ask(atrium, "/api/signal", {
      method: "OPTIONS",
      headers: { origin, ...asks },
    });
    assert.deepEqual([preflight.status, corsOf(preflight)], [403, []], origin);
    const read = await ask(atrium, "/api/signals", { headers: { origin, authorization } });
    assert.deepEqual([read.status, corsOf(read)], [403, []], origin);
  }
  // The builds are not open to other origins, and neither is anything else.
  const builds = await ask(atrium, "/api/builds", {
    method: "OPTIONS",
    headers: { origin: BOARD, ...asks },
  });
  assert.deepEqual(corsOf(builds), []);
  const plain = await ask(atrium, "/api/signals", { headers: { authorization } });
  assert.deepEqual([plain.status, corsOf(plain)], [200, []]);
  assert.match(plain.headers.get("vary") ?? "", /origin/i);
  const own = await ask(atrium, "/api/signals", {
    headers: { authorization, origin: new URL(atrium.url).origin },
  });
  assert.deepEqual([own.status, corsOf(own)], [200, []]);
});

test("[SIG-17] from another origin only the token counts, never a cookie", async () => {
  await using atrium = await openTestAtrium({ allowedOrigins: [BOARD] });
  for (const cookie of [`atrium=${atrium.token}`, `atrium_session=${atrium.token}; token=x`]) {
    const sent = await ask(atrium, "/api/signal", {
      method: "POST",
      headers: { origin: BOARD, cookie, "content-type": "application/json" },
      body: JSON.stringify(call()),
    });
    assert.equal(sent.status, 401);
    assert.equal(sent.headers.get("access-control-allow-origin"), BOARD);
  }
  // Not even both halves of a login, which open everything to our own page.
  const { headers } = await signIn(atrium);
  const from = async (origin: string): Promise<number> =>
    (await ask(atrium, "/api/signals", { headers: { ...headers, origin } })).status;
  assert.equal(await from(new URL(atrium.url).origin), 200);
  assert.equal(await from(BOARD), 401);
});
