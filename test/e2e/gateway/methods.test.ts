import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_CREW } from "@atrium/core";
import { openTestAtrium } from "../../kit/atrium.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

test("[GW-56] reports say what there is and that the rest is empty", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const health = await peer.ask("health", { anything: "goes" });
  assert.equal(health.defaultAgentId, "main");
  assert.deepEqual(health.agents.map((agent: { agentId: string }) => agent.agentId).slice(0, 2), [
    "main",
    "research_1",
  ]);
  assert.deepEqual([health.channels, health.sessions.count], [{}, 0]);
  const status = await peer.ask("status");
  assert.equal(status.pid, process.pid);
  assert.deepEqual([status.log.engine, status.connections], ["memory", 1]);
  assert.equal(status.log.seq, 1 + BUILT_IN_CREW.length, "the office is open and the crew is in");
  assert.equal(await peer.ask("last-heartbeat"), null);
  const presence = await peer.ask("system-presence");
  assert.deepEqual(
    presence.map((entry: { mode: string }) => entry.mode),
    ["gateway", "test"],
  );
});

test("system.echo gives back its text", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  assert.deepEqual(await peer.ask("system.echo", { text: "hællo 🌍" }), {
    ok: true,
    text: "hællo 🌍",
  });
});

test("[GW-14] an injected message is in the transcript and told once to every reader", async () => {
  await using atrium = await openTestAtrium();
  await using writer = await atrium.connect();
  await using reader = await atrium.connect({ scopes: ["operator.read"] });
  const told = reader.event("chat");
  const before = (await writer.ask("status")).log.seq;
  const { ok, messageId, position } = await writer.ask("chat.inject", {
    sessionKey: "main",
    message: "a note",
    label: "bench",
  });
  assert.equal(ok, true);
  assert.equal(position.seq, before + 2);
  const { payload } = await told;
  assert.deepEqual(
    { ...payload, message: { ...payload.message, timestamp: 0 } },
    {
      runId: `inject-${messageId}`,
      sessionKey: "agent:main:main",
      agentId: "main",
      seq: 0,
      state: "final",
      message: {
        role: "assistant",
        content: [{ type: "text", text: "[bench]\n\na note" }],
        timestamp: 0,
        stopReason: "stop",
        provider: "openclaw",
        model: "gateway-injected",
      },
    },
  );
  const history = await reader.ask("chat.history", { sessionKey: "main" });
  assert.deepEqual(
    history.messages.map((message: { __openclaw: { id: string } }) => message.__openclaw.id),
    [messageId],
  );
  assert.equal(reader.frames.filter(({ event }) => event === "chat").length, 1);
});

test("[GW-14] a conversation that does not exist, or an agent that does not, is refused", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const missing = await peer.request("chat.inject", { sessionKey: "nowhere", message: "x" });
  assert.equal(missing.error?.message, "session not found: agent:main:nowhere");
  const stranger = await peer.request("chat.inject", {
    sessionKey: "agent:nobody:main",
    message: "x",
  });
  assert.equal(stranger.error?.details.reason, "agent.unknown");
  assert.equal((await peer.ask("sessions.list", {})).count, 0);
});

test("[GW-14] a key gives its first answer again, after a restart too, and serves no other request", async () => {
  const main = { sessionKey: "main", idempotencyKey: "k1" };
  const calls = [
    ["chat.inject", { ...main, message: "once" }, { message: "twice" }],
    ["send", { to: "main", message: "once", idempotencyKey: "k2" }, { message: "twice" }],
    [
      "poll",
      { to: "main", question: "Tea?", options: ["Yes", "No"], idempotencyKey: "k3" },
      { question: "Coffee?" },
    ],
    ["sessions.create", { label: "once", idempotencyKey: "k4" }, { label: "twice" }],
    ["wake", { mode: "next-heartbeat", text: "once", idempotencyKey: "k5" }, { text: "twice" }],
    ["build.start", { prompt: "[[hang]]", idempotencyKey: "k6" }, { prompt: "twice" }],
  ] as const;
  await withHome(async (home) => {
    const first: unknown[] = [];
    {
      await using server = await startServer(home);
      await using peer = await server.connect();
      for (const [method, params] of calls) {
        const answer = await peer.ask(method, params);
        assert.deepEqual(await peer.ask(method, params), answer, method);
        first.push(answer);
      }
      await server.end("SIGKILL");
    }
    await using server = await startServer(home);
    await using peer = await server.connect();
    for (const [at, [method, params, other]] of calls.entries()) {
      assert.deepEqual(await peer.ask(method, params), first[at], method);
      const { error } = await peer.request(method, { ...params, ...other });
      assert.deepEqual([error?.code, error?.details.code], ["INVALID_REQUEST", "key.reused"]);
    }
    assert.equal((await peer.ask("chat.history", { sessionKey: "main" })).totalMessages, 4);
    assert.equal((await peer.ask("build.list", {})).builds.length, 1);
  });
});

test("[GW-15] history pages backwards and echoes the key as asked", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  for (const message of ["one", "two", "three"]) {
    await peer.ask("chat.inject", { sessionKey: "main", message });
  }
  const page = await peer.ask("chat.history", { sessionKey: "main", limit: 2 });
  assert.equal(page.sessionKey, "main");
  assert.deepEqual(
    page.messages.map((message: { content: { text: string }[]; __openclaw: { seq: number } }) => [
      message.content[0]?.text,
      message.__openclaw.seq,
    ]),
    [
      ["two", 2],
      ["three", 3],
    ],
  );
  assert.deepEqual([page.hasMore, page.nextOffset, page.totalMessages], [true, 2, 3]);
  const rest = await peer.ask("chat.history", {
    sessionKey: "agent:main:main",
    limit: 2,
    offset: 2,
  });
  assert.deepEqual([rest.messages.length, rest.hasMore, rest.nextOffset], [1, false, undefined]);
  const cut = await peer.ask("chat.history", { sessionKey: "main", limit: 1, maxChars: 3 });
  assert.deepEqual([cut.messages[0].content[0].text, cut.messages[0].truncated], ["thr", true]);
});

test("[GW-15] history is read around a message, wherever it stands", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const ids: string[] = [];
  for (const message of ["1", "2", "3", "4", "5", "6", "7"]) {
    ids.push((await peer.ask("chat.inject", { sessionKey: "main", message })).messageId);
  }
  const around = async (nth: number, more: object) => {
    const messageId = ids[nth - 1];
    const page = await peer.ask("chat.history", { sessionKey: "main", messageId, ...more });
    const texts = page.messages.map((message: { content: { text: string }[] }) => {
      return message.content[0]?.text;
    });
    return { texts: texts.join(" "), nextOffset: page.nextOffset, page };
  };
  for (const [nth, texts, nextOffset] of [
    [1, "1 2 3", undefined],
    [2, "1 2 3", undefined],
    [4, "3 4 5", 5],
    [6, "5 6 7", 3],
    [7, "5 6 7", 3],
  ] as const) {
    const found = await around(nth, { limit: 3 });
    assert.deepEqual([found.texts, found.nextOffset], [texts, nextOffset]);
  }
  const even = await around(4, { limit: 4 });
  assert.equal(even.texts, "3 4 5 6");
  assert.deepEqual([even.page.totalMessages, even.page.deltaCursor], [7, undefined]);
  assert.equal((await around(4, { limit: 50 })).texts, "1 2 3 4 5 6 7");
  const size = JSON.stringify(even.page.messages[0]).length;
  const tight = await around(2, { maxBytes: Math.max(1024, size * 3) });
  assert.ok(tight.texts.includes("2") && tight.texts.length < 13, tight.texts);
  const nowhere = await peer.ask("chat.history", { sessionKey: "main", messageId: "nobody" });
  assert.deepEqual([nowhere.messages, nowhere.hasMore], [[], false]);
});

test("[GW-15] a session that is another conversation's, or keys that contradict, are refused", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const ask = (params: object) => peer.request("chat.history", { sessionKey: "main", ...params });
  const { messageId } = await peer.ask("chat.inject", { sessionKey: "main", message: "one" });
  await peer.ask("chat.inject", { sessionKey: "agent:eng_1:main", message: "other" });
  const { sessionId } = await peer.ask("chat.history", { sessionKey: "main" });
  const other = await peer.ask("chat.history", { sessionKey: "agent:eng_1:main" });
  assert.equal((await ask({ messageId, sessionId })).payload?.messages.length, 1);
  const foreign = await ask({ messageId, sessionId: other.sessionId });
  assert.equal(foreign.error?.code, "INVALID_REQUEST");
  assert.match(foreign.error?.message ?? "", /sessionId does not belong to main/);
  await peer.ask("sessions.reset", { key: "main" });
  const stale = await ask({ messageId, sessionId });
  assert.equal(stale.error?.details.reason, "conversation.changed");
  for (const [params, pattern] of [
    [{ messageId, offset: 1 }, /offset and messageId cannot be used together/],
    [{ messageId, cursor: "x:1" }, /cursor cannot be used with offset or messageId/],
    [{ sessionId }, /sessionId requires messageId/],
  ] as const) {
    const { error } = await ask(params);
    assert.equal(error?.code, "INVALID_REQUEST");
    assert.match(error?.message ?? "", pattern);
  }
});

test("[GW-15] a conversation no one has used is empty, not an error", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const { defaults, ...page } = await peer.ask("chat.history", { sessionKey: "agent:eng_1:main" });
  assert.deepEqual(page, {
    sessionKey: "agent:eng_1:main",
    messages: [],
    pendingInputs: { items: [], total: 0 },
    hasMore: false,
    totalMessages: 0,
  });
  assert.equal(defaults.modelProvider, "rehearsal");
});

test("[GW-16] sessions are listed by latest activity, filtered and paged", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  for (const agent of ["main", "eng_1", "eng_2"]) {
    await peer.ask("chat.inject", { sessionKey: `agent:${agent}:main`, message: `from ${agent}` });
  }
  const keys = (list: { sessions: { key: string }[] }) => list.sessions.map(({ key }) => key);
  const all = await peer.ask("sessions.list");
  assert.deepEqual(keys(all), ["agent:eng_2:main", "agent:eng_1:main", "agent:main:main"]);
  assert.deepEqual([all.count, all.totalCount, all.hasMore, all.nextOffset], [3, 3, false, null]);
  const second = await peer.ask("sessions.list", { limit: 1, offset: 1 });
  assert.deepEqual(
    [keys(second), second.hasMore, second.nextOffset],
    [["agent:eng_1:main"], true, 2],
  );
  assert.deepEqual(keys(await peer.ask("sessions.list", { agentId: "main" })), ["agent:main:main"]);
  const found = await peer.ask("sessions.list", { search: "FROM ENG_2", includeLastMessage: true });
  assert.deepEqual(
    [keys(found), found.sessions[0].lastMessagePreview],
    [["agent:eng_2:main"], "from eng_2"],
  );
});
