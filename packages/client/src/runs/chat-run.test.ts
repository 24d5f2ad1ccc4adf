import assert from "node:assert/strict";
import { test } from "node:test";
import { ConnectionLost, GatewayError, RequestAborted, RunUnknown } from "../base/errors.ts";
import { Stage, refusal, turn } from "../testing/stage.ts";
import type { RunUpdate } from "./run-update.ts";

const RUN = "key-1";
const place = { runId: RUN, sessionKey: "agent:main:main", agentId: "main", seq: 1 };
const said = (text: string) => ({
  role: "assistant",
  content: [{ type: "text", text }],
  timestamp: 1,
});
const event = (name: string, payload: object) => ({ type: "event", event: name, payload });
const delta = (deltaText: string, text: string, more: object = {}) =>
  event("chat", { ...place, state: "delta", deltaText, message: said(text), ...more });
const final = (text: string, more: object = {}) =>
  event("chat", { ...place, state: "final", message: said(text), stopReason: "stop", ...more });
const agent = (stream: string, data: object) =>
  event("agent", { runId: RUN, seq: 1, stream, ts: 1, data });

/** Reads everything as it comes. */
function collect(updates: AsyncIterable<RunUpdate>): {
  readonly heard: RunUpdate[];
  readonly over: Promise<void>;
} {
  const heard: RunUpdate[] = [];
  const over = (async () => {
    for await (const update of updates) heard.push(update);
  })();
  over.catch(() => undefined);
  return { heard, over };
}

async function begin(stage: Stage): Promise<ReturnType<typeof collect>> {
  await stage.connect();
  const chat = collect(stage.client.chat({ sessionKey: "main", message: "hi" }));
  await turn();
  await stage.answer("chat.send", { runId: RUN, status: "started" });
  return chat;
}

const brief = (heard: readonly RunUpdate[]): string[] =>
  heard.map((update) => {
    switch (update.type) {
      case "text":
        return `+${update.delta}`;
      case "rewritten":
        return `=${update.text}`;
      case "end":
        return `${update.how}: ${update.reason ?? update.text}`;
      case "accepted":
      case "thinking":
      case "tool":
      case "lost":
      case "back":
        return update.type;
    }
  });

test("[CLIENT-24] a chat gives words as they come, then one end", async () => {
  await using stage = new Stage();
  const { heard, over } = await begin(stage);
  assert.deepEqual(stage.askedBy("chat.send")[0]?.["params"], {
    sessionKey: "main",
    message: "hi",
    idempotencyKey: RUN,
  });
  stage.socket.say(delta("One ", "One ")).flush();
  await turn();
  stage.socket
    .say(
      event("chat", {
        ...place,
        runId: "other",
        state: "delta",
        deltaText: "x",
        message: said("x"),
      }),
    )
    .say(delta("two", "One two"))
    .flush();
  await turn();
  const usage = { input: 1, output: 2, totalTokens: 3 };
  stage.socket.say(final("One two", { usage })).say(final("again")).flush();
  await over;
  assert.deepEqual(brief(heard), ["accepted", "+One ", "+two", "completed: One two"]);
  const end = heard.at(-1);
  assert.ok(end?.type === "end");
  assert.deepEqual([end.runId, end.stopReason, end.usage], [RUN, "stop", usage]);
});

test("[CLIENT-25] words that were missed come with the next ones; what is replaced is said anew", async () => {
  await using stage = new Stage();
  const { heard, over } = await begin(stage);
  for (const frame of [
    delta("a", "a"),
    delta("d", "abcd"),
    delta("abcde", "abcde", { replace: true }),
    delta("Z", "Z", { replace: true }),
    final("Zz"),
  ]) {
    stage.socket.say(frame).flush();
    await turn();
  }
  await over;
  assert.deepEqual(brief(heard), ["accepted", "+a", "+bcd", "+e", "=Z", "+z", "completed: Zz"]);
});

test("[CLIENT-24] an answer that was never told in words comes whole before the end", async () => {
  await using stage = new Stage();
  const { heard, over } = await begin(stage);
  stage.socket.say(final("all at once")).flush();
  await over;
  assert.deepEqual(brief(heard), ["accepted", "+all at once", "completed: all at once"]);
});

test("[CLIENT-26] after a lost connection the message is sent again under its key and the end is found", async () => {
  await using stage = new Stage();
  const { heard, over } = await begin(stage);
  const first = stage.askedBy("chat.send")[0]?.["params"];
  stage.socket.say(delta("One ", "One ")).flush();
  await stage.comeBack();
  assert.deepEqual(stage.askedBy("chat.send")[0]?.["params"], first);
  await stage.answer("chat.send", { runId: RUN, status: "ok", endedAt: 2 });
  const terminalReply = { disposition: "visible", text: "One two" };
  await stage.answer("agent.wait", { runId: RUN, status: "ok", stopReason: "stop", terminalReply });
  const usage = { input: 1, output: 2, totalTokens: 3 };
  await stage.answer("chat.history", {
    sessionKey: "main",
    messages: [
      { ...said("One two"), usage, __openclaw: { id: "m", recordTimestampMs: 1, runId: RUN } },
    ],
    pendingInputs: { items: [], total: 0 },
    hasMore: false,
    totalMessages: 1,
    defaults: { modelProvider: null, model: null, contextTokens: null },
  });
  await over;
  assert.deepEqual(brief(heard), [
    "accepted",
    "+One ",
    "lost",
    "back",
    "+two",
    "completed: One two",
  ]);
  const end = heard.at(-1);
  assert.deepEqual(end?.type === "end" && end.usage, usage);
});

test("[CLIENT-26] a run that failed meanwhile ends the chat, though its message is answered with an error", async () => {
  await using stage = new Stage();
  const { heard, over } = await begin(stage);
  await stage.comeBack();
  const error = { code: "UNAVAILABLE", message: "cut off" };
  const payload = { runId: RUN, status: "error", summary: "cut off" };
  const { id } = stage.askedBy("chat.send")[0] ?? {};
  stage.socket.say({ ...refusal(id, error), payload }).flush();
  await turn();
  await stage.answer("agent.wait", { runId: RUN, status: "error", error: "cut off" });
  const { id: asked } = stage.askedBy("chat.history")[0] ?? {};
  stage.socket.say(refusal(asked, { code: "FORBIDDEN", message: "no" })).flush();
  await over;
  assert.deepEqual(brief(heard), ["accepted", "lost", "back", "failed: cut off"]);
});

test("[CLIENT-26] a message whose answer got lost on the way is sent again", async () => {
  await using stage = new Stage();
  await stage.connect();
  const { heard, over } = collect(stage.client.chat({ sessionKey: "main", message: "hi" }));
  await turn();
  const first = stage.askedBy("chat.send")[0]?.["params"];
  await stage.comeBack();
  assert.deepEqual(stage.askedBy("chat.send")[0]?.["params"], first);
  await stage.answer("chat.send", { runId: RUN, status: "in_flight" });
  stage.socket.say(final("ok")).flush();
  await over;
  assert.deepEqual(brief(heard), ["lost", "back", "accepted", "+ok", "completed: ok"]);
});

test("[CLIENT-24] an end that is both told and remembered counts once", async () => {
  await using stage = new Stage();
  const { heard, over } = await begin(stage);
  const terminalReply = { disposition: "visible", text: "ok" };
  const { id } = stage.askedBy("agent.wait")[0] ?? {};
  const payload = { runId: RUN, status: "ok", terminalReply };
  stage.socket.say(final("ok")).say({ type: "res", id, ok: true, payload }).flush();
  await over;
  assert.deepEqual(brief(heard), ["accepted", "+ok", "completed: ok"]);
  assert.deepEqual(stage.askedBy("chat.history"), []);
  assert.deepEqual(stage.problems, []);
});

test("[CLIENT-27] a message that is put off is sent again when asked, under the same key", async () => {
  await using stage = new Stage();
  await stage.connect();
  const { over } = collect(stage.client.chat({ sessionKey: "main", message: "hi" }));
  await turn();
  const busy = { code: "UNAVAILABLE", message: "busy", retryable: true, retryAfterMs: 400 };
  for (let sent = 1; sent <= 6; sent += 1) {
    assert.equal(stage.askedBy("chat.send").length, sent);
    stage.socket.say(refusal(stage.asked["id"], busy)).flush();
    await turn();
    stage.clock.advance(399);
    assert.equal(stage.askedBy("chat.send").length, sent);
    stage.clock.advance(1);
    await turn();
  }
  await assert.rejects(over, /busy/);
  const keys = stage.askedBy("chat.send").map(({ params }) => JSON.stringify(params));
  assert.equal(new Set(keys).size, 1);
});

test("[CLIENT-27] a message that is refused for good is not sent again", async () => {
  await using stage = new Stage();
  await stage.connect();
  const { over } = collect(stage.client.chat({ sessionKey: "main", message: "hi" }));
  await turn();
  stage.socket.say(refusal(stage.asked["id"], { code: "FORBIDDEN", message: "no" })).flush();
  await assert.rejects(over, GatewayError);
  stage.clock.advance(60_000);
  await turn();
  assert.equal(stage.askedBy("chat.send").length, 1);
});

test("[CLIENT-28] a message heeded in another run's turn ends with that run's answer", async () => {
  await using stage = new Stage();
  const { heard, over } = await begin(stage);
  stage.socket.say(final("", { message: undefined, stopReason: "merged" })).flush();
  await turn();
  const terminalReply = { disposition: "visible", text: "both" };
  await stage.answer("agent.wait", { runId: RUN, status: "ok", terminalReply });
  stage.socket.say(refusal(stage.asked["id"], { code: "FORBIDDEN", message: "no" })).flush();
  await over;
  assert.deepEqual(brief(heard), ["accepted", "+both", "completed: both"]);
});

test("[CLIENT-29] a run can be followed by its id; one that nobody knows is an error", async () => {
  await using stage = new Stage();
  await stage.connect();
  const known = collect(stage.client.followRun(RUN));
  await turn();
  stage.socket.say(delta("hi", "hi")).say(final("hi")).flush();
  await known.over;
  assert.deepEqual(brief(known.heard), ["accepted", "+hi", "completed: hi"]);
  const unknown = collect(stage.client.followRun("nobody"));
  await turn();
  await stage.answer("agent.wait", { runId: "nobody", status: "timeout", pending: false });
  await assert.rejects(unknown.over, RunUnknown);
  const long = collect(stage.client.followRun(RUN));
  await turn();
  await stage.answer("agent.wait", { runId: RUN, status: "timeout", pending: true });
  await stage.answer("agent.wait", {
    runId: RUN,
    status: "error",
    error: "aborted",
    stopReason: "rpc",
  });
  await long.over;
  assert.deepEqual(brief(long.heard), ["accepted", "aborted: aborted"]);
});

test("[CLIENT-29] leaving the loop, or the signal, ends the following and nothing else", async () => {
  await using stage = new Stage();
  await stage.connect();
  const leaving = new AbortController();
  const { signal } = leaving;
  const { over } = collect(stage.client.chat({ sessionKey: "main", message: "hi" }, { signal }));
  await turn();
  await stage.answer("chat.send", { runId: RUN, status: "started" });
  const timers = stage.clock.waiting;
  leaving.abort("enough");
  await assert.rejects(over, RequestAborted);
  assert.equal(stage.clock.waiting, timers);
  assert.deepEqual(
    stage.socket.heard.map(({ method }) => method),
    ["connect", "chat.send", "agent.wait"],
  );
});

test("tools and thoughts are told as far as they can be read", async () => {
  await using stage = new Stage();
  const { heard, over } = await begin(stage);
  const tool = { name: "search", toolCallId: "t1" };
  const result = { content: [{ type: "text", text: "found" }] };
  stage.socket
    .say(agent("thinking", { delta: "hm" }))
    .say(agent("tool", { ...tool, phase: "start", args: { q: "x" } }))
    .say(agent("tool", { ...tool, phase: "result", isError: false, result }))
    .say(agent("tool", { phase: "start" }))
    .say(agent("weather", { sunny: true }))
    .say(final("ok"))
    .flush();
  await over;
  const call = { type: "tool", callId: "t1", name: "search" };
  assert.deepEqual(heard.slice(1, 4), [
    { type: "thinking", delta: "hm" },
    { ...call, phase: "start", input: { q: "x" } },
    { ...call, phase: "result", isError: false, text: "found" },
  ]);
  assert.equal(heard.length, 6);
});

test("words that wait for a slow reader are joined", async () => {
  await using stage = new Stage();
  await stage.connect();
  const chat = stage.client.chat({ sessionKey: "main", message: "hi" });
  const first = chat.next();
  await turn();
  await stage.answer("chat.send", { runId: RUN, status: "started" });
  await first;
  const second = chat.next();
  await turn();
  stage.socket.say(delta("a", "a")).flush();
  await second;
  for (const [word, whole] of [
    ["b", "ab"],
    ["c", "abc"],
  ] as const) {
    stage.socket.say(delta(word, whole)).flush();
  }
  stage.socket.say(final("abc")).flush();
  const { value } = await chat.next();
  assert.deepEqual(value, { type: "text", delta: "bc", text: "abc" });
  assert.equal((await chat.next()).value?.type, "end");
  assert.equal((await chat.next()).done, true);
});

test("a chat throws when no connection will come", async () => {
  const stage = new Stage();
  const idle = collect(stage.client.chat({ sessionKey: "main", message: "hi" }));
  await assert.rejects(idle.over, ConnectionLost);
  const { over } = await begin(stage);
  await Promise.all([assert.rejects(over, ConnectionLost), stage[Symbol.asyncDispose]()]);
});

test("a chat throws the server's error when it is not let in again", async () => {
  await using stage = new Stage();
  const { over } = await begin(stage);
  stage.socket.hangUp(1006).flush();
  await turn();
  stage.clock.advance(1_000);
  const id = await stage.challenge();
  const details = { code: "AUTH_TOKEN_MISMATCH" };
  stage.socket
    .say(refusal(id, { code: "INVALID_REQUEST", message: "wrong token", details }))
    .flush();
  await assert.rejects(over, /wrong token/);
});
