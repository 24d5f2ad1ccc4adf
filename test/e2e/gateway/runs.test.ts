import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import type { Connected, Frame, RawPeer } from "../../kit/raw-peer.ts";

const MAIN = "agent:main:main";
const ENDS: ReadonlySet<string> = new Set(["final", "aborted", "error"]);

function isEnd({ event, payload }: Frame, runId: string): boolean {
  return event === "chat" && payload.runId === runId && ENDS.has(payload.state);
}

function ended(peer: RawPeer, runId: string): Promise<Frame> {
  return peer.first((frame) => isEnd(frame, runId));
}

function eventsOf(peer: RawPeer, event: string, runId: string): Frame["payload"][] {
  return peer.frames
    .filter((frame) => frame.event === event && frame.payload.runId === runId)
    .map(({ payload }) => payload);
}

async function send(peer: RawPeer, runId: string, message: string, more: object = {}) {
  return peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: runId, ...more });
}

/** Sends it and waits until it has begun. */
async function begin(peer: RawPeer, runId: string, message: string, more: object = {}) {
  await send(peer, runId, message, more);
  await peer.first(({ event, payload }) => event === "chat" && payload.runId === runId);
}

test("[GW-17] a message is answered in words on their way and one end", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const text = "one two three four five six seven eight nine ten";
  assert.deepEqual(await send(peer, "r1", `[[say: ${text}]]`), { runId: "r1", status: "started" });
  const end = await ended(peer, "r1");
  assert.deepEqual(end.payload.message.content, [{ type: "text", text }]);
  assert.equal(end.payload.sessionKey, MAIN);
  const told = eventsOf(peer, "chat", "r1");
  const deltas = told.filter(({ state }) => state === "delta");
  assert.ok(deltas.length > 1);
  assert.equal(deltas.map(({ deltaText }) => deltaText).join(""), text);
  let soFar = "";
  for (const { deltaText, message } of deltas) {
    soFar += deltaText;
    assert.equal(message.content[0].text, soFar);
  }
  const numbers = told.map(({ seq }) => seq);
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].toSorted((a, b) => a - b),
  );
  assert.equal(told.filter(({ state }) => ENDS.has(state)).length, 1);
  assert.equal(told.at(-1), end.payload);
  const phases = eventsOf(peer, "agent", "r1")
    .filter(({ stream }) => stream === "lifecycle")
    .map(({ data }) => data.phase);
  assert.deepEqual(phases, ["start", "end"]);
});

test("[GW-17] what was said before a question is told before it", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const words = "a few words that come first";
  await send(peer, "r1", `[[say: ${words}]] [[ask: Which? | This | That]]`);
  await peer.first(({ event }) => event === "question.requested");
  const before = peer.frames.slice(
    0,
    peer.frames.findIndex(({ event }) => event === "question.requested"),
  );
  const told = before.filter(({ event, payload }) => event === "chat" && payload.state === "delta");
  assert.equal(
    told
      .map(({ payload }) => payload.deltaText)
      .join("")
      .trim(),
    words,
  );
  await peer.ask("chat.abort", { sessionKey: "main" });
});

test("[GW-18] the same key tells what became of the message and never runs it again", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await begin(peer, "r1", "[[hang]]");
  assert.equal((await send(peer, "r1", "[[hang]]")).status, "in_flight");
  await peer.ask("chat.abort", { sessionKey: "main", runId: "r1" });
  await ended(peer, "r1");
  const aborted = await send(peer, "r1", "[[hang]]");
  assert.deepEqual([aborted.status, aborted.summary], ["timeout", "aborted"]);

  await send(peer, "r2", "[[say: yes]]");
  await ended(peer, "r2");
  assert.equal((await send(peer, "r2", "[[say: yes]]")).status, "ok");

  await send(peer, "r3", "[[fail: no luck]]");
  const error = await ended(peer, "r3");
  assert.equal(error.payload.state, "error");
  assert.match(error.payload.errorMessage, /no luck/);
  const request = { sessionKey: "main", message: "[[fail: no luck]]", idempotencyKey: "r3" };
  const failed = await peer.request("chat.send", request);
  assert.deepEqual([failed.ok, failed.error?.code], [false, "UNAVAILABLE"]);
  assert.deepEqual([failed.payload.runId, failed.payload.status], ["r3", "error"]);

  for (const method of ["chat.send", "agent"]) {
    const other = { sessionKey: "main", message: "something else", idempotencyKey: "r2" };
    const refused = await peer.request(method, other);
    assert.equal(refused.error?.details.code, "key.reused");
  }
  const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
  const asked = messages.filter(({ role }: { role: string }) => role === "user");
  assert.equal(asked.length, 3);
});

test("[GW-19] chat.abort stops one run or all, and says which", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await begin(peer, "r1", "[[say: half]] [[hang]]");
  for (const runId of ["r2", "r3"]) {
    await send(peer, runId, "[[say: x]]", { queueMode: "followup" });
  }
  const one = await peer.ask("chat.abort", { sessionKey: "main", runId: "r3" });
  assert.deepEqual(one, { ok: true, aborted: true, runIds: ["r3"] });
  const all = await peer.ask("chat.abort", { sessionKey: MAIN });
  assert.deepEqual(all.runIds, ["r1", "r2"]);
  for (const runId of ["r1", "r2", "r3"]) {
    const { payload } = await ended(peer, runId);
    assert.deepEqual([payload.state, payload.stopReason], ["aborted", "rpc"]);
  }
  const none = await peer.ask("chat.abort", { sessionKey: "main" });
  assert.deepEqual(none, { ok: true, aborted: false, runIds: [] });
});

test("[GW-20] agent answers twice on one id, and agent.wait knows how a run ended", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const answers = (id: string): Frame[] => peer.frames.filter((frame) => frame.id === id);
  const params = { message: "[[say: hello]]", idempotencyKey: "r1", agentId: "eng_1" };
  peer.send({ type: "req", id: "a1", method: "agent", params });
  const last = await peer.first(
    ({ id, payload }) => id === "a1" && payload !== undefined && payload.status === "ok",
  );
  const [first] = answers("a1");
  assert.deepEqual(
    [first?.payload.status, first?.payload.sessionKey],
    ["accepted", "agent:eng_1:main"],
  );
  assert.deepEqual(last.payload.result.payloads, [{ text: "hello", mediaUrl: null }]);

  const waited = await peer.ask("agent.wait", { runId: "r1" });
  assert.deepEqual([waited.status, waited.terminalReply.text], ["ok", "hello"]);
  const unknown = await peer.ask("agent.wait", { runId: "nobody", timeoutMs: 0 });
  assert.deepEqual([unknown.status, unknown.pending], ["timeout", false]);
  await begin(peer, "r2", "[[hang]]");
  const running = await peer.ask("agent.wait", { runId: "r2", timeoutMs: 1 });
  assert.deepEqual([running.status, running.pending], ["timeout", true]);
  const waiting = peer.ask("agent.wait", { runId: "r2" });
  await peer.ask("chat.abort", { sessionKey: "main" });
  assert.equal((await waiting).error, "aborted");

  peer.send({
    type: "req",
    id: "a2",
    method: "agent",
    params: { message: "[[fail: broken]]", idempotencyKey: "r3" },
  });
  const failed = await peer.first(({ id, ok }) => id === "a2" && ok === false);
  assert.match(failed.error?.message ?? "", /broken/);
  await peer.ask("health", {});
  assert.deepEqual([answers("a1").length, answers("a2").length], [2, 2]);
});

test("[GW-20] a message that comes meanwhile does what its queue mode says", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await begin(peer, "r1", "[[hang]]");
  await send(peer, "r2", "[[say: after]]", { queueMode: "interrupt" });
  assert.equal((await ended(peer, "r1")).payload.state, "aborted");
  assert.equal((await ended(peer, "r2")).payload.message.content[0].text, "after");

  await begin(peer, "r3", "[[say: first]] [[hang]]");
  await send(peer, "r4", "[[say: b]]", { queueMode: "collect" });
  await send(peer, "r5", "[[say: c]]", { queueMode: "collect" });
  await peer.ask("chat.abort", { sessionKey: "main", runId: "r3" });
  assert.equal((await ended(peer, "r5")).payload.stopReason, "merged");
  assert.equal((await ended(peer, "r4")).payload.message.content[0].text, "b\nc");
});

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

test("[GW-22] a failed turn is in the history with the reason", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await send(peer, "r1", "[[say: Almost there.]] [[fail: the disk is full]]");
  await ended(peer, "r1");
  await send(peer, "r2", "[[fail: the disk is gone]]");
  await ended(peer, "r2");
  const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
  const [, first, , second] = messages;
  assert.deepEqual([first.content[0].text, first.stopReason], ["Almost there.", "error"]);
  assert.match(first.errorMessage, /the disk is full/);
  assert.deepEqual([second.content[0].text, second.stopReason], ["", "error"]);
  assert.match(second.errorMessage, /the disk is gone/);
});

test("[GW-20] a message that was taken is an active run at once", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await peer.ask("sessions.subscribe", {});
  await send(peer, "r1", "[[say: one]]");
  await ended(peer, "r1");
  const rows = peer.frames
    .filter(({ event }) => event === "sessions.changed")
    .map(({ payload }) => payload.session);
  assert.ok(rows.some(({ activeRunIds = [] }) => activeRunIds.includes("r1")));
  for (const { hasActiveRun, activeRunIds = [] } of rows) {
    assert.equal(hasActiveRun, activeRunIds.length > 0);
  }
});

test("[GW-25] files come with the first message of a conversation", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const bad = { key: "files", attachments: [{ fileName: "a.txt", content: "***" }] };
  const refused = await peer.request("sessions.create", bad);
  assert.match(refused.error?.message ?? "", /a\.txt: not base64/);
  assert.equal((await peer.ask("sessions.describe", { key: "files" })).session, null);

  const attachments = [{ fileName: "a.txt", mimeType: "text/plain", content: "QUFB" }];
  const made = await peer.ask("sessions.create", {
    key: "files",
    idempotencyKey: "c1",
    attachments,
  });
  assert.equal(made.runStarted, true);
  await ended(peer, made.runId);
  const { messages } = await peer.ask("chat.history", { sessionKey: made.key });
  const [, file] = messages[0].content;
  assert.deepEqual([file.fileName, file.mimeType, file.sizeBytes], ["a.txt", "text/plain", 3]);
});

test("a message says who sent it", async () => {
  await using atrium = await openTestAtrium();
  await using named = await atrium.connect({ client: { displayName: "Ada" } });
  await using nameless = await atrium.connect();
  await send(named, "r1", "[[say: one]]");
  await ended(named, "r1");
  await send(nameless, "r2", "[[say: two]]");
  await ended(nameless, "r2");
  const { messages } = await named.ask("chat.history", { sessionKey: "main" });
  const said = messages.filter(({ role }: { role: string }) => role === "user");
  assert.deepEqual(
    said.map(({ senderLabel }: { senderLabel?: string }) => senderLabel),
    ["Ada", undefined],
  );
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

test("[GW-22] what tools do is told to peers that can take it, and is in the history", async () => {
  await using atrium = await openTestAtrium();
  await using plain = await atrium.connect();
  await using able = await atrium.connect({ caps: ["tool-events"] });
  await send(plain, "r1", '[[tool: no_such_tool {"q":1}]] [[say: done]]');
  for (const peer of [plain, able]) await ended(peer, "r1");
  const tools = (peer: Connected) =>
    eventsOf(peer, "agent", "r1").filter(({ stream }) => stream === "tool");
  assert.deepEqual(tools(plain), []);
  assert.deepEqual(
    tools(able).map(({ data }) => [data.phase, data.name]),
    [
      ["start", "no_such_tool"],
      ["result", "no_such_tool"],
    ],
  );
  const { messages } = await plain.ask("chat.history", { sessionKey: "main" });
  assert.deepEqual(
    messages.map(({ role }: { role: string }) => role),
    ["user", "assistant", "toolResult", "assistant"],
  );
  assert.equal(messages[1].content[0].type, "toolCall");
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

test("[GW-25] what cannot be sent is refused with the reason, and nothing is kept", async () => {
  await using atrium = await openTestAtrium({ limits: { maxFileBytes: 10 } });
  await using peer = await atrium.connect();
  const bad: readonly (readonly [object, RegExp])[] = [
    [{ message: "  " }, /no text and no file/i],
    [{ message: "x", sessionKey: "agent:nobody:main" }, /No agent/],
    [{ message: "x", sessionKey: "a b" }, /key is invalid/],
    [{ message: "x".repeat(1_000_001) }, /at \/message/],
    [{ message: "x", sessionId: "other" }, /was reset in the meantime/],
    [{ message: "x", attachments: [{ fileName: "a", content: 5 }] }, /base64/],
    [{ message: "x", attachments: [{ fileName: "a", content: "***" }] }, /not base64/],
    [
      { message: "x", attachments: [{ fileName: "a", content: "QUFBQUFBQUFBQUFB" }] },
      /limit is 10/,
    ],
    [{ message: "x", toolBindings: {} }, /unexpected property 'toolBindings'/],
  ];
  for (const [params, why] of bad) {
    const request = { sessionKey: "main", idempotencyKey: "r1", ...params };
    const refused = await peer.request("chat.send", request);
    assert.equal(refused.ok, false, JSON.stringify(params).slice(0, 100));
    assert.match(refused.error?.message ?? "", why);
  }
  assert.equal((await peer.ask("sessions.list", {})).count, 0);
  await send(peer, "r1", "[[say: fine]]", { attachments: [{ fileName: "a", content: "QUFB" }] });
  await ended(peer, "r1");
});

test("[GW-18] ten thousand keys are all remembered", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const params = (n: number) => ({
    sessionKey: "main",
    message: `note ${n}`,
    idempotencyKey: `k${n}`,
  });
  const first = await peer.ask("chat.inject", params(0));
  for (let n = 1; n < 10_000; n += 250) {
    const many = Array.from({ length: 250 }, (_, each) => params(n + each));
    await Promise.all(many.map((each) => peer.ask("chat.inject", each)));
  }
  assert.deepEqual(await peer.ask("chat.inject", params(0)), first);
  const { totalMessages } = await peer.ask("chat.history", { sessionKey: "main", limit: 1 });
  assert.equal(totalMessages, 10_001);
});

test("[GW-39] an answer typed into a chat answers the permission and is no message", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await using writer = await atrium.connect({ scopes: ["operator.write"] });
  await send(peer, "r1", "[[approve: shell npm publish]] [[say: done]]");
  await peer.first(({ event }) => event === "exec.approval.requested");
  const [open] = await peer.ask("exec.approval.list", {});
  const code = open.request.code ?? open.code;
  assert.match(code, /^[a-km-z]{5}$/);
  const mine = { sessionKey: "notes", message: `yes ${code}`, idempotencyKey: "r2" };
  await writer.ask("chat.send", mine);
  await ended(writer, "r2");
  assert.equal((await peer.ask("exec.approval.list", {})).length, 1);
  const answered = await send(peer, "r3", ` Yes, ${code}. `);
  assert.deepEqual([answered.status, answered.summary], ["ok", "Allowed: shell npm publish"]);
  assert.match((await ended(peer, "r3")).payload.message.content[0].text, /Allowed/);
  assert.match((await ended(peer, "r1")).payload.message.content[0].text, /done/);
  const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
  assert.equal(messages.filter(({ role }: { role: string }) => role === "user").length, 1);
});
