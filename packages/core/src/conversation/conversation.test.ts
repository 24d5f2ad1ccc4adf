import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog } from "@atrium/log";
import { createDispatch } from "../engine/dispatch.ts";
import { openProjections } from "../engine/projection-runner.ts";
import { refuse } from "../engine/refusal.ts";
import { BUILT_IN_CREW } from "../people/crew.ts";
import { createConversations } from "../projections/conversations.ts";
import { createTestTime, createTestIds, given } from "../testing/index.ts";
import type { Inject } from "./commands.ts";
import { conversation } from "./conversation.ts";
import type { ConversationEvent } from "./events.ts";
import { MAIN_KEY, resolveKey } from "./key.ts";
import { createTranscript } from "./transcript.ts";
import type { Usage } from "./usage.ts";

const resolve = (written: string, handle?: string) => resolveKey(BUILT_IN_CREW, written, handle);

function inject(sessionKey: string, text = "hello"): Inject {
  const key = resolve(sessionKey);
  assert.ok(key.ok);
  return { type: "inject", key: key.value, messageId: "m1", sessionId: "s1", text, label: null };
}

const opened: ConversationEvent = {
  type: "conversation.opened",
  key: MAIN_KEY,
  agentId: "agent_bd",
  handle: "main",
  isMain: true,
  sessionId: "s1",
};

test("[CORE-15] short, full and shouted keys mean the same conversation", () => {
  for (const written of ["main", "agent:main:main", " Agent:Main:MAIN "]) {
    const key = resolve(written);
    assert.ok(key.ok);
    assert.equal(key.value.text, MAIN_KEY);
    assert.equal(key.value.isMain, true);
  }
  const named = resolve("main", "eng_1");
  assert.ok(named.ok);
  assert.deepEqual([named.value.text, named.value.agentId], ["agent:eng_1:main", "agent_eng_1"]);
});

test("[CORE-15] a key that cannot be read is refused", () => {
  for (const written of ["", "  ", "a b", "a\u0000b", "a\ud800", "line\nbreak", "x".repeat(513)]) {
    const key = resolve(written);
    assert.ok(!key.ok);
    assert.equal(key.code, "conversation.misnamed");
  }
  const torn = resolve("agent:eng_1:main", "main");
  assert.ok(!torn.ok);
  assert.equal(torn.code, "conversation.misnamed");
});

test("[CORE-15] a key that names a stranger is refused", () => {
  assert.deepEqual(resolve("agent:nobody:main"), refuse("agent.unknown", "nobody"));
  assert.deepEqual(resolve("main", "nobody"), refuse("agent.unknown", "nobody"));
});

test("[CORE-15] a main conversation opens with its first message, and only then", () => {
  const first = given(conversation).when(inject("main"));
  assert.ok(first.ok);
  assert.deepEqual(
    first.value.map(({ type }) => type),
    ["conversation.opened", "message.injected"],
  );
  const second = given(conversation, opened).when(inject("main"));
  assert.ok(second.ok);
  assert.deepEqual(
    second.value.map(({ type }) => type),
    ["message.injected"],
  );
});

test("[CORE-15] any other conversation must exist", () => {
  assert.deepEqual(
    given(conversation).when(inject("notes")),
    refuse("conversation.missing", "agent:main:notes"),
  );
});

test("pages are counted from the newest message and read from oldest to newest", async () => {
  await using office = await openOffice();
  for (const text of ["1", "2", "3", "4", "5"]) await office.say("main", text);
  const page = (limit: number, offset: number) => office.transcript(MAIN_KEY, { limit, offset });
  const texts = async (limit: number, offset: number) =>
    (await page(limit, offset)).messages.map(({ text }) => text);
  assert.deepEqual(await texts(2, 0), ["4", "5"]);
  assert.deepEqual(await texts(2, 2), ["2", "3"]);
  assert.deepEqual(await texts(10, 0), ["1", "2", "3", "4", "5"]);
  assert.deepEqual(await texts(10, 9), []);
  assert.deepEqual([(await page(4, 0)).hasMore, (await page(5, 0)).hasMore], [true, false]);
});

test("conversations are listed by latest activity", async () => {
  await using office = await openOffice();
  await office.say("main", "one");
  await office.say("agent:eng_1:main", "two");
  await office.say("main", "three");
  const rows = office.conversations.list();
  assert.deepEqual(
    rows.map(({ key, messages, preview }) => [key, messages, preview]),
    [
      [MAIN_KEY, 2, "three"],
      ["agent:eng_1:main", 1, "two"],
    ],
  );
  assert.ok((rows[0]?.updatedAt ?? 0) > (rows[0]?.createdAt ?? 0));
});

test("[CORE-22] a conversation sums what its runs used, also from before costs were told", () => {
  const conversations = createConversations();
  let seq = 0;
  const happened = (type: string, data: object): void => {
    seq += 1;
    conversations.apply({ seq, at: seq, stream: `conversation/${MAIN_KEY}`, type, data });
  };
  const ended = (cost?: number): Usage | undefined => {
    const usage = { inputTokens: 10, outputTokens: 1, ...(cost !== undefined && { cost }) };
    const run = { runId: `r${seq}`, messageId: `m${seq}`, text: "ok", stopReason: "stop" };
    happened("run.completed", { ...run, usage });
    return conversations.get(MAIN_KEY)?.usage;
  };
  const who = { agentId: "agent_bd", handle: "main", isMain: true, sessionId: "s1" };
  happened("conversation.opened", { key: MAIN_KEY, ...who });
  assert.deepEqual(ended(0.5), { inputTokens: 10, outputTokens: 1, cost: 0.5 });
  assert.deepEqual(ended(0.25), { inputTokens: 20, outputTokens: 2, cost: 0.75 });
  const partly = { cost: 0.75, isCostPartial: true };
  assert.deepEqual(ended(), { inputTokens: 30, outputTokens: 3, ...partly });
  happened("conversation.reset", { sessionId: "s2", reason: "new" });
  assert.deepEqual(ended(), { inputTokens: 10, outputTokens: 1 });
});

async function openOffice() {
  const log = openMemoryLog();
  const clock = createTestTime();
  const ids = createTestIds();
  const conversations = createConversations();
  const projections = await openProjections(log, [conversations]);
  const dispatch = createDispatch({ log, clock, settled: (seq) => projections.settled(seq) });
  return {
    conversations,
    transcript: createTranscript(log),
    async say(sessionKey: string, text: string) {
      clock.advance(1_000);
      const command = { ...inject(sessionKey, text), messageId: ids.next(), sessionId: ids.next() };
      assert.equal((await dispatch(conversation, command.key.text, command)).ok, true);
    },
    async [Symbol.asyncDispose]() {
      await projections.close();
      await log.close();
    },
  };
}
