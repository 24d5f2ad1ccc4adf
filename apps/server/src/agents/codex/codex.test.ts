import assert from "node:assert/strict";
import { test } from "node:test";
import { gone, isAlive } from "../../../../../test/kit/processes.ts";
import { createTestHost } from "../testing/test-host.ts";
import { textIn, turnOf, typesIn } from "../testing/turns.ts";
import { describeAgentRuntime, type Situation } from "../turn/agent-runtime.contract.ts";
import type { Turn, TurnEvent } from "../turn/agent-runtime.ts";
import { codexPrompt, type CodexStep } from "./testing/codex-double.ts";
import { failureIn, openStage } from "./testing/codex-stage.ts";

const lookup = { type: "dynamicToolCall", id: "t1", tool: "lookup", arguments: { q: "tide" } };

describeAgentRuntime(
  "codex",
  (situation) => {
    // One that is not let go is the only one there may be.
    const stage = openStage([], situation.type === "talks on" ? { maxProcesses: 1 } : {});
    return Promise.resolve({
      runtime: stage.runtime,
      prompt: codexPrompt(...stepsFor(situation)),
      letGo: async () => assert.equal(await stage.say({ say: "free" }), "free"),
      promptFor: (answer) => codexPrompt(...stepsFor({ type: "answers", answer })),
      speed: 1,
      [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
    });
  },
  { tools: "own" },
);

function stepsFor(situation: Situation): readonly CodexStep[] {
  switch (situation.type) {
    case "answers":
      return [{ say: situation.answer.slice(0, 5), whole: situation.answer }];
    case "uses a tool": {
      const { returns, answer } = situation;
      if (returns === "never") return [{ item: lookup }, { hang: "interruptible" }];
      const contentItems = [{ type: "inputText", text: returns.text }];
      const completed = { status: "completed", contentItems, success: !returns.isError };
      return [{ item: lookup, completed }, { usage: [10, 5] }, { say: answer }];
    }
    case "talks on":
      return [{ talkOn: true }];
    case "is silent":
      return [{ hang: "interruptible" }];
  }
}

test("[CODEX-1] thoughts, words and tools are told as they come, each tool once", async () => {
  await using stage = openStage();
  const events = await stage.play([
    { think: "Hm." },
    { say: "Let me look." },
    { item: lookup, completed: { status: "completed", contentItems: [{ text: "high" }] } },
    { say: "High tide." },
  ]);
  assert.deepEqual(events.slice(0, -2), [
    { type: "thinking", delta: "Hm." },
    { type: "text", delta: "Let me look." },
    { type: "tool.called", id: "t1", name: "lookup", input: { q: "tide" } },
    { type: "tool.returned", id: "t1", text: "high", isError: false },
    { type: "text", delta: "\n\nHigh tide." },
  ]);
});

test("[CODEX-7] tokens are what the thread's totals grew by in the turn; its cost is unknown without a price", async () => {
  await using stage = openStage();
  const usageOf = async (...steps: readonly CodexStep[]): Promise<unknown> =>
    (await stage.play(steps)).findLast((event) => event.type === "usage")?.usage;
  assert.deepEqual(await usageOf({ usage: [100, 20] }, { usage: [50, 5, 40] }), {
    inputTokens: 150,
    outputTokens: 25,
    cachedInputTokens: 40,
  });
  assert.deepEqual(await usageOf({ usage: [7, 3] }), { inputTokens: 7, outputTokens: 3 });
});

test("[CODEX-7] with a price, a turn of the model of the settings costs its own tokens", async () => {
  const price = { inputPerMillion: 1, outputPerMillion: 1 };
  await using stage = openStage([], { model: "m1", price });
  const usageIn = (events: readonly TurnEvent[]): unknown =>
    events.findLast((event) => event.type === "usage")?.usage;
  const costOf = async (turn: Partial<Turn>, ...steps: readonly CodexStep[]): Promise<unknown> =>
    usageIn(await stage.play(steps, { turn }));
  const first = { inputTokens: 400_000, outputTokens: 100_000, cost: 0.5 };
  assert.deepEqual(await costOf({}, { usage: [400_000, 100_000] }), first);
  const second = { inputTokens: 100_000, outputTokens: 0 };
  assert.deepEqual(await costOf({}, { usage: [100_000, 0] }), { ...second, cost: 0.1 });
  const priced = { wishes: { model: "openai/m1" } };
  assert.deepEqual(await costOf(priced, { usage: [100_000, 0] }), { ...second, cost: 0.1 });
  const other = { wishes: { model: "openai/m2" } };
  assert.deepEqual(await costOf(other, { usage: [100_000, 0] }), second);
});

test("[CODEX-4] an abort interrupts the turn, after which the same process goes on", async () => {
  await using stage = openStage();
  const pid = await stage.say({ tell: "pid" });
  const host = createTestHost({ speed: 1 });
  for await (const event of stage.runtime.start(turnOf(codexPrompt({ talkOn: true })), host)) {
    if (event.type === "text") host.abort();
  }
  assert.equal(await stage.say({ tell: "pid" }), pid);
});

test("[CODEX-4] a Codex that does not heed an interruption is ended", async () => {
  await using stage = openStage();
  const host = createTestHost({ speed: 1 });
  let pid = 0;
  const prompt = codexPrompt({ tell: "pid" }, { hang: "deaf" });
  for await (const event of stage.runtime.start(turnOf(prompt), host)) {
    if (event.type !== "text") continue;
    pid = Number(event.delta);
    host.abort();
  }
  assert.equal(isAlive(pid), false);
  assert.notEqual(await stage.say({ tell: "pid" }), String(pid));
});

test("[CODEX-4] an abort ends the commands that go on in the background", async () => {
  await using stage = openStage();
  const host = createTestHost({ speed: 1, requestPermission: () => Promise.resolve("allowed") });
  const prompt = codexPrompt({ run: "sleep", leaves: true }, { hang: "interruptible" });
  let pid = 0;
  for await (const event of stage.runtime.start(turnOf(prompt), host)) {
    if (event.type !== "tool.returned") continue;
    pid = Number.parseInt(event.text, 10);
    host.abort();
  }
  await gone([pid]);
  assert.equal(await stage.say({ say: "still here" }), "still here");
});

test("[CODEX-1] images and texts are sent, everything else is named", async () => {
  const text = { name: "a.txt", mediaType: "text/plain", data: "aGk=" };
  const image = { name: "a.png", mediaType: "image/png", data: "iVBO" };
  const other = { name: "a.zip", mediaType: "application/zip", data: "UEs=" };
  await using stage = openStage();
  const turn = { attachments: [text, image, other] };
  const said = textIn(await stage.play([{ echo: "input" }], { turn }));
  assert.match(said, /^I cannot read a\.zip /);
  assert.match(said, /Attached file a\.txt:.*"type":"image","url":"data:image\/png;base64,iVBO"/);
  assert.match(said, /The person also attached a\.zip/);
});

test("[CODEX-1] what a command puts out is told before its result, plain", async () => {
  await using stage = openStage();
  const events = await stage.play([{ run: "\u001B[31mred" }], {
    requestPermission: () => Promise.resolve("allowed"),
  });
  const types = typesIn(events).filter((type) => type.startsWith("tool."));
  assert.deepEqual(types, ["tool.called", "tool.output", "tool.returned"]);
  const output = events.find((event) => event.type === "tool.output");
  assert.equal(output?.text, "red\n");
  assert.deepEqual(
    events.flatMap((event) => ("id" in event ? [event.id] : [])),
    Array.from({ length: 3 }, () => output?.id),
  );
});

test("[CODEX-1] a plan is told as progress", async () => {
  await using stage = openStage();
  const plan = [
    { step: "Look", status: "completed" },
    { step: "Write", status: "inProgress" },
    { step: "Check", status: "pending" },
  ];
  const events = await stage.play([{ notify: "turn/plan/updated", params: { plan } }]);
  assert.deepEqual(events[0], { type: "progress", text: "Write", percent: 33 });
});

test("[CODEX-1] items and notifications that are not known are passed over", async () => {
  await using stage = openStage();
  const events = await stage.play([
    { item: { type: "hologram", id: "h1" }, completed: { status: "completed" } },
    { notify: "turn/hologram/updated", params: { plan: "__proto__" } },
    { notify: "__proto__", params: {} },
    { notify: "item/started", params: { item: null } },
    { print: "not the protocol" },
    { say: "Still here." },
  ]);
  assert.deepEqual(typesIn(events), ["text", "usage", "completed"]);
});

test("[CODEX-1] another thread of the same program is not heard", async () => {
  await using stage = openStage();
  const delta = { itemId: "m", delta: "a title" };
  const events = await stage.play([
    { notify: "item/agentMessage/delta", params: { ...delta, threadId: "other" } },
    { notify: "turn/completed", params: { threadId: "other", turn: { status: "failed" } } },
    { say: "Mine." },
  ]);
  assert.equal(textIn(events), "Mine.");
});

test("[CODEX-6] the model and the effort of a turn are said with each turn", async () => {
  await using stage = openStage([], { model: "gpt-set" });
  const told = async (wishes: object): Promise<Record<string, unknown>> => {
    const events = await stage.play([{ tell: "turn" }], { turn: { wishes } });
    return JSON.parse(textIn(events)) as Record<string, unknown>;
  };
  const { threadId, ...first } = await told({});
  assert.deepEqual(first, { model: "gpt-set" });
  const wished = await told({ model: "codex/gpt-wish", thinking: "high" });
  assert.deepEqual(wished, { threadId, model: "gpt-wish", effort: "high" });
  assert.deepEqual(await told({ model: "default" }), { threadId, model: "gpt-set" });
});

test("[CODEX-13] the mode of the settings is said with each turn that needs it", async () => {
  const settings = { model: "gpt-set", mode: "plan" } as const;
  await using stage = openStage([], settings);
  const events = await stage.play([{ tell: "turn" }], { turn: { wishes: { thinking: "high" } } });
  const { collaborationMode } = JSON.parse(textIn(events));
  assert.deepEqual(collaborationMode, {
    mode: "plan",
    settings: { model: "gpt-set", reasoning_effort: "high", developer_instructions: null },
  });
});

test("[CODEX-5] what people add during a turn goes into it", async () => {
  await using stage = openStage();
  const { host, tell } = createSteeredHost();
  const events: TurnEvent[] = [];
  const prompt = codexPrompt({ say: "Working." }, { awaitSteering: true });
  for await (const event of stage.runtime.start(turnOf(prompt), host)) {
    events.push(event);
    if (textIn([event]) === "Working.") tell("also the moon");
  }
  assert.equal(textIn(events), "Working.\n\nalso the moon");
  assert.deepEqual(host.steering, []);
});

test("[CODEX-5] what comes too late for the turn is answered in the same run", async () => {
  await using stage = openStage(["late-steer"]);
  const { host, tell } = createSteeredHost();
  const events: TurnEvent[] = [];
  const prompt = codexPrompt({ say: "Done." }, { awaitSteering: true });
  for await (const event of stage.runtime.start(turnOf(prompt), host)) {
    events.push(event);
    if (textIn([event]) === "Done.") tell("also the moon");
  }
  assert.equal(textIn(events), "Done.\n\nagain: also the moon");
  assert.deepEqual(typesIn(events).slice(-2), ["usage", "completed"]);
});

/** A host that tells when people have added something. */
function createSteeredHost() {
  const inner = createTestHost({ speed: 1 });
  let listener: () => void = () => undefined;
  const onSteering = (next: () => void): (() => void) => {
    listener = next;
    return () => (listener = () => undefined);
  };
  const tell = (text: string): void => {
    inner.steering.push(text);
    listener();
  };
  return { host: { ...inner, onSteering }, tell };
}

test("[CODEX-4] a turn that fails is told with its kind and in words", async () => {
  await using stage = openStage();
  const fail = async (codexErrorInfo: unknown): Promise<{ kind: string; reason: string }> =>
    failureIn(await stage.play([{ fail: { message: "no tide", codexErrorInfo } }]));
  const kinds = [
    ["contextWindowExceeded", "context_length"],
    ["usageLimitExceeded", "rate_limit"],
    ["unauthorized", "unavailable"],
    [{ httpConnectionFailed: { httpStatusCode: 503 } }, "unavailable"],
    [{ httpConnectionFailed: { httpStatusCode: 401 } }, "unavailable"],
    [{ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, "rate_limit"],
    ["other", "unknown"],
    ["__proto__", "unknown"],
    [null, "unknown"],
  ] as const;
  for (const [info, kind] of kinds) {
    const failure = await fail(info);
    assert.equal(failure.kind, kind, JSON.stringify(info));
    assert.match(failure.reason, /It said: no tide$/);
  }
  assert.match((await fail("unauthorized")).reason, /codex login/);
});

test("[CODEX-4] a retry of Codex's is told to people who wait", async () => {
  await using stage = openStage();
  const error = { message: "stream disconnected" };
  const events = await stage.play([{ notify: "error", params: { error, willRetry: true } }]);
  assert.deepEqual(events[0], { type: "retrying", attempt: 1, reason: "stream disconnected" });
});
