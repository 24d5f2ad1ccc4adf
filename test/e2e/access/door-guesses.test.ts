/** Someone tries every door with wrong secrets, from the address of someone who has a right one. */
import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { helloOf, openTestSession } from "../../kit/bridge.ts";
import { createTestDevice } from "../../kit/device.ts";
import { introduce, openPeer } from "../../kit/raw-peer.ts";

/** A proxy that nobody named: whoever is behind it is not on this machine. */
const ELSEWHERE = { "x-forwarded-for": "203.0.113.7" };
const LIMITS = { wrongTokenTries: 3, wrongTokenRefillMs: 3_600_000 };

type Answer = "in" | "refused" | "slowed";
type Knock = (atrium: TestAtrium, token: string) => Promise<Answer>;

const http =
  (path: string, method = "GET"): Knock =>
  async ({ url }, token) => {
    const headers = { ...ELSEWHERE, authorization: `Bearer ${token}` };
    const { status } = await fetch(new URL(path, url), { method, headers });
    if (status === 429) return "slowed";
    return status === 401 ? "refused" : "in";
  };

const DOORS: Readonly<Record<string, Knock>> = {
  login: http("/api/login", "POST"),
  models: http("/v1/models"),
  completions: http("/v1/chat/completions", "POST"),
  builds: http("/api/builds"),
  signals: http("/api/signals"),
  world: http("/api/office"),
  tools: http("/tools/invoke", "POST"),
  history: http("/sessions/main/history"),
  metrics: http("/metrics"),
  page: http("/control-ui-config.json"),
  async gateway({ wsUrl }, token) {
    await using peer = await openPeer(wsUrl);
    const { ok, error } = await introduce(peer, { auth: { token } });
    if (ok === true) return "in";
    return error?.details.code === "AUTH_RATE_LIMITED" ? "slowed" : "refused";
  },
  async "world socket"({ wsUrl }, token) {
    await using peer = await openPeer(`${wsUrl}ws/world`);
    const hello = { v: 1, type: "hello", id: "h", ts: 1, payload: { auth: { token } } };
    peer.send({ ...hello, payload: { ...hello.payload, protocol_version: 1 } });
    const first = await Promise.race([peer.first(() => true), peer.closed]);
    if ("type" in first && first.type === "hello_ack") return "in";
    return (await peer.closed).code === 1013 ? "slowed" : "refused";
  },
  async "signals socket"({ wsUrl }, token) {
    await using peer = await openPeer(`${wsUrl}ws/signals`);
    peer.send({ type: "hello", id: "h", auth: { token } });
    const frame = await peer.first(() => true);
    if (frame.type === "welcome") return "in";
    return (await peer.closed).reason.includes("too many") ? "slowed" : "refused";
  },
};

test("[LISTEN-9] guesses at any door slow guesses at every door, and keep nobody out who has the token", async () => {
  const web = await mkdtemp(join(tmpdir(), "atrium-web-"));
  await writeFile(join(web, "index.html"), "<p>hi");
  for (const [door, knock] of Object.entries(DOORS)) {
    await using atrium = await openTestAtrium({ limits: LIMITS, args: ["--web", web] });
    for (let n = 0; n < 3; n++) assert.equal(await knock(atrium, `guess-${n}`), "refused", door);
    for (const [other, knockThere] of Object.entries(DOORS)) {
      assert.equal(await knockThere(atrium, "guess-again"), "slowed", `${door}, then ${other}`);
      assert.equal(await knockThere(atrium, atrium.token), "in", `${door}, then ${other}`);
    }
  }
});

test("[LISTEN-9] a device and a plugin with tokens of their own are not kept out either", async () => {
  await using atrium = await openTestAtrium({ limits: LIMITS });
  const scopes = ["operator.read"];
  const device = createTestDevice();
  const { token } = atrium;
  const prove = (by: string) => (challenge: Parameters<typeof device.prove>[0]) =>
    device.prove(challenge, { token: by, scopes });
  await using first = await atrium.connect({ scopes, device: prove(token) });
  const own = String(first.hello.auth.deviceToken);
  const { session } = openTestSession(atrium.bridge);
  for (let n = 0; n < 5; n++) await DOORS["gateway"]?.(atrium, `guess-${n}`);
  await using again = await atrium.connect({ scopes, auth: { token: own }, device: prove(own) });
  assert.equal(again.hello.type, "hello-ok");
  await using plugin = await openPeer(String(session.env["SYNTHESIS_BRIDGE_URL"]));
  plugin.send(helloOf(session));
  plugin.send({ type: "ping", ts: 1 });
  assert.equal((await plugin.first(({ type }) => type === "pong")).type, "pong");
});

test("[LISTEN-9] the journal says who guesses at which door and how often, in few lines", async () => {
  await using atrium = await openTestAtrium({ limits: LIMITS });
  for (let n = 0; n < 40; n++) await DOORS["metrics"]?.(atrium, `guess-${n}`);
  const [first, second, ...more] = atrium.notes.filter(({ what }) => what === "wrong credentials");
  const about = { what: "wrong credentials", address: "127.0.0.1", door: "metrics" };
  assert.deepEqual(
    [first, second],
    [
      { ...about, count: 1 },
      { ...about, count: 2 },
    ],
  );
  assert.deepEqual(more, []);
  assert.ok(!JSON.stringify(atrium.notes).includes("guess-"));
});
