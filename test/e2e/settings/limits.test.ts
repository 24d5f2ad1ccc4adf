/**
 * Limits that change while the server runs. Each server starts with a limit under which what is waited for would not
 * happen, and whatever the limit is about is there before it changes, so that a copy of the old one would show.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { SETTINGS } from "@atrium/server/settings";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { openTestSession, plugIn } from "../../kit/bridge.ts";
import { createTestDevice } from "../../kit/device.ts";
import { openaiClient, saying } from "../../kit/openai.ts";
import { introduce, openPeer, type Connected } from "../../kit/raw-peer.ts";
import { askSettings } from "../../kit/settings.ts";
import { signalOf } from "../../kit/signals.ts";
import { codeOf, enterWorld, openWorldPeer } from "../../kit/world-peer.ts";

type Limits = Readonly<Record<string, number>>;

interface Stage {
  readonly atrium: TestAtrium;
  readonly peer: Connected;
  readonly set: (limits: Limits) => Promise<void>;
}

interface Change {
  /** Where the default would do already. */
  readonly before?: Limits;
  readonly see: (stage: Stage) => Promise<void>;
  /** What is reported meanwhile. */
  readonly faults?: readonly string[];
}

const HOUR_MS = 3_600_000;
/** What the effect of the others is seen in, or is not seen without a clock: it is read in the same way. */
const UNSEEN = ["maxTurns", "worldSnapshotHz", "buildSilenceMs", "closeGraceMs", "maxStallMs"];

async function patch(peer: Connected, settings: object): Promise<void> {
  await peer.ask("config.patch", { raw: JSON.stringify(settings) });
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function guess({ url }: TestAtrium, from?: string): Promise<Response> {
  const proxied = from === undefined ? {} : { "x-forwarded-for": from };
  return fetch(`${url}api/settings`, { headers: { ...bearer("wrong"), ...proxied } });
}

async function signal({ url, token }: TestAtrium, text = "x"): Promise<number> {
  const { status } = await fetch(`${url}api/signal`, {
    method: "POST",
    headers: { ...bearer(token), "content-type": "application/json" },
    body: JSON.stringify(signalOf("text_delta", { agentId: "a1", content: text })),
  });
  return status;
}

async function nextChunk({ url, token }: TestAtrium): Promise<string> {
  const response = await fetch(`${url}api/signals/stream`, { headers: bearer(token) });
  const reader = response.body?.getReader();
  const chunk = await reader?.read();
  await reader?.cancel();
  return Buffer.from(chunk?.value ?? []).toString();
}

/** Says how long its body is and sends none of it. */
async function startBody({ port, token }: TestAtrium): Promise<number | undefined> {
  const headers = { ...bearer(token), "content-type": "application/json", "content-length": "10" };
  const asked = request({ port, path: "/api/settings", method: "PATCH", headers });
  asked.flushHeaders();
  const [response] = await once(asked, "response");
  asked.destroy();
  return response.statusCode;
}

const say = (peer: Connected, message: string, more: object = {}) =>
  peer.request("chat.send", { sessionKey: "main", message, idempotencyKey: message, ...more });

const file = (fileName: string) => ({ fileName, content: "QUFBQUFBQUFBQUFB" });

const failed = (peer: Connected) =>
  peer.next(({ event, payload }) => event === "chat" && payload.state === "error");

const CHANGES: Readonly<Record<string, Change>> = {
  maxPayloadBytes: {
    async see({ atrium, set }) {
      await set({ maxPayloadBytes: 100_000 });
      await using peer = await atrium.connect();
      assert.equal(peer.hello.policy.maxPayload, 100_000);
      peer.send({ type: "req", id: "1", method: "health", params: "x".repeat(150_000) });
      assert.equal((await peer.closed).code, 1009);
    },
  },
  maxBufferedBytes: {
    async see({ atrium, set }) {
      await set({ maxBufferedBytes: 54_321 });
      await using peer = await atrium.connect();
      assert.equal(peer.hello.policy.maxBufferedBytes, 54_321);
    },
  },
  maxStrangerBytes: {
    async see({ atrium, set }) {
      await using stranger = await atrium.open();
      await set({ maxStrangerBytes: 1_000 });
      stranger.sendText("x".repeat(2_000));
      assert.equal((await stranger.closed).reason, "too much before connect");
    },
  },
  lobbySeats: {
    async see({ atrium, set }) {
      await using first = await atrium.open();
      await using second = await atrium.open();
      await set({ lobbySeats: 1 });
      await using _third = await atrium.open();
      for (const each of [first, second]) {
        assert.match((await each.closed).reason, /too many sockets/);
      }
    },
  },
  handshakeTimeoutMs: {
    before: { handshakeTimeoutMs: HOUR_MS },
    async see({ atrium, set }) {
      await using stranger = await atrium.open();
      await set({ handshakeTimeoutMs: 50 });
      assert.equal((await stranger.closed).reason, "handshake timeout");
    },
  },
  pingIntervalMs: {
    before: { pingIntervalMs: HOUR_MS },
    async see({ atrium, set }) {
      await using silent = await openPeer(atrium.wsUrl, { autoPong: false });
      await set({ pingIntervalMs: 500 });
      assert.equal((await silent.closed).code, 1006);
    },
  },
  tickIntervalMs: {
    before: { tickIntervalMs: HOUR_MS },
    async see({ peer, set }) {
      const ticked = peer.event("tick");
      await set({ tickIntervalMs: 50 });
      await ticked;
    },
  },
  healthIntervalMs: {
    before: { healthIntervalMs: HOUR_MS },
    async see({ peer, set }) {
      const told = peer.event("health");
      await set({ healthIntervalMs: 50 });
      await told;
    },
  },
  wrongTokenTries: {
    before: { wrongTokenRefillMs: HOUR_MS },
    async see({ atrium, set }) {
      assert.equal((await guess(atrium)).status, 401);
      await set({ wrongTokenTries: 2 });
      await guess(atrium);
      await guess(atrium);
      assert.ok(Number((await guess(atrium)).headers.get("retry-after")) > 1_000);
    },
  },
  wrongTokenRefillMs: {
    before: { wrongTokenTries: 1, wrongTokenRefillMs: HOUR_MS },
    async see({ atrium, set }) {
      await guess(atrium);
      await set({ wrongTokenRefillMs: 10_000 });
      assert.ok(Number((await guess(atrium)).headers.get("retry-after")) <= 10);
    },
  },
  turnTimeoutMs: {
    before: { turnTimeoutMs: HOUR_MS },
    async see({ peer, set }) {
      await set({ turnTimeoutMs: 50 });
      const ended = failed(peer);
      await say(peer, "[[hang]]");
      assert.match((await ended).payload.errorMessage, /took longer than/);
    },
  },
  answerTimeoutMs: {
    async see({ peer, set }) {
      await set({ answerTimeoutMs: 60_000 });
      const asked = peer.event("question.requested");
      await say(peer, "[[ask: Which?]]");
      const { id } = (await asked).payload;
      const { questions } = await peer.ask("question.list", {});
      const open = questions.find((each: { id: string }) => each.id === id);
      // The deadline is set just before the question is written down.
      const untilMs = open.expiresAtMs - open.createdAtMs;
      assert.ok(untilMs > 30_000 && untilMs <= 60_000, JSON.stringify(open));
    },
  },
  clientCallTimeoutMs: {
    before: { clientCallTimeoutMs: HOUR_MS },
    async see({ atrium, peer, set }) {
      await set({ clientCallTimeoutMs: 20 });
      const ended = failed(peer);
      const weather = { name: "weather", parameters: { type: "object" } };
      await openaiClient(atrium).chat.completions.create({
        ...saying('[[tool: weather {"city":"Oslo"}]]'),
        tools: [{ type: "function", function: weather }],
      });
      assert.match((await ended).payload.errorMessage, /did not answer within/);
    },
  },
  maxFileBytes: {
    async see({ peer, set }) {
      await set({ maxFileBytes: 10 });
      const { error } = await say(peer, "x", { attachments: [file("a")] });
      assert.match(error?.message ?? "", /limit is 10/);
    },
  },
  maxFiles: {
    async see({ peer, set }) {
      await set({ maxFiles: 1 });
      assert.equal((await say(peer, "x", { attachments: [file("a"), file("b")] })).ok, false);
    },
  },
  pairingRequestMs: {
    before: { pairingRequestMs: HOUR_MS },
    async see({ atrium, peer, set }) {
      await set({ pairingRequestMs: 50 });
      const expired = peer.next(({ payload }) => payload?.decision === "expired");
      const { token } = atrium;
      const scopes = ["operator.read"];
      await using far = await openPeer(atrium.wsUrl, {
        headers: { "x-forwarded-for": "203.0.113.7" },
      });
      await introduce(far, {
        role: "operator",
        scopes,
        auth: { token },
        device: (challenge) => createTestDevice().prove(challenge, { token, scopes }),
      });
      await expired;
    },
  },
  maxBodyBytes: {
    async see({ atrium, set }) {
      await set({ maxBodyBytes: 1_000 });
      const patched = { $schema: "x".repeat(2_000) };
      assert.equal((await askSettings(atrium, "PATCH", "", { patch: patched })).status, 413);
    },
  },
  bodyTimeoutMs: {
    before: { bodyTimeoutMs: HOUR_MS },
    async see({ atrium, set }) {
      await set({ bodyTimeoutMs: 50 });
      assert.equal(await startBody(atrium), 408);
    },
  },
  keepAliveMs: {
    before: { keepAliveMs: HOUR_MS },
    async see({ atrium, set }) {
      await set({ keepAliveMs: 50 });
      assert.match(await nextChunk(atrium), /^: keep-alive/);
    },
  },
  bridgeBuffer: {
    faults: ["the oldest message for a plugin that is away was dropped"],
    async see({ atrium, set }) {
      const { session, say: deliver } = openTestSession(atrium.bridge);
      await set({ bridgeBuffer: 1 });
      deliver("m1", "m2");
      await using plugin = await plugIn(session, { answersPings: true });
      await plugin.settled();
      assert.deepEqual(plugin.messages(), ["m2"]);
    },
  },
  bridgePingIntervalMs: {
    before: { bridgePingIntervalMs: HOUR_MS },
    async see({ atrium, set }) {
      const { session } = openTestSession(atrium.bridge);
      await set({ bridgePingIntervalMs: 20 });
      await using silent = await plugIn(session);
      assert.equal((await silent.closed).code, 4408);
    },
  },
  bridgeToolTimeoutMs: {
    before: { bridgeToolTimeoutMs: HOUR_MS },
    async see({ atrium, set }) {
      const { session } = openTestSession(atrium.bridge, {
        callTool: () => new Promise(() => undefined),
      });
      await using plugin = await plugIn(session);
      await set({ bridgeToolTimeoutMs: 10 });
      plugin.send({ type: "tool_call", call_id: "c1", tool: "echo", args: {} });
      assert.match((await plugin.take("tool_result")).error, /did not finish/);
    },
  },
  worldReplayEntries: {
    before: { worldReplayEntries: 0 },
    async see({ atrium, set }) {
      await using world = await enterWorld(atrium);
      const { seq, epoch } = world.messages[0]?.payload ?? {};
      await world.ask("submit_request", { text: "A page" });
      await world.event("kickoff_finished");
      const resume = { last_seq: seq, epoch };
      const back = async (): Promise<string> => {
        await using peer = await openWorldPeer(atrium.wsUrl, atrium.token);
        return (await peer.hello({ resume })).payload.resume.status;
      };
      assert.equal(await back(), "unsupported");
      // What happened before the change is kept too.
      await set({ worldReplayEntries: 10_000 });
      assert.equal(await back(), "resumed");
    },
  },
  worldSilenceMs: {
    before: { worldSilenceMs: HOUR_MS },
    async see({ atrium, set }) {
      await set({ worldSilenceMs: 300 });
      await using world = await enterWorld(atrium);
      assert.equal((await world.closed).reason, "nothing heard for too long");
    },
  },
  worldCommandBurst: {
    before: { worldCommandRefillMs: HOUR_MS },
    async see({ atrium, set }) {
      await using world = await enterWorld(atrium);
      await set({ worldCommandBurst: 1 });
      const asked = { project_id: "proj_x" };
      assert.equal(codeOf(await world.command("auto_assign", asked)), "NOT_FOUND");
      assert.equal(codeOf(await world.command("auto_assign", asked)), "RATE_LIMITED");
    },
  },
  worldCommandRefillMs: {
    before: { worldCommandBurst: 1, worldCommandRefillMs: HOUR_MS },
    async see({ atrium, set }) {
      await using world = await enterWorld(atrium);
      const ask = async () => codeOf(await world.command("auto_assign", { project_id: "proj_x" }));
      await ask();
      assert.equal(await ask(), "RATE_LIMITED");
      await set({ worldCommandRefillMs: 1 });
      assert.equal(await ask(), "NOT_FOUND");
    },
  },
  worldPlayerPosBurst: {
    before: { worldPlayerPosRefillMs: HOUR_MS },
    async see({ atrium, set }) {
      await using world = await enterWorld(atrium);
      await set({ worldPlayerPosBurst: 1 });
      assert.equal(codeOf(await world.command("player_pos", { pos: [0, 0, 0] })), "ok");
      assert.equal(codeOf(await world.command("player_pos", { pos: [1, 0, 0] })), "RATE_LIMITED");
    },
  },
  worldPlayerPosRefillMs: {
    before: { worldPlayerPosBurst: 1, worldPlayerPosRefillMs: HOUR_MS },
    async see({ atrium, set }) {
      await using world = await enterWorld(atrium);
      await world.command("player_pos", { pos: [0, 0, 0] });
      assert.equal(codeOf(await world.command("player_pos", { pos: [1, 0, 0] })), "RATE_LIMITED");
      await set({ worldPlayerPosRefillMs: 1 });
      assert.equal(codeOf(await world.command("player_pos", { pos: [1, 0, 0] })), "ok");
    },
  },
  signalsPerSecond: {
    async see({ atrium, set }) {
      assert.equal(await signal(atrium), 202);
      await set({ signalsPerSecond: 1 });
      assert.equal(await signal(atrium), 202);
      assert.equal(await signal(atrium), 429);
    },
  },
  maxSignalBytes: {
    async see({ atrium, set }) {
      await set({ maxSignalBytes: 1_000 });
      assert.equal(await signal(atrium, "x".repeat(2_000)), 413);
    },
  },
};

for (const [name, { before, see, faults = [] }] of Object.entries(CHANGES)) {
  test(`[SET-20] limits.${name} is in effect with the patch that changes it`, async () => {
    await using atrium = await openTestAtrium({ settings: { limits: before ?? {} } });
    await using peer = await atrium.connect();
    await see({ atrium, peer, set: (limits) => patch(peer, { limits }) });
    assert.deepEqual(
      atrium.faults.map(({ message }) => message),
      faults,
    );
  });
}

test("[SET-20] every limit can be changed, is shown as it is, and is written down", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const names = Object.keys(SETTINGS.limits.members ?? {});
  assert.deepEqual(
    names.filter((name) => CHANGES[name] === undefined && !UNSEEN.includes(name)),
    [],
    "a new limit needs a row",
  );
  const { config } = await peer.ask("config.get", {});
  // As large as they were, so that nobody is thrown out in between.
  const next = (name: string): number => config.limits[name] + (name === "worldSnapshotHz" ? 1 : 7);
  for (const name of names) {
    const raw = JSON.stringify({ limits: { [name]: next(name) } });
    const done = await peer.ask("config.patch", { raw });
    assert.equal(done.config.limits[name], next(name), name);
  }
  const { body } = await askSettings(atrium, "GET");
  const fixed = (body.fixed as { path: string }[]).map(({ path }) => path);
  assert.deepEqual(
    fixed.filter((path) => path.startsWith("limits") || path === "trustedProxies"),
    [],
  );
  assert.deepEqual(atrium.faults, []);
});

test("[SET-20] a proxy is trusted from the next request on, and no longer than it is named", async () => {
  await using atrium = await openTestAtrium({
    settings: { limits: { wrongTokenTries: 1, wrongTokenRefillMs: HOUR_MS } },
  });
  await using peer = await atrium.connect();
  await guess(atrium, "203.0.113.1");
  const isLimited = async (from: string): Promise<boolean> =>
    (await guess(atrium, from)).headers.has("retry-after");
  assert.equal(await isLimited("203.0.113.2"), true, "everyone is the proxy");
  await patch(peer, { trustedProxies: ["127.0.0.0/8"] });
  assert.equal(await isLimited("203.0.113.3"), false);
  await patch(peer, { trustedProxies: ["10.0.0.0/8"] });
  assert.equal(await isLimited("203.0.113.4"), true);
  const bad = { raw: JSON.stringify({ trustedProxies: ["nowhere"] }) };
  assert.match((await peer.request("config.patch", bad)).error?.message ?? "", /nowhere/);
});

test("[SET-20] [SET-21] previews move to another port, are switched off and on, and a taken port is refused", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const portNow = async (): Promise<number | undefined> =>
    (await peer.ask("status", {})).previewPort;
  const answers = (port = 0): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/`).then(
      ({ status }) => status === 404,
      () => false,
    );
  const first = await portNow();
  assert.ok(await answers(first));
  await patch(peer, { preview: "off" });
  assert.equal(await portNow(), undefined);
  assert.equal(await answers(first), false);
  await patch(peer, { preview: 0 });
  const second = await portNow();
  assert.ok(await answers(second));

  const taken = createServer();
  await once(taken.listen(0, "127.0.0.1"), "listening");
  const { port } = taken.address() as AddressInfo;
  const wanted = { raw: JSON.stringify({ preview: port }) };
  const refused = await peer.request("config.patch", wanted);
  assert.match(refused.error?.message ?? "", /preview: port \d+ .* is not free/);
  assert.equal(await portNow(), second);
  await new Promise((resolve) => taken.close(resolve));
  await peer.ask("config.patch", wanted);
  assert.equal(await portNow(), port);
  assert.ok(await answers(port));
  assert.equal(await answers(second), false);
  assert.deepEqual(atrium.faults, []);
});
