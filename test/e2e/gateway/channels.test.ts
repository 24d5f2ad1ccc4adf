import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { loadPeerSchemas } from "../../kit/peer-schemas.ts";
import { startServer, withHome } from "../../kit/server-process.ts";
import { textsOf } from "../../kit/transcript-texts.ts";

const MAIN = "agent:main:main";

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
