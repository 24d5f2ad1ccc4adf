import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { cookieOf, signIn } from "../../kit/browser.ts";
import { introduce, openPeer } from "../../kit/raw-peer.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

const READ = { scopes: ["operator.read"] };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
type Headers = Readonly<Record<string, string>>;
type At = Pick<TestAtrium, "url" | "wsUrl">;

async function status({ url }: At, path: string, headers: Headers, verb = "GET"): Promise<number> {
  const response = await fetch(new URL(path, url), { headers, method: verb });
  await response.body?.cancel();
  return response.status;
}

async function isIn(at: At, headers: Headers): Promise<unknown> {
  return (await fetch(new URL("/api/login", at.url), { headers })).json();
}

async function login(url: string, token: string): Promise<Response> {
  return fetch(new URL("/api/login", url), { method: "POST", headers: bearer(token) });
}

test("[LISTEN-12] a browser trades the token for a login whose two halves open what the token opens", async () => {
  await using atrium = await openTestAtrium();
  const response = await login(atrium.url, atrium.token);
  const set = response.headers.get("set-cookie") ?? "";
  assert.match(set, /; HttpOnly; SameSite=Strict; Max-Age=/);
  assert.ok(!set.includes(atrium.token));
  const browser = await signIn(atrium);
  const crowded = { ...browser.headers, cookie: `a=b; ${browser.cookie}` };
  assert.equal(await status(atrium, "/v1/models", {}), 401);
  assert.equal(await status(atrium, "/v1/models", crowded), 200);
  assert.deepEqual(await isIn(atrium, browser.headers), { isIn: true });
  const out = await fetch(new URL("/api/logout", atrium.url), {
    method: "POST",
    headers: browser.headers,
  });
  assert.match(out.headers.get("set-cookie") ?? "", /=; .*Max-Age=0/);
  assert.equal(await status(atrium, "/v1/models", browser.headers), 401);
  assert.deepEqual(await isIn(atrium, browser.headers), { isIn: false, isOutdated: true });
});

test("[LISTEN-12] a wrong token gets no cookie and, after a few, no more tries", async () => {
  await using atrium = await openTestAtrium();
  const answers = [];
  for (let n = 0; n < 12; n++) answers.push(await login(atrium.url, `guess-${n}`));
  assert.equal(answers[0]?.status, 401);
  assert.equal(answers.at(-1)?.status, 429);
  for (const answer of answers) assert.equal(answer.headers.get("set-cookie"), null);
});

test("servers with other tokens use other cookies", async () => {
  await using one = await openTestAtrium();
  await using other = await openTestAtrium();
  const name = async ({ url, token }: TestAtrium) =>
    cookieOf(await login(url, token)).split("=")[0];
  assert.notEqual(await name(one), await name(other));
});

/** What a program on another port of the host can have of a browser: its cookie, and nothing else. */
test("[LISTEN-13] a cookie that was caught opens nothing, at any door", async () => {
  await using atrium = await openTestAtrium();
  const mine = await signIn(atrium);
  const other = await signIn(atrium);
  const tries: readonly Headers[] = [
    { cookie: mine.cookie },
    { cookie: mine.cookie, "x-atrium-page": "guess" },
    { cookie: mine.cookie, "x-atrium-page": other.page },
    { cookie: other.cookie, "x-atrium-page": mine.page },
    { "x-atrium-page": mine.page },
    { cookie: `${mine.cookie.split(".")[0]}.guess`, "x-atrium-page": mine.page },
  ];
  const paths = [
    ["/api/builds"],
    ["/api/office"],
    ["/api/signals/stream"],
    ["/v1/models"],
    ["/tools/invoke", "POST"],
  ] as const;
  for (const headers of tries) {
    for (const [path, verb] of paths) {
      const answer = await status(atrium, path, headers, verb);
      assert.ok(answer === 401 || answer === 429, `${path} ${answer}`);
    }
    const { "x-atrium-page": page, ...rest } = headers;
    const protocols = page === undefined ? [] : ["atrium", `atrium.page.${page}`];
    const socket = { headers: rest, protocols };
    await using gateway = await openPeer(atrium.wsUrl, socket);
    assert.equal((await introduce(gateway, READ)).ok, false);
    await using world = await openPeer(`${atrium.wsUrl}ws/world`, socket);
    world.send({ v: 1, type: "hello", id: "h", ts: 1, payload: { protocol_version: 1 } });
    assert.ok([4501, 1013].includes((await world.closed).code));
    await using signals = await openPeer(`${atrium.wsUrl}ws/signals`, socket);
    signals.send({ type: "hello", id: "h" });
    assert.equal((await signals.closed).code, 1008);
  }
  assert.equal(await status(atrium, "/v1/models", mine.headers), 200);
});

test("[LISTEN-14] logins are listed and named; one that is put out is out at once, the others stay", async () => {
  await using atrium = await openTestAtrium();
  const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  const lost = await signIn(atrium, { headers: { "user-agent": agent } });
  const kept = await signIn(atrium);
  await using operator = await atrium.connect();
  const list = async () => (await operator.ask("logins.list", {})).logins;
  const [first, second, ...more] = await list();
  assert.deepEqual(
    [first.id, first.name, first.userAgent, first.address, first.isCurrent],
    [lost.loginId, "Firefox on Linux", agent, "127.0.0.1", false],
  );
  assert.deepEqual([second.id, more], [kept.loginId, []]);
  assert.ok(first.createdAtMs <= first.lastSeenAtMs && first.lastSeenAtMs < first.expiresAtMs);
  await operator.ask("logins.rename", { id: lost.loginId, name: "The lost phone" });
  assert.equal((await list())[0].name, "The lost phone");

  await using gateway = await openPeer(atrium.wsUrl, lost.socket);
  assert.equal((await introduce(gateway, { scopes: ["operator.pairing"] })).ok, true);
  assert.equal((await gateway.ask("logins.list", {})).logins[0].isCurrent, true);
  await using world = await openPeer(`${atrium.wsUrl}ws/world`, lost.socket);
  world.send({ v: 1, type: "hello", id: "h", ts: 1, payload: { protocol_version: 1 } });
  await world.first(({ type }) => type === "hello_ack");
  await using other = await openPeer(atrium.wsUrl, kept.socket);
  await introduce(other, READ);
  const streamUrl = new URL("/api/signals/stream", atrium.url);
  const stream = await fetch(streamUrl, { headers: lost.headers });
  assert.equal(stream.status, 200);

  await operator.ask("logins.revoke", { id: lost.loginId });
  assert.deepEqual(await gateway.closed, { code: 4001, reason: "signed out" });
  assert.equal((await world.closed).code, 4001);
  await assert.rejects(stream.text());
  assert.equal(await status(atrium, "/v1/models", lost.headers), 401);
  assert.equal(await status(atrium, "/v1/models", kept.headers), 200);
  assert.equal((await other.request("health", {})).ok, true);
  const again = await operator.request("logins.revoke", { id: lost.loginId });
  assert.equal(again.error?.details.reason, "login.missing");
});

test("[LISTEN-14] a login outlives a restart, is in the home as digests alone, and ends with the token", async () => {
  await withHome(async (home) => {
    const before = await startServer(home);
    const browser = await signIn(before);
    assert.equal(await status(before, "/v1/models", browser.headers), 200);
    await before.end();
    const after = await startServer(home);
    assert.equal(await status(after, "/v1/models", browser.headers), 200);
    await after.end();
    const [, secret = ""] = browser.cookie.split(".");
    for (const name of await readdir(home, { recursive: true })) {
      const text = await readFile(join(home, name), "latin1").catch(() => "");
      assert.ok(!text.includes(secret) && !text.includes(browser.page), name);
    }
    await using changed = await startServer(home, {
      args: ["--token", "another-token-altogether"],
    });
    assert.equal(await status(changed, "/v1/models", browser.headers), 401);
  });
});

test("[LISTEN-12] over TLS the cookie is Secure and of this host alone; who says it is TLS must be named", async () => {
  const headers = { "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
  const cookieFrom = async (atrium: TestAtrium): Promise<string> => {
    const sent = { ...headers, ...bearer(atrium.token) };
    const response = await fetch(new URL("/api/login", atrium.url), {
      method: "POST",
      headers: sent,
    });
    return response.headers.get("set-cookie") ?? "";
  };
  await using named = await openTestAtrium({ trustedProxies: ["127.0.0.1", "::1"] });
  const secure = await cookieFrom(named);
  assert.match(secure, /^__Host-atrium_\w+=.*; Path=\/; HttpOnly; SameSite=Strict; Secure; /);
  const browser = await signIn(named, { headers });
  await using operator = await named.connect();
  await operator.ask("logins.approve", { id: browser.loginId });
  assert.equal(await status(named, "/v1/models", { ...headers, ...browser.headers }), 200);
  await using unnamed = await openTestAtrium();
  const plain = await cookieFrom(unnamed);
  assert.ok(plain.startsWith("atrium_") && !plain.includes("Secure"));
});

test("[LISTEN-12] a ticket opens one path, once, and only with the cookie", async () => {
  await using atrium = await openTestAtrium();
  const browser = await signIn(atrium);
  const other = await signIn(atrium);
  const ticketFor = async (path: string): Promise<string> => {
    const response = await fetch(new URL("/api/ticket", atrium.url), {
      method: "POST",
      headers: { ...browser.headers, "content-type": "application/json" },
      body: JSON.stringify({ path }),
    });
    return ((await response.json()) as { ticket: string }).ticket;
  };
  const cookie = { cookie: browser.cookie };
  const ticket = await ticketFor("/api/office");
  assert.equal(await status(atrium, `/api/office?ticket=${ticket}`, cookie), 200);
  assert.equal(await status(atrium, `/api/office?ticket=${ticket}`, cookie), 401);
  const elsewhere = await ticketFor("/api/office");
  assert.equal(await status(atrium, `/api/builds?ticket=${elsewhere}`, cookie), 401);
  assert.equal(await status(atrium, `/api/office?ticket=${elsewhere}`, cookie), 401, "used up");
  const caught = await ticketFor("/api/office");
  const theirs = { cookie: other.cookie };
  assert.equal(await status(atrium, `/api/office?ticket=${caught}`, theirs), 401);
  const bare = await ticketFor("/api/office");
  assert.equal(await status(atrium, `/api/office?ticket=${bare}`, {}), 401);
  const refused = await fetch(new URL("/api/ticket", atrium.url), {
    method: "POST",
    headers: cookie,
  });
  assert.equal(refused.status, 401);
});

test("[LISTEN-13] the cookie of the version before is void, and the page is told to sign in again", async () => {
  await using atrium = await openTestAtrium();
  const derive = (purpose: string): string =>
    createHmac("sha256", atrium.token).update(purpose).digest("base64url");
  const name = derive("browser cookie")
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, 8);
  const cookie = `atrium_${name}=${derive("browser pass")}`;
  assert.equal(await status(atrium, "/v1/models", { cookie }), 401);
  assert.deepEqual(await isIn(atrium, { cookie }), { isIn: false, isOutdated: true });
  assert.deepEqual(await isIn(atrium, {}), { isIn: false });
});

test("[PAGE-13] a browser's login lets it in at the gateway, and a wrong one does not", async () => {
  await using atrium = await openTestAtrium();
  const browser = await signIn(atrium);
  await using peer = await openPeer(atrium.wsUrl, browser.socket);
  assert.equal((await introduce(peer, READ)).ok, true);
  assert.ok(Array.isArray(await peer.ask("sessions.list", {}).then(({ sessions }) => sessions)));
  const { headers, protocols } = browser.socket;
  const [id = ""] = browser.cookie.split(".");
  for (const wrong of [
    { headers: { cookie: `${id}.guessed` }, protocols },
    { headers, protocols: ["atrium", "atrium.page.guessed"] },
    { headers },
  ]) {
    await using other = await openPeer(atrium.wsUrl, wrong);
    const refused = await introduce(other, READ);
    assert.equal(refused.error?.details?.code, "AUTH_TOKEN_MISMATCH", JSON.stringify(wrong));
  }
  await using stranger = await atrium.open();
  assert.equal((await introduce(stranger, {})).ok, false);
});

test("[PAGE-13] a token that is sent is what counts, whatever the login is", async () => {
  await using atrium = await openTestAtrium();
  const browser = await signIn(atrium);
  await using peer = await openPeer(atrium.wsUrl, browser.socket);
  const { error } = await introduce(peer, { auth: { token: "wrong" } });
  assert.equal(error?.details?.code, "AUTH_TOKEN_MISMATCH");
});
