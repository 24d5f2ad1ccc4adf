import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog } from "@atrium/log";
import { createDispatch } from "../engine/dispatch.ts";
import { openProjections } from "../engine/projection-runner.ts";
import { refuse } from "../engine/refusal.ts";
import { BUILT_IN_CREW } from "../people/crew.ts";
import { createConversations } from "../projections/conversations.ts";
import { createReadRun } from "../projections/run-record.ts";
import { createRuns } from "../projections/runs.ts";
import { createTestTime, createTestIds } from "../testing/index.ts";
import type { ConversationCommand } from "./commands.ts";
import { conversation } from "./conversation.ts";
import type { QueueMode } from "./events.ts";
import { createHistory } from "./history.ts";
import { resolveKey } from "./key.ts";
import { createTranscript } from "./transcript.ts";

const EVERYTHING = 1_000_000;
const USED = { inputTokens: 3, outputTokens: 4 };

test("[CORE-21] the past is in the order of answers, without what still waits", async () => {
  await using office = await openOffice("notes");
  await office.send("r1", "one");
  await office.start("r1");
  await office.send("r2", "two");
  await office.send("r3", "three");
  await office.settle("r1", "first");
  await office.start("r2");
  await office.settle("r2", "second");
  const before = await office.start("r3");
  assert.deepEqual(await office.past(before), ["one", "> first", "two", "> second"]);
});

test("[CORE-21] messages answered together are told together, and the past is bounded", async () => {
  await using office = await openOffice("notes");
  await office.send("r1", "one", "collect");
  await office.send("r2", "two", "collect");
  await office.start("r1");
  await office.settle("r1", "both");
  assert.deepEqual(await office.past(), ["one", "two", "> both"]);
  assert.deepEqual(await office.history(office.key, EVERYTHING, 6), [
    { role: "assistant", text: "both" },
  ]);
});

test("[CORE-21] what the agent said to the same people elsewhere is at its place, and bounded too", async () => {
  await using office = await openOffice("notes");
  const asides = [{ seq: 0.5, text: "before all" }];
  const aside = (seq: number, text: string): void => void asides.push({ seq, text });
  const past = async (before: number, maxChars = EVERYTHING): Promise<string[]> => {
    const history = createHistory(office.log, (key) => (key === office.key ? asides : []));
    const messages = await history(office.key, before, maxChars);
    return messages.map(({ role, text }) => (role === "user" ? text : `> ${text}`));
  };
  await office.send("r1", "one");
  aside((await office.start("r1")) + 0.5, "while it works");
  aside((await office.settle("r1", "first")) + 0.5, "after it");
  const before = await office.send("r2", "two");
  aside(before + 0.5, "too late");
  const all = ["> before all", "one", "> while it works", "> first", "> after it"];
  assert.deepEqual(await past(before), all);
  assert.deepEqual(await past(before, "onefirstafter it".length), ["one", "> first", "> after it"]);
  assert.deepEqual(await past(before, "first".length), ["> first"]);
  const reset = { type: "reset", reason: "new", expectedSessionId: null, by: null } as const;
  await office.tell({ ...reset, sessionId: "s2" });
  aside(1_000, "since then");
  assert.deepEqual(await past(EVERYTHING), ["> since then"]);
});

test("[CORE-20] what was said before a reset is neither shown nor told", async () => {
  await using office = await openOffice("notes");
  await office.send("r1", "one");
  await office.start("r1");
  await office.settle("r1", "first");
  const reset = { type: "reset", reason: "new", expectedSessionId: null, by: null } as const;
  await office.tell({ ...reset, sessionId: "s2" });
  assert.deepEqual(await office.past(), []);
  await office.send("r2", "two");
  const page = await office.transcript(office.key, { limit: 10, offset: 0 });
  assert.deepEqual(
    page.messages.map(({ text }) => text),
    ["two"],
  );
  const row = office.conversations.get(office.key);
  assert.deepEqual([row?.sessionId, row?.messages, row?.usage.outputTokens], ["s2", 1, 0]);
});

test("[CORE-20] a conversation that is no longer the one that was meant is left alone", async () => {
  await using office = await openOffice("notes");
  await office.send("r1", "one");
  const another = await office.ask({ type: "delete", expectedSessionId: "other" });
  assert.ok(!another.ok);
  assert.equal(another.code, "conversation.changed");
  const sessionId = office.conversations.get(office.key)?.sessionId ?? "";
  await office.tell({ type: "patch", changes: { label: "Notes", notes: { color: "red" } } });
  await office.tell({ type: "patch", changes: { notes: { icon: "pen" } } });
  const { settings } = office.conversations.get(office.key) ?? assert.fail();
  assert.deepEqual([settings.label, settings.notes], ["Notes", { color: "red", icon: "pen" }]);
  await office.tell({ type: "delete", expectedSessionId: sessionId });
  assert.equal(office.conversations.get(office.key), undefined);
  assert.deepEqual(
    await office.ask({ type: "patch", changes: {} }),
    refuse("conversation.missing"),
  );
});

test("open runs are known, and how one ended is read from the log", async () => {
  await using office = await openOffice("notes");
  await office.send("r1", "one");
  await office.send("r2", "two");
  await office.start("r1");
  assert.deepEqual(
    office.runs.open().map(({ runId, state }) => [runId, state]),
    [
      ["r1", "running"],
      ["r2", "queued"],
    ],
  );
  await office.settle("r1", "first");
  const row = office.runs.get("r1") ?? assert.fail();
  assert.equal(row.state, "completed");
  const request = await office.readRun.request(row);
  const ended = await office.readRun.end(row);
  assert.deepEqual(
    [request?.text, ended?.type === "run.completed" && ended.text],
    ["one", "first"],
  );
  const found = await office.readRun.findEnd(office.key, "r1", row.requestSeq);
  assert.deepEqual(found?.ended, ended);
});

const UNSET = { model: null, thinking: null, instructions: null, timeoutMs: null };
const REQUEST = { attachments: [], mode: "queue", isCommand: false, from: {}, ...UNSET };

test("the latest runs that have ended are remembered, over a snapshot too", async () => {
  const runs = createRuns();
  for (let n = 1; n <= 5_002; n++) {
    const entry = { stream: "conversation/agent:main:main", at: n };
    const request = { ...REQUEST, runId: `r${n}`, messageId: "m", text: "" };
    runs.apply({ ...entry, seq: 2 * n, type: "run.requested", data: request });
    const into = { runId: `r${n}`, into: "r0" };
    runs.apply({ ...entry, seq: 2 * n + 1, type: "run.merged", data: into });
  }
  const again = createRuns();
  again.load(JSON.parse(JSON.stringify(runs.save())));
  for (const each of [runs, again]) {
    assert.equal(each.get("r2"), undefined);
    assert.equal(each.get("r3")?.into, "r0");
    assert.equal(each.get("r5002")?.state, "merged");
    assert.deepEqual(each.open(), []);
  }
});

async function openOffice(name: string) {
  const log = openMemoryLog();
  const ids = createTestIds();
  const conversations = createConversations();
  const runs = createRuns();
  const projections = await openProjections(log, [conversations, runs]);
  const settled = (seq: number) => projections.settled(seq);
  const dispatch = createDispatch({ log, clock: createTestTime(), settled });
  const key = resolveKey(BUILT_IN_CREW, name);
  assert.ok(key.ok);
  const history = createHistory(log);
  const ask = (command: ConversationCommand) => dispatch(conversation, key.value.text, command);
  const tell = async (command: ConversationCommand): Promise<number> => {
    const done = await ask(command);
    assert.ok(done.ok, JSON.stringify(done));
    return done.value.position.seq - (done.value.events.length - 1);
  };
  return {
    log,
    key: key.value.text,
    conversations,
    runs,
    history,
    transcript: createTranscript(log),
    readRun: createReadRun(log),
    ask,
    tell,
    send: (runId: string, text: string, mode: QueueMode = "followup") =>
      tell({
        type: "send",
        key: key.value,
        runId,
        messageId: ids.next(),
        sessionId: ids.next(),
        expectedSessionId: null,
        text,
        attachments: [],
        mode,
        isCommand: false,
        from: { clientId: "test", clientMode: "test", name: null },
        model: null,
        thinking: null,
        instructions: null,
        timeoutMs: null,
      }),
    start: (runId: string) => tell({ type: "start", runId, model: { provider: "p", model: "m" } }),
    settle: (runId: string, text: string) =>
      tell({
        type: "settle",
        runId,
        messageId: ids.next(),
        text,
        usage: USED,
        ending: { how: "completed", stopReason: "stop" },
      }),
    async past(before = EVERYTHING): Promise<string[]> {
      const messages = await history(key.value.text, before, EVERYTHING);
      return messages.map(({ role, text }) => (role === "user" ? text : `> ${text}`));
    },
    async [Symbol.asyncDispose]() {
      await projections.close();
      await log.close();
    },
  };
}
