/** Browsers that sign in from another machine wait until a person lets them in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { cookieOf, signIn, type BrowserLogin } from "../../kit/browser.ts";
import { introduce, openPeer } from "../../kit/raw-peer.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

const ELSEWHERE = { "x-forwarded-for": "203.0.113.7" };
type At = Pick<TestAtrium, "url" | "wsUrl" | "token">;

async function status({ url }: At, path: string, { headers }: BrowserLogin): Promise<number> {
  const response = await fetch(new URL(path, url), { headers: { ...ELSEWHERE, ...headers } });
  await response.body?.cancel();
  return response.status;
}

async function told({ url }: At, { headers }: BrowserLogin): Promise<unknown> {
  const sent = { headers: { ...ELSEWHERE, ...headers } };
  return (await fetch(new URL("/api/login", url), sent)).json();
}

function comeBy({ url, token }: At, headers: Readonly<Record<string, string>>): Promise<Response> {
  const sent = { ...headers, authorization: `Bearer ${token}` };
  return fetch(new URL("/api/login", url), { method: "POST", headers: sent });
}

/** Whether its sockets are let in. */
async function entersGateway({ wsUrl }: At, { socket }: BrowserLogin): Promise<boolean> {
  const sent = { ...socket, headers: { ...ELSEWHERE, ...socket.headers } };
  await using peer = await openPeer(wsUrl, sent);
  return (await introduce(peer, { scopes: ["operator.approvals"] })).ok === true;
}

async function entersWorld({ wsUrl }: At, { socket }: BrowserLogin): Promise<boolean> {
  const sent = { ...socket, headers: { ...ELSEWHERE, ...socket.headers } };
  await using peer = await openPeer(new URL("/ws/world", wsUrl).href, sent);
  peer.send({ v: 1, type: "hello", id: "h", ts: 1, payload: { protocol_version: 1 } });
  const isIn = peer.first(({ type }) => type === "hello_ack").then(() => true);
  // Awaited here: the socket is closed on the way out.
  return await Promise.race([isIn.catch(() => false), peer.closed.then(() => false)]);
}

test("[LISTEN-15] a login from elsewhere opens nothing until a person lets it in, then all, also after a restart", async () => {
  await withHome(async (home) => {
    const paths = ["/v1/models", "/api/office", "/api/builds", "/api/signals/stream"];
    const browser = await waitsAtFirst(home, paths);
    await using server = await startServer(home);
    assert.equal(await status(server, "/v1/models", browser), 401, "it waits still");
    await using operator = await openPeer(server.wsUrl);
    await introduce(operator, { auth: { token: server.token }, scopes: ["operator.pairing"] });
    const { logins } = await operator.ask("logins.list", {});
    assert.deepEqual([logins[0].id, logins[0].isWaiting], [browser.loginId, true]);
    await operator.ask("logins.approve", { id: browser.loginId });
    assert.equal((await operator.ask("logins.list", {})).logins[0].isWaiting, false);
    assert.deepEqual(await told(server, browser), { isIn: true });
    for (const path of paths) assert.equal(await status(server, path, browser), 200, path);
    assert.equal(await entersGateway(server, browser), true);
    assert.equal(await entersWorld(server, browser), true);
    const again = await operator.request("logins.approve", { id: browser.loginId });
    assert.equal(again.error?.details.reason, "login.missing");
  });
});

/** Signs in at a server that is ended then. */
async function waitsAtFirst(home: string, paths: readonly string[]): Promise<BrowserLogin> {
  await using server = await startServer(home);
  const browser = await signIn(server, { headers: ELSEWHERE });
  for (const path of paths) assert.equal(await status(server, path, browser), 401, path);
  assert.equal(await entersGateway(server, browser), false);
  assert.equal(await entersWorld(server, browser), false);
  const { expiresAtMs, ...said } = (await told(server, browser)) as { expiresAtMs: number };
  assert.deepEqual(said, { isIn: false, isWaiting: true, loginId: browser.loginId });
  assert.ok(expiresAtMs > Date.now() && expiresAtMs <= Date.now() + 15 * 60_000);
  await server.end();
  return browser;
}

test("[LISTEN-15] on this machine a login is in at once", async () => {
  await using atrium = await openTestAtrium();
  const { headers } = await signIn(atrium);
  const response = await fetch(new URL("/v1/models", atrium.url), { headers });
  assert.equal(response.status, 200);
});

test("[LISTEN-15] one that was turned away is told so, opens nothing, and cannot be let in", async () => {
  await using atrium = await openTestAtrium();
  const browser = await signIn(atrium, { headers: ELSEWHERE });
  await using operator = await atrium.connect();
  await operator.ask("logins.revoke", { id: browser.loginId });
  assert.deepEqual(await told(atrium, browser), { isIn: false, isRejected: true });
  assert.equal(await status(atrium, "/v1/models", browser), 401);
  assert.deepEqual((await operator.ask("logins.list", {})).logins, []);
  for (const method of ["logins.approve", "logins.revoke"]) {
    const { error } = await operator.request(method, { id: browser.loginId });
    assert.equal(error?.details.reason, "login.missing", method);
  }
});

test("[LISTEN-15] few wait at a time from a network, also at once; coming again is the same login, and others are not kept out", async () => {
  await using atrium = await openTestAtrium({ trustedProxies: ["127.0.0.0/8"] });
  const first = await signIn(atrium, { headers: ELSEWHERE });
  const again = await comeBy(atrium, { ...ELSEWHERE, ...first.headers });
  assert.equal(again.headers.get("set-cookie"), null);
  const same = (await again.json()) as Record<string, unknown>;
  assert.deepEqual([same["loginId"], same["page"]], [first.loginId, first.page]);
  const many = await Promise.all(Array.from({ length: 12 }, () => comeBy(atrium, ELSEWHERE)));
  assert.equal(many.filter(({ status: code }) => code === 200).length, 2);
  const refused = many.find(({ status: code }) => code === 429);
  assert.equal(refused?.headers.get("retry-after"), "900");
  assert.equal(refused === undefined ? "" : cookieOf(refused), "");
  assert.match((await refused?.text()) ?? "", /login\.crowded/);
  await using operator = await atrium.connect();
  const { logins } = await operator.ask("logins.list", {});
  assert.equal(logins.length, 3);
  // Turning them away makes no room: else one could ask without end.
  for (const { id } of logins) await operator.ask("logins.revoke", { id });
  assert.equal((await comeBy(atrium, ELSEWHERE)).status, 429);
  assert.equal((await comeBy(atrium, { "x-forwarded-for": "203.0.113.8" })).status, 200);
  assert.equal((await comeBy(atrium, {})).status, 200, "this machine");
});
