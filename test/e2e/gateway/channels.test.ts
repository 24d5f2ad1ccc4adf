import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openTestAtrium } from "../../kit/atrium.ts";
import { loadPeerSchemas } from "../../kit/peer-schemas.ts";
import type { RawPeer } from "../../kit/raw-peer.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

const MAIN = "agent:main:main";
const named = (displayName: string) => ({ client: { displayName } });

async function textsOf(peer: RawPeer, sessionKey = "main"): Promise<readonly string[]> {
  const { messages } = await peer.ask("chat.history", { sessionKey });
  return messages.map(({ content }: { content: { text: string }[] }) => content[0]?.text);
}

test("[GW-48] a message sent to a conversation is in its transcript and told to readers", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const told = peer.event("chat");
  const sent = await peer.ask("send", { to: "main", message: "hello", idempotencyKey: "s1" });
  assert.deepEqual(sent, {
    runId: "s1",
    messageId: sent.messageId,
    channel: "webchat",
    conversationId: MAIN,
  });
  assert.equal((await told).payload.runId, `inject-${sent.messageId}`);
  assert.deepEqual(await textsOf(peer), ["hello"]);
  const other = {
    to: "main",
    agentId: "eng_1",
    channel: "WebChat",
    message: "you",
    idempotencyKey: "s2",
  };
  assert.equal((await peer.ask("send", other)).conversationId, "agent:eng_1:main");
  const office = { to: "everyone", channel: "office", message: "hi all", idempotencyKey: "s3" };
  const said = await peer.ask("send", office);
  assert.deepEqual([said.channel, said.channelId, said.runId], ["office", "chat", "s3"]);
});

test("[GW-48] the same key delivers once, also after a restart; for other words it is refused", async () => {
  await withHome(async (home) => {
    const send = { to: "main", message: "once", idempotencyKey: "k1" };
    const office = { ...send, channel: "office", idempotencyKey: "k2" };
    const action = {
      channel: "webchat",
      action: "send",
      params: { to: "main", message: "by action" },
      idempotencyKey: "k1",
    };
    const calls = [
      ["send", send],
      ["send", office],
      ["message.action", action],
    ] as const;
    const first = [];
    {
      await using server = await startServer(home);
      await using peer = await server.connect();
      for (const [method, params] of calls) first.push(await peer.ask(method, params));
      await server.end("SIGKILL");
    }
    await using server = await startServer(home);
    await using peer = await server.connect();
    for (const [index, [method, params]] of calls.entries()) {
      assert.deepEqual(await peer.ask(method, params), first[index]);
    }
    assert.deepEqual(await textsOf(peer), ["once", "by action"]);
    const reused = await peer.request("send", { ...send, message: "twice" });
    assert.equal(reused.error?.code, "INVALID_REQUEST");
  });
});

test("[GW-48] an unknown channel is named, and those that exist are listed", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const to = { to: "main", channel: "telegram", idempotencyKey: "k" };
  for (const [method, params] of [
    ["send", { ...to, message: "x" }],
    ["poll", { ...to, question: "?", options: ["a", "b"] }],
    ["message.action", { channel: "telegram", action: "send", params: {}, idempotencyKey: "k" }],
    ["channels.status", { channel: "telegram" }],
  ] as const) {
    const { error } = await peer.request(method, params);
    assert.equal(error?.code, "INVALID_REQUEST");
    assert.equal(error.message, "unsupported channel: telegram (there are: webchat, office, node)");
  }
});

test("[GW-48] what a channel cannot deliver is refused by name, never left out", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const base = { to: "main", message: "look", idempotencyKey: "k" };
  for (const [extra, name] of [
    [{ mediaUrl: "https://example.org/x.png" }, "mediaUrl"],
    [{ mediaUrls: ["https://example.org/x.png"] }, "mediaUrls"],
    [{ buffer: "aGVsbG8=", filename: "x.txt" }, "buffer"],
    [{ asVoice: true }, "asVoice"],
    [{ parseMode: "HTML" }, "parseMode"],
    [{ threadId: "7" }, "threadId"],
    [{ replyToId: "7" }, "replyToId"],
    [{ accountId: "second" }, "no account second"],
  ] as const) {
    const { error } = await peer.request("send", { ...base, ...extra });
    assert.equal(error?.details.reason, "channel.incapable");
    assert.ok(error.message.includes(name), error.message);
    const action = { channel: "webchat", action: "send", params: { ...base, ...extra } };
    const acted = await peer.request("message.action", { ...action, idempotencyKey: "k" });
    assert.equal(acted.error?.details.reason, "channel.incapable");
  }
  const nothing = { mediaUrl: "", mediaUrls: [], asVoice: false, gifPlayback: false, silent: true };
  const plain = { ...base, ...nothing, accountId: "default" };
  assert.equal((await peer.request("send", plain)).ok, true);
  for (const [params, why] of [
    [{ to: "main", idempotencyKey: "k2" }, "text is required"],
    [{ to: "main", message: " ", idempotencyKey: "k2" }, "text is required"],
    [{ to: "main", message: "x" }, "must have required property 'idempotencyKey'"],
    [{ to: "nowhere", message: "x", idempotencyKey: "k2" }, "session not found"],
    [{ to: "agent:nobody:main", message: "x", idempotencyKey: "k2" }, "nobody"],
  ] as const) {
    const { error } = await peer.request("send", params);
    assert.match(error?.message ?? "", new RegExp(RegExp.escape(why)));
  }
  assert.deepEqual(await textsOf(peer), ["look"]);
});

test("[GW-49] a poll is said in its conversation, voted on, changed, and its result said there", async () => {
  await using atrium = await openTestAtrium();
  await using ann = await atrium.connect(named("Ann"));
  await using bob = await atrium.connect(named("Bob"));
  const asked = {
    to: "main",
    question: "Lunch?",
    options: ["Pizza", "Sushi", "Soup"],
    maxSelections: 2,
    idempotencyKey: "p1",
  };
  const opened = await ann.ask("poll", asked);
  assert.deepEqual(await ann.ask("poll", asked), opened);
  const { pollId } = opened;
  assert.deepEqual([opened.runId, opened.channel], ["p1", "webchat"]);
  assert.deepEqual(await textsOf(ann), [
    `Poll: Lunch?\n1. Pizza\n2. Sushi\n3. Soup\nChoose up to 2. Poll id: ${pollId}`,
  ]);
  await ann.ask("poll.vote", { pollId, options: ["pizza", 3] });
  await bob.ask("poll.vote", { pollId, options: ["Soup"] });
  const { poll } = await ann.ask("poll.vote", { pollId, options: ["2"] });
  assert.deepEqual(
    poll.options.map(({ votes, names }: { votes: number; names: string[] }) => [votes, names]),
    [
      [0, []],
      [1, ["Ann"]],
      [1, ["Bob"]],
    ],
  );
  for (const [options, why] of [
    [["Pasta"], "there is no option Pasta"],
    [[4], "there is no option 4"],
    [[1, 2, 3], "3 chosen, 2 allowed"],
  ] as const) {
    const { error } = await bob.request("poll.vote", { pollId, options });
    assert.match(error?.message ?? "", new RegExp(RegExp.escape(why)));
  }
  const closed = await ann.ask("poll.close", { pollId });
  assert.deepEqual([closed.poll.status, closed.poll.closedBy], ["closed", "Ann"]);
  const late = await bob.request("poll.vote", { pollId, options: [1] });
  assert.equal(late.error?.details.reason, "poll.closed");
  assert.deepEqual((await textsOf(bob)).slice(1), [
    "Poll closed: Lunch?\nPizza: 0\nSushi: 1 (Ann)\nSoup: 1 (Bob)\n2 votes",
  ]);
  const missing = await bob.request("poll.get", { pollId: "poll_none" });
  assert.equal(missing.error?.details.reason, "poll.missing");
});

test("[GW-49] a poll closes when its time is up, also when the server was away meanwhile", async () => {
  await withHome(async (home) => {
    const asked = { to: "main", question: "Now?", options: ["a", "b"], durationSeconds: 1 };
    let pollId = "";
    {
      await using server = await startServer(home);
      await using peer = await server.connect();
      ({ pollId } = await peer.ask("poll", { ...asked, idempotencyKey: "p1" }));
      await peer.ask("poll.vote", { pollId, options: ["a"], voter: "Eve" });
      await server.end("SIGKILL");
    }
    await using server = await startServer(home);
    await using peer = await server.connect();
    while (!(await textsOf(peer)).some((text) => text.startsWith("Poll closed"))) {
      await setTimeout(20);
    }
    const { poll } = await peer.ask("poll.get", { pollId });
    assert.deepEqual([poll.status, poll.voters, poll.options[0].names], ["closed", 1, ["Eve"]]);
    assert.equal((await textsOf(peer)).length, 2);
  });
});

test("[GW-49] a poll that cannot be held or said is refused and leaves nothing behind", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const asked = { to: "main", question: "?", options: ["a", "b"], idempotencyKey: "p" };
  for (const [extra, why] of [
    [{ options: ["a", "A"] }, "two options are the same"],
    [{ maxSelections: 3 }, "maxSelections is 3"],
    [{ durationSeconds: 5, durationHours: 1 }, "exclude each other"],
    [{ to: "nowhere" }, "session not found"],
    [{ threadId: "1" }, "threadId"],
    [{ options: ["a"] }, "at /options"],
  ] as const) {
    const { error } = await peer.request("poll", { ...asked, ...extra });
    assert.match(error?.message ?? "", new RegExp(RegExp.escape(why)));
  }
  assert.deepEqual(await textsOf(peer), []);
});

test("[GW-49] the peer's command line sends, polls and votes by message.action", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect(named("Ann"));
  const act = (action: string, params: object, idempotencyKey: string, extra: object = {}) =>
    peer.request("message.action", { channel: "office", action, params, idempotencyKey, ...extra });
  const sent = await act("send", { target: "everyone", message: "hi", dryRun: false }, "a1", {
    senderIsOwner: true,
    conversationReadOrigin: "direct-operator",
  });
  assert.deepEqual(
    [sent.payload.ok, sent.payload.channel, sent.payload.runId],
    [true, "office", "a1"],
  );
  const params = {
    to: "everyone",
    pollQuestion: "Tea?",
    pollOption: ["Yes", "No"],
    pollMulti: true,
    pollAnonymous: true,
    pollDurationHours: "2",
  };
  const { pollId } = (await act("poll", params, "a2")).payload;
  assert.equal((await act("poll", params, "a2")).payload.pollId, pollId);
  const voted = await act("poll-vote", { pollId, option: "no" }, "a3");
  const others = await act("poll-vote", { pollId, options: ["Yes", 2] }, "a4", {
    requesterSenderId: "bob@example.org",
  });
  assert.equal(voted.payload.poll.voters, 1);
  const { poll } = others.payload;
  assert.deepEqual([poll.voters, poll.options[0].votes, poll.options[1].votes], [2, 1, 2]);
  assert.deepEqual(poll.options[1].names, []);
  assert.ok(poll.closesAtMs > poll.openedAtMs);
  for (const [action, bad, why] of [
    ["send", { to: "x" }, "message is required"],
    ["send", { message: "x" }, "to is required"],
    ["poll", { to: "x", pollOption: ["a", "b"] }, "pollQuestion is required"],
    ["poll", { to: "x", pollQuestion: "?", pollOption: "a" }, "1 options"],
    ["poll", { ...params, pollDurationHours: "soon" }, "a poll cannot last NaN"],
    ["poll-vote", { pollId }, "option or options is required"],
    ["poll-vote", { pollId: "none", option: 1 }, "No poll has that id"],
    ["react", {}, "message action react not supported for channel office"],
  ] as const) {
    const { error } = await act(action, bad, `bad ${why}`);
    assert.equal(error?.code, "INVALID_REQUEST");
    assert.match(error.message, new RegExp(RegExp.escape(why)));
  }
  const reader = await atrium.connect({ scopes: ["operator.read"] });
  const forbidden = await reader.request("poll.vote", { pollId, options: [1] });
  assert.equal(forbidden.error?.code, "FORBIDDEN");
  assert.equal((await reader.ask("poll.get", { pollId })).poll.voters, 2);
  await reader[Symbol.asyncDispose]();
});

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

test("[GW-34] what is delivered and listed is sent in the shapes the peer publishes", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const peerSchemas = await loadPeerSchemas();
  await peer.ask("send", { to: "main", message: "x", idempotencyKey: "1" });
  await peer.ask("poll", { to: "main", question: "?", options: ["a", "b"], idempotencyKey: "2" });
  peerSchemas.check("ChannelsStatusResult", await peer.ask("channels.status"));
  peerSchemas.check("ModelsListResult", await peer.ask("models.list"));
  peerSchemas.check("LogsTailResult", await peer.ask("logs.tail"));
  for (const method of ["cron.list", "cron.status", "config.get"]) await peer.ask(method, {});
  for (const frame of peer.frames) peerSchemas.checkFrame(frame);
});
