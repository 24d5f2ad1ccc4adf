import assert from "node:assert/strict";
import { test } from "node:test";
import { refuse } from "../engine/refusal.ts";
import { BUILT_IN_CREW } from "../people/crew.ts";
import { given } from "../testing/index.ts";
import type { ConversationCommand, Ending, Send } from "./commands.ts";
import { conversation } from "./conversation.ts";
import type { ConversationEvent, QueueMode } from "./events.ts";
import { resolveKey } from "./key.ts";

const MODEL = { provider: "p", model: "m" };
const NOTHING = { inputTokens: 0, outputTokens: 0 };
const DONE: Ending = { how: "completed", stopReason: "stop" };

function send(runId: string, mode: QueueMode = "followup"): Send {
  const key = resolveKey(BUILT_IN_CREW, "main");
  assert.ok(key.ok);
  return {
    type: "send",
    key: key.value,
    runId,
    messageId: `m-${runId}`,
    sessionId: "s1",
    expectedSessionId: null,
    text: `say ${runId}`,
    attachments: [],
    mode,
    isCommand: false,
    from: { clientId: "test", clientMode: "test", name: null },
    model: null,
    thinking: null,
    instructions: null,
    timeoutMs: null,
  };
}

const start = (runId: string): ConversationCommand => ({ type: "start", runId, model: MODEL });
const settle = (runId: string, ending: Ending = DONE): ConversationCommand => ({
  type: "settle",
  runId,
  messageId: `a-${runId}`,
  text: "answer",
  usage: NOTHING,
  ending,
});
const stop = (runId: string | null): ConversationCommand => ({
  type: "stop",
  runId,
  reason: "enough",
  messageId: "x",
});

/** What happens when these are asked one after the other; each must be granted. */
function after(...commands: readonly ConversationCommand[]): readonly ConversationEvent[] {
  const history: ConversationEvent[] = [];
  for (const command of commands) {
    const outcome = given(conversation, ...history).when(command);
    assert.ok(outcome.ok, JSON.stringify(outcome));
    history.push(...outcome.value);
  }
  return history;
}

function when(history: readonly ConversationEvent[], command: ConversationCommand) {
  return given(conversation, ...history).when(command);
}

function types(history: readonly ConversationEvent[], command: ConversationCommand): string[] {
  const outcome = when(history, command);
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.value.map((event) =>
    "runId" in event ? `${event.type} ${event.runId}` : event.type,
  );
}

test("[CORE-16] a message and the run that will answer it are one fact, and open the conversation", () => {
  assert.deepEqual(types([], send("r1")), ["conversation.opened", "run.requested r1"]);
  assert.deepEqual(types(after(send("r1")), send("r2")), ["run.requested r2"]);
});

test("[CORE-16] only the first in line starts, and only when nothing is under way", () => {
  const waiting = after(send("r1"), send("r2"));
  assert.deepEqual(when(waiting, start("r2")), refuse("run.not-next", "r2"));
  assert.deepEqual(types(waiting, start("r1")), ["run.started r1"]);
  const running = after(send("r1"), send("r2"), start("r1"));
  assert.deepEqual(when(running, start("r2")), refuse("run.not-next", "r2"));
  const next = after(send("r1"), send("r2"), start("r1"), settle("r1"));
  assert.deepEqual(types(next, start("r2")), ["run.started r2"]);
});

test("[CORE-17] a run ends once, whoever comes late with another ending", () => {
  const endings: Ending[] = [
    DONE,
    { how: "failed", kind: "unknown", reason: "broke" },
    { how: "aborted", reason: "enough" },
  ];
  for (const first of endings) {
    const ended = after(send("r1"), start("r1"), settle("r1", first));
    for (const second of endings) {
      assert.deepEqual(when(ended, settle("r1", second)), refuse("run.settled", "r1"));
    }
    assert.deepEqual(types(ended, stop("r1")), []);
    assert.deepEqual(when(ended, start("r1")), refuse("run.not-next", "r1"));
  }
  assert.deepEqual(when(after(send("r1")), settle("r1")), refuse("run.settled", "r1"));
});

test("[CORE-18] stopping ends what waits at once and what is under way when it has let go", () => {
  const busy = after(send("r1"), send("r2"), send("r3"), start("r1"));
  assert.deepEqual(types(busy, stop("r2")), ["run.aborted r2"]);
  assert.deepEqual(types(busy, stop(null)), [
    "run.stopping r1",
    "run.aborted r2",
    "run.aborted r3",
  ]);
  const stopping = [...busy, ...events(busy, stop("r1"))];
  assert.deepEqual(types(stopping, stop("r1")), []);
  for (const how of [DONE, { how: "failed", kind: "unknown", reason: "broke" } as const]) {
    const [ended] = events(stopping, settle("r1", how));
    assert.ok(ended?.type === "run.aborted");
    assert.deepEqual([ended.reason, ended.text], ["enough", "answer"]);
  }
});

function events(history: readonly ConversationEvent[], command: ConversationCommand) {
  const outcome = when(history, command);
  assert.ok(outcome.ok);
  return outcome.value;
}

test("[CORE-19] an interrupting message stops what is under way and waits for its turn", () => {
  const busy = after(send("r1"), start("r1"));
  assert.deepEqual(types(busy, send("r2", "interrupt")), ["run.requested r2", "run.stopping r1"]);
  assert.deepEqual(types(after(send("r1")), send("r2", "interrupt")), ["run.requested r2"]);
});

test("[CORE-19] messages to be collected are answered together, up to the first that is not", () => {
  const line = after(
    send("r1"),
    start("r1"),
    send("r2", "collect"),
    send("r3", "collect"),
    send("r4"),
    send("r5", "collect"),
    settle("r1"),
  );
  assert.deepEqual(types(line, start("r2")), ["run.started r2", "run.merged r3"]);
  const [started] = events(line, start("r2"));
  assert.ok(started?.type === "run.started");
  assert.deepEqual(started.collects, ["r3"]);
});

test("[CORE-19] a waiting message that the turn has taken in ends with it", () => {
  const busy = after(send("r1"), start("r1"), send("r2", "steer"));
  const merge = { type: "merge", runId: "r2", into: "r1" } as const;
  assert.deepEqual(types(busy, merge), ["run.merged r2"]);
  assert.deepEqual(when([...busy, ...events(busy, merge)], merge), refuse("run.settled", "r2"));
  const late = [...busy, ...events(busy, settle("r1"))];
  assert.deepEqual(when(late, merge), refuse("run.settled", "r2"));
});

test("[CORE-17] every tool call has one return, also when the turn ends before it", () => {
  const call = {
    type: "call-tool",
    runId: "r1",
    messageId: "c",
    callId: "1",
    name: "look",
  } as const;
  const back = { type: "return-tool", runId: "r1", messageId: "b", callId: "1" } as const;
  const called = after(send("r1"), start("r1"), { ...call, input: {} });
  const returned = { ...back, text: "found", isError: false };
  assert.deepEqual(types(called, returned), ["run.tool.returned r1"]);
  assert.deepEqual(
    when([...called, ...events(called, returned)], returned),
    refuse("run.settled", "r1"),
  );
  assert.deepEqual(types(called, settle("r1")), ["run.tool.returned r1", "run.completed r1"]);
  const idle = after(send("r1"));
  assert.deepEqual(when(idle, { ...call, input: {} }), refuse("run.settled", "r1"));
});

test("what is made belongs to the run under way", () => {
  const artifact = { name: "plan.md", mediaType: "text/markdown", bytes: 4, digest: "d" };
  const deliver = { type: "deliver", runId: "r1", artifactId: "a1", artifact } as const;
  assert.deepEqual(types(after(send("r1"), start("r1")), deliver), ["run.delivered r1"]);
  assert.deepEqual(when(after(send("r1")), deliver), refuse("run.settled", "r1"));
});

test("[CORE-20] a conversation that is reset or deleted ends its runs, and says so once each", () => {
  const busy = after(send("r1"), send("r2"), start("r1"));
  const reset = { type: "reset", sessionId: "s2", reason: "new", expectedSessionId: null } as const;
  assert.deepEqual(types(busy, { ...reset, by: null }), [
    "run.aborted r1",
    "run.aborted r2",
    "conversation.reset",
  ]);
  assert.deepEqual(types(busy, { ...reset, by: "r1" }), ["run.aborted r2", "conversation.reset"]);
  const remove = { type: "delete", expectedSessionId: null } as const;
  assert.deepEqual(when(busy, remove), refuse("conversation.main"));
});

test("[CORE-16] a sender that does not listen is told so", () => {
  const many = Array.from({ length: 200 }, (_, n) => send(`r${n}`));
  assert.deepEqual(when(after(...many), send("more")), refuse("conversation.full", "200 waiting"));
});

test("[PAGE-10] a message names the conversation it opens, and none that is open already", () => {
  const named = { ...send("r1"), label: "Draw a kite" };
  const patched = (written: readonly ConversationEvent[]) =>
    written.filter(({ type }) => type === "conversation.patched");
  const first = given(conversation).when(named);
  assert.ok(first.ok);
  assert.deepEqual(patched(first.value), [
    { type: "conversation.patched", changes: { label: "Draw a kite" } },
  ]);
  const later = given(conversation, ...first.value).when({ ...named, runId: "r2" });
  assert.ok(later.ok);
  assert.deepEqual(patched(later.value), []);
});

const CALLS: ConversationCommand = {
  type: "request-calls",
  runId: "r1",
  callIds: ["c1", "c2"],
  textLength: 3,
  usage: NOTHING,
  kept: { digest: "calls", bytes: 5 },
};

function answering(...callIds: readonly string[]): Send {
  const kept = callIds.length === 0 ? null : { digest: "results", bytes: 7 };
  return { ...send("r2"), answers: { callIds, kept } };
}

test("[CORE-57] a run goes on once all results are there, and asks again under the next number", () => {
  const waiting = after(send("r1"), start("r1"), CALLS);
  assert.deepEqual(when(waiting, answering("c2", "c1")), {
    ok: true,
    value: [{ type: "run.calls.answered", runId: "r1", number: 1, digest: "results", bytes: 7 }],
  });
  assert.deepEqual(when(waiting, CALLS), refuse("run.settled", "r1"));
  const again = after(send("r1"), start("r1"), CALLS, answering("c1", "c2"), CALLS).at(-1);
  assert.ok(again?.type === "run.calls.requested");
  assert.equal(again.number, 2);
  assert.deepEqual(when(after(send("r1")), CALLS), refuse("run.settled", "r1"));
});

test("[CORE-57] a client that goes on with something else gives up the run that waits for it", () => {
  const waiting = after(send("r1"), start("r1"), CALLS);
  const goesOn = ["run.requested r2", "run.stopping r1"];
  assert.deepEqual(types(waiting, answering()), goesOn);
  assert.deepEqual(types(waiting, answering("c1")), goesOn);
  assert.deepEqual(types(waiting, answering("c1", "other")), goesOn);
  // Others may talk meanwhile, and whoever waits for nothing is left alone.
  assert.deepEqual(types(waiting, send("r2")), ["run.requested r2"]);
  const working = after(send("r1"), start("r1"), CALLS, answering("c1", "c2"));
  assert.deepEqual(types(working, answering("c1", "c2")), ["run.requested r2"]);
  const stopping = after(send("r1"), start("r1"), CALLS, stop("r1"));
  assert.deepEqual(types(stopping, answering("c1", "c2")), ["run.requested r2"]);
});
