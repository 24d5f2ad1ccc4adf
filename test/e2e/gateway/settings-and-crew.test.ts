import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { loadPeerSchemas } from "../../kit/peer-schemas.ts";
import { startServer, withHome } from "../../kit/server-process.ts";
import { textsOf } from "../../kit/transcript-texts.ts";

test("[GW-59] wake has the agent answer now, or leaves the text for the next turn", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  assert.equal(await peer.ask("last-heartbeat"), null);
  const woken = { mode: "now", text: "[[say: awake]]", idempotencyKey: "w1" };
  assert.deepEqual(await peer.ask("wake", woken), { ok: true });
  const { payload } = await peer.first(({ event }) => event === "heartbeat");
  assert.deepEqual([payload.status, payload.reason, payload.agentId], ["sent", "wake", "main"]);
  assert.deepEqual(await peer.ask("wake", woken), { ok: true });
  assert.deepEqual(await textsOf(peer), ["[[say: awake]]", "awake"]);
  assert.deepEqual(await peer.ask("last-heartbeat"), payload);

  await peer.ask("wake", { mode: "now", text: "[[fail: tired]]", agentId: "eng_1" });
  await peer.first(({ event, payload: told }) => event === "heartbeat" && told.status === "failed");
  await peer.ask("wake", { mode: "next-heartbeat", text: "you too", agentId: "eng_2" });
  assert.deepEqual(await textsOf(peer, "agent:eng_2:main"), ["[wake]\n\nyou too"]);
  assert.equal((await peer.request("wake", { mode: "later", text: "x" })).ok, false);
});

test("[GW-59] the journal is read in pieces, from the file the server writes", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    await using peer = await server.connect();
    const tail = await peer.ask("logs.tail");
    assert.equal(tail.file, join(home, "atrium.log"));
    assert.match(tail.lines[0], /"msg":"open"/);
    const again = await peer.ask("logs.tail", { cursor: tail.cursor });
    assert.deepEqual([again.lines, again.reset], [[], false]);
    const peerSchemas = await loadPeerSchemas();
    peerSchemas.check("LogsTailResult", tail);
  });
});

test("[GW-56] channels.status says which channels there are and when they were last used", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const before = await peer.ask("channels.status", { probe: true, timeoutMs: 1_000 });
  assert.deepEqual(before.channelOrder, ["webchat", "office", "node"]);
  assert.equal(before.channelAccounts.office[0].lastOutboundAt, null);
  await peer.ask("send", { to: "x", channel: "office", message: "x", idempotencyKey: "k" });
  const after = await peer.ask("channels.status", { channel: "office" });
  assert.deepEqual(Object.keys(after.channels), ["office"]);
  assert.ok(after.channelAccounts.office[0].lastOutboundAt >= before.ts);
});

test("[GW-56] there is no schedule, and cron.list and cron.status say so", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  assert.deepEqual(await peer.ask("cron.list", { includeDisabled: true, sortBy: "name" }), {
    jobs: [],
    snapshotRevision: "none",
    total: 0,
    offset: 0,
    limit: 50,
    hasMore: false,
    nextOffset: null,
  });
  const status = await peer.ask("cron.status");
  assert.deepEqual([status.enabled, status.jobs, status.nextWakeAtMs], [false, 0, null]);
});

/** A secret in every place that a settings file has for one, and in some where none belongs. */
const SECRET = "very-secret";

const VARIABLE = "NAME_OF_A_VARIABLE";

const SETTINGS = {
  token: "very-secret-and-long",
  allowedHosts: ["a.test"],
  runtimes: {
    mine: {
      type: "command",
      command: ["/opt/agent.sh", "--key", SECRET],
      env: [VARIABLE],
      timeoutMs: 5,
    },
    upstream: {
      type: "openclaw",
      url: `wss://me:${SECRET}@gateway.test:444/${SECRET}?token=${SECRET}#${SECRET}`,
      tokenEnv: VARIABLE,
      sessionKey: SECRET,
    },
    coder: {
      type: "claude-code",
      command: "claude",
      model: "opus",
      extraArgs: ["--append-system-prompt", SECRET],
    },
    model: {
      type: "model",
      provider: "openai-compatible",
      baseUrl: `https://me:${SECRET}@models.test/v1?key=${SECRET}`,
      model: "m",
      apiKeyEnv: VARIABLE,
    },
  },
};

test("[GW-57] config.get shows the settings that are listed, and no secret", async () => {
  await withHome(async (home) => {
    const file = join(home, "atrium.config.json");
    await writeFile(file, JSON.stringify(SETTINGS));
    await using server = await startServer(home, { env: { [VARIABLE]: SECRET } });
    await using peer = await server.connect({ scopes: ["operator.read"] });
    const settings = await peer.ask("config.get", {});
    assert.deepEqual([settings.path, settings.exists, settings.valid], [file, true, true]);
    const { token, auth, allowedHosts, log } = settings.config;
    assert.deepEqual(
      [token, auth, allowedHosts, log],
      ["__OPENCLAW_REDACTED__", "token", ["a.test"], "sqlite"],
    );
    assert.match(settings.hash, /^[\da-f]{64}$/);
    assert.equal((await peer.ask("config.get", {})).hash, settings.hash);
    const text = JSON.stringify(settings);
    assert.ok(!text.includes(SECRET) && !text.includes(VARIABLE), text);
    const { mine, upstream, coder, model } = settings.config.runtimes;
    assert.deepEqual([mine.command, mine.timeoutMs], ["agent.sh", 5]);
    assert.equal(upstream.url, "wss://gateway.test:444");
    assert.deepEqual([coder.command, coder.model], ["claude", "opus"]);
    assert.equal(model.baseUrl, "https://models.test");
  });
});

test("[GW-59] the crew, its models, tools and commands are listed", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect({ scopes: ["operator.read"] });
  const { agents, defaultId } = await peer.ask("agents.list");
  assert.equal(defaultId, "main");
  assert.deepEqual(
    agents.slice(0, 2).map(({ id, name }: { id: string; name: string }) => [id, name]),
    [
      ["main", "BD"],
      ["research_1", "Research 1"],
    ],
  );
  const { models } = await peer.ask("models.list", { view: "configured" });
  for (const { model } of agents) {
    assert.ok(
      models.some(
        (each: { provider: string; id: string }) => `${each.provider}/${each.id}` === model.primary,
      ),
    );
  }
  assert.deepEqual(models[0].tags, ["default"]);
  assert.deepEqual(await peer.ask("agent.identity.get", { sessionKey: "agent:eng_1:main" }), {
    agentId: "eng_1",
    name: "Eng 1",
    nameSource: "config",
    avatar: "E",
  });
  const peerSchemas = await loadPeerSchemas();
  peerSchemas.check("AgentIdentityResult", await peer.ask("agent.identity.get"));
  peerSchemas.check("ToolsCatalogResult", await peer.ask("tools.catalog", { agentId: "eng_1" }));
  peerSchemas.check("CommandsListResult", await peer.ask("commands.list", { scope: "text" }));
  peerSchemas.check("AgentsListResult", await peer.ask("agents.list"));
  for (const method of ["models.list", "tools.catalog", "agent.identity.get"]) {
    const { error } = await peer.request(method, { agentId: "nobody" });
    assert.equal(error?.details.reason, "agent.unknown", method);
  }
});
