import assert from "node:assert/strict";
import { test } from "node:test";
import { openConversation } from "./conversation.ts";
import { settle, TestLine } from "./testing/test-line.ts";

const KEY = "agent:main:talk";
const words = (id: string, role: string, text: string): object => ({
  role,
  content: [{ type: "text", text }],
  timestamp: 1,
  __openclaw: { id, recordTimestampMs: 1 },
});
const page = (messages: readonly object[], more: object = {}): object => ({
  messages,
  deltaCursor: "s:1",
  sessionInfo: { key: KEY, hasActiveRun: false },
  ...more,
});
const chat = (state: string, more: object = {}): object => ({
  runId: "r1",
  sessionKey: KEY,
  state,
  ...more,
});

test("[PAGE-5] words are shown as they come, until the history has them", async () => {
  const stage = new TestLine();
  stage.answer = () => page([words("a", "user", "Hi")]);
  const { store } = openConversation(stage.line, "talk");
  await settle();
  assert.equal(store.getState().messages.length, 1);

  stage.say("chat", chat("delta", { message: words("b", "assistant", "Hel") }));
  stage.say("chat", chat("delta", { message: words("b", "assistant", "Hello") }));
  stage.say("chat", {
    ...chat("delta", { message: words("x", "assistant", "No") }),
    sessionKey: "other",
  });
  assert.deepEqual([...store.getState().streaming], [["r1", { text: "Hello", tool: undefined }]]);

  const answered = Promise.withResolvers<object>();
  stage.answer = () => answered.promise;
  stage.say("chat", chat("final"));
  await settle();
  assert.equal(store.getState().streaming.size, 1, "what was heard stays until the whole is there");
  answered.resolve(page([words("b", "assistant", "Hello")], { kind: "delta" }));
  await settle();
  assert.equal(store.getState().streaming.size, 0);
  assert.equal(store.getState().messages.length, 2);
  assert.deepEqual(stage.calls.at(-1)?.params, { sessionKey: "talk", cursor: "s:1" });
});

test("[PAGE-5] a conversation that was reset is read from its beginning", async () => {
  const stage = new TestLine();
  stage.answer = () => page([words("a", "user", "Old")]);
  const { store } = openConversation(stage.line, KEY);
  await settle();
  stage.answer = (_name, params: { cursor?: string }) =>
    params.cursor === undefined
      ? page([words("z", "user", "New")])
      : { messages: [], kind: "reset" };
  stage.say("session.message", { sessionKey: KEY });
  await settle();
  assert.deepEqual(
    store.getState().messages.map((message) => message.content),
    [[{ type: "text", text: "New" }]],
  );
});

test("[PAGE-5] earlier pages come before what is there, and a return makes up for what was missed", async () => {
  const stage = new TestLine();
  stage.answer = () => page([words("c", "user", "3")], { nextOffset: 1 });
  const conversation = openConversation(stage.line, KEY);
  await settle();
  stage.answer = () => page([words("a", "user", "1"), words("b", "user", "2")]);
  await conversation.readEarlier();
  const idsNow = (): readonly unknown[] =>
    conversation.store.getState().messages.map((message) => message.__openclaw?.id);
  assert.deepEqual(idsNow(), ["a", "b", "c"]);
  assert.equal(conversation.store.getState().earlierOffset, undefined);
  stage.answer = () => page([words("d", "user", "4")], { kind: "delta" });
  stage.say("state", { state: "ready" });
  await settle();
  assert.deepEqual(idsNow(), ["a", "b", "c", "d"]);
});

test("[PAGE-5] what is refused is said", async () => {
  const stage = new TestLine();
  stage.answer = (name) => {
    if (name === "chat.send") throw new Error("too long");
    return page([]);
  };
  const conversation = openConversation(stage.line, KEY);
  assert.equal(await conversation.send("Hi"), "too long");
  assert.equal(await conversation.stop(), undefined);
});
