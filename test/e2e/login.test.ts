import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../kit/atrium.ts";
import { introduce, openPeer } from "../kit/raw-peer.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function login(url: string, token: string): Promise<Response> {
  return fetch(new URL("/api/login", url), { method: "POST", headers: bearer(token) });
}

function cookieOf(response: Response): string {
  return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

test("[LISTEN-30] a browser trades the token for a cookie that opens what the token opens", async () => {
  await using atrium = await openTestAtrium();
  const response = await login(atrium.url, atrium.token);
  assert.equal(response.status, 204);
  const set = response.headers.get("set-cookie") ?? "";
  assert.match(set, /; HttpOnly; SameSite=Strict; /);
  assert.ok(!set.includes(atrium.token));
  const models = new URL("/v1/models", atrium.url);
  assert.equal((await fetch(models)).status, 401);
  assert.equal(
    (await fetch(models, { headers: { cookie: `a=b; ${cookieOf(response)}` } })).status,
    200,
  );
  const isIn = await fetch(new URL("/api/login", atrium.url), {
    headers: { cookie: cookieOf(response) },
  });
  assert.deepEqual(await isIn.json(), { isIn: true });
  const out = await fetch(new URL("/api/logout", atrium.url), { method: "POST" });
  assert.match(out.headers.get("set-cookie") ?? "", /=; .*Max-Age=0/);
});

test("[LISTEN-30] a wrong token gets no cookie and, after a few, no more tries", async () => {
  await using atrium = await openTestAtrium();
  const answers = [];
  for (let n = 0; n < 12; n++) {
    answers.push(await login(atrium.url, `guess ${n}`.replace(" ", "-")));
  }
  assert.equal(answers[0]?.status, 401);
  assert.equal(answers.at(-1)?.status, 429);
  for (const answer of answers) assert.equal(answer.headers.get("set-cookie"), null);
});

test("[LISTEN-31] servers with other tokens use other cookies", async () => {
  await using one = await openTestAtrium();
  await using other = await openTestAtrium();
  const [a, b] = [await login(one.url, one.token), await login(other.url, other.token)];
  const name = (response: Response) => cookieOf(response).split("=")[0];
  assert.notEqual(name(a), name(b));
});

test("[WEB-120] a browser's cookie lets it in at the gateway, and a wrong one does not", async () => {
  await using atrium = await openTestAtrium();
  const cookie = cookieOf(await login(atrium.url, atrium.token));
  await using peer = await openPeer(atrium.wsUrl, { headers: { cookie } });
  const { ok } = await introduce(peer, { scopes: ["operator.read"] });
  assert.equal(ok, true);
  assert.ok(Array.isArray(await peer.ask("sessions.list", {}).then(({ sessions }) => sessions)));
  const [name = ""] = cookie.split("=");
  await using other = await openPeer(atrium.wsUrl, { headers: { cookie: `${name}=guessed` } });
  const refused = await introduce(other, {});
  assert.equal(refused.error?.details?.code, "AUTH_TOKEN_MISMATCH");
  await using stranger = await atrium.open();
  assert.equal((await introduce(stranger, {})).ok, false);
});

test("[WEB-120] a token that is sent is what counts, whatever the cookie is", async () => {
  await using atrium = await openTestAtrium();
  const cookie = cookieOf(await login(atrium.url, atrium.token));
  await using peer = await openPeer(atrium.wsUrl, { headers: { cookie } });
  const { error } = await introduce(peer, { auth: { token: "wrong" } });
  assert.equal(error?.details?.code, "AUTH_TOKEN_MISMATCH");
});
