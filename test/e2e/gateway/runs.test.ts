import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { begin, ended, ENDS, eventsOf, MAIN, send } from "../../kit/chat-runs.ts";
import type { Connected, Frame } from "../../kit/raw-peer.ts";

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
