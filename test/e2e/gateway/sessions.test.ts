import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { ended, eventsOf, MAIN, send } from "../../kit/chat-runs.ts";
import type { Connected, Frame } from "../../kit/raw-peer.ts";

test("[GW-16] conversations are made, described, changed, reset and deleted", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const made = await peer.ask("sessions.create", { label: "Plans", agentId: "eng_1" });
  assert.match(made.key, /^agent:eng_1:dashboard:/);
  assert.deepEqual([made.runStarted, made.entry.label], [false, "Plans"]);
  const { session } = await peer.ask("sessions.describe", { key: made.key });
  assert.deepEqual([session.label, session.sessionId], ["Plans", made.sessionId]);

  const patched = await peer.ask("sessions.patch", {
    key: made.key,
    label: null,
    pinned: true,
    thinkingLevel: "high",
    color: "red",
  });
  assert.deepEqual([patched.entry.label, patched.entry.pinned], [undefined, true]);
  const row = (await peer.ask("sessions.describe", { key: made.key })).session;
  assert.deepEqual([row.thinkingLevel, row.color], ["high", "red"]);

  const key = { sessionKey: made.key };
  await peer.ask("chat.send", { ...key, message: "[[say: hi]]", idempotencyKey: "r1" });
  await ended(peer, "r1");
  assert.equal((await peer.ask("sessions.get", { key: made.key })).messages.length, 2);
  const reset = await peer.ask("sessions.reset", { key: made.key });
  assert.notEqual(reset.entry.sessionId, made.sessionId);
  assert.equal((await peer.ask("chat.history", key)).messages.length, 0);

  const stale = { key: made.key, expectedSessionId: made.sessionId };
  const refused = await peer.request("sessions.delete", stale);
  assert.equal(refused.error?.details.reason, "conversation.changed");
  const deleted = await peer.ask("sessions.delete", { key: made.key });
  assert.deepEqual(deleted, { ok: true, key: made.key, deleted: true, archived: [] });
  assert.equal((await peer.ask("sessions.delete", { key: made.key })).deleted, false);
  assert.equal((await peer.ask("sessions.describe", { key: made.key })).session, null);
  const main = await peer.request("sessions.delete", { key: "main" });
  assert.equal(main.ok, true);
  await send(peer, "r2", "[[say: x]]");
  const kept = await peer.request("sessions.delete", { key: "main" });
  assert.match(kept.error?.message ?? "", /Cannot delete the main session \(agent:main:main\)/);
});

test("[GW-16] creating with a key and a first message happens once", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const params = { idempotencyKey: "c1", message: "[[say: begun]]" };
  const first = await peer.ask("sessions.create", params);
  assert.equal(first.runStarted, true);
  const again = await peer.ask("sessions.create", params);
  assert.deepEqual([again.key, again.runId], [first.key, first.runId]);
  await ended(peer, first.runId);
  const { messages } = await peer.ask("chat.history", { sessionKey: first.key });
  assert.equal(messages.length, 2);
  const taken = await peer.request("sessions.create", { key: first.key });
  assert.equal(taken.error?.details.reason, "conversation.exists");
});

test("[GW-21] messages and changes reach those who follow, once each", async () => {
  await using atrium = await openTestAtrium();
  await using all = await atrium.connect();
  await using one = await atrium.connect();
  await using other = await atrium.connect();
  await all.ask("sessions.subscribe", {});
  await all.ask("sessions.messages.subscribe", { key: "main" });
  const followed = await one.ask("sessions.messages.subscribe", { key: "main" });
  assert.deepEqual(followed, { subscribed: true, key: MAIN });
  await other.ask("sessions.messages.subscribe", { key: "agent:eng_1:main" });
  await send(all, "r1", "[[say: hi]]");
  for (const peer of [all, one, other]) await ended(peer, "r1");
  const heard = (peer: Connected, event: string): Frame[] =>
    peer.frames.filter((frame) => frame.event === event);
  const texts = (peer: Connected): string[] =>
    heard(peer, "session.message").map(({ payload }) => payload.message.content[0].text);
  await all.first(({ event, payload }) => event === "sessions.changed" && payload.phase === "end");
  assert.deepEqual(texts(all), ["[[say: hi]]", "hi"]);
  assert.deepEqual(texts(one), ["[[say: hi]]", "hi"]);
  assert.deepEqual(texts(other), []);
  const numbers = heard(all, "session.message").map(({ payload }) => payload.messageSeq);
  assert.deepEqual(numbers, [1, 2]);
  assert.deepEqual(
    heard(all, "sessions.changed").map(({ payload }) => payload.reason),
    ["create", "send", "agent.run.started", "agent.run.ended"],
  );
  assert.deepEqual(heard(one, "sessions.changed"), []);

  await all.ask("sessions.unsubscribe", {});
  await one.ask("sessions.messages.unsubscribe", { key: "main" });
  await send(all, "r2", "[[say: more]]");
  for (const peer of [all, one]) await ended(peer, "r2");
  await all.ask("health", {});
  assert.deepEqual(texts(all).slice(2), ["[[say: more]]", "more"]);
  assert.deepEqual(texts(one).length, 2);
});

test("[GW-21] a peer that asked for the sessions it follows only hears of no others", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await using scoped = await atrium.connect({ caps: ["session-scoped-events"] });
  await scoped.ask("sessions.messages.subscribe", { key: "agent:eng_1:main" });
  await send(peer, "r1", "[[say: not for you]]");
  await ended(peer, "r1");
  await send(peer, "r2", "[[say: for you]]", { sessionKey: "agent:eng_1:main" });
  await ended(scoped, "r2");
  assert.deepEqual(eventsOf(scoped, "chat", "r1"), []);
});

test("[GW-15] a cursor gives what has come since, or says to begin again", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await send(peer, "r1", "[[say: one]]");
  await ended(peer, "r1");
  const { deltaCursor } = await peer.ask("chat.history", { sessionKey: "main" });
  const nothing = await peer.ask("chat.history", { sessionKey: "main", cursor: deltaCursor });
  assert.deepEqual([nothing.kind, nothing.messages], ["delta", []]);
  await send(peer, "r2", "[[say: two]]");
  await ended(peer, "r2");
  const since = await peer.ask("chat.history", { sessionKey: "main", cursor: deltaCursor });
  assert.deepEqual(
    since.messages.map(({ content }: { content: { text: string }[] }) => content[0]?.text),
    ["[[say: two]]", "two"],
  );
  await peer.ask("sessions.reset", { key: "main" });
  const reset = await peer.ask("chat.history", { sessionKey: "main", cursor: deltaCursor });
  assert.equal(reset.kind, "reset");
  const bad = await peer.request("chat.history", { sessionKey: "main", cursor: "nonsense" });
  assert.equal(bad.error?.details.reason, "cursor.unreadable");
});

test("[GW-15] chat.startup is the history with what a chat window shows around it", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await send(peer, "r1", "[[say: one]]");
  await ended(peer, "r1");
  const { metadata, ...page } = await peer.ask("chat.startup", { sessionKey: "main", limit: 10 });
  const history = await peer.ask("chat.history", { sessionKey: "main", limit: 10 });
  assert.deepEqual(page, history);
  assert.deepEqual(metadata, await peer.ask("chat.metadata", { sessionKey: "main" }));
  assert.deepEqual([metadata.agentId, metadata.agentName], ["main", "BD"]);
});
