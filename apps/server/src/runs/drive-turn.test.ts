import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import type { TurnEvent, TurnQuestion } from "../agents/turn/agent-runtime.ts";
import { openStage, says, untilStopped, type Play } from "./testing/stage.ts";

test("[RUN-2] however a runtime misbehaves, the run has one ending", async () => {
  const plays: Readonly<Record<string, Play>> = {
    async *throws() {
      yield { type: "text", delta: "x" };
      throw new Error("bug");
    },
    "throws at once": () => {
      throw new Error("bug");
    },
    async *"ends without an end"() {
      yield { type: "text", delta: "x" };
    },
    async *"ends twice"() {
      yield* says("x");
      yield { type: "failed", kind: "unknown", reason: "again" };
    },
    async *"talks on"() {
      yield* says("x");
      yield { type: "text", delta: "y" };
    },
  };
  for (const [name, play] of Object.entries(plays)) {
    await using stage = await openStage(play);
    await stage.send("r1", "go");
    const ended = await stage.ended("r1");
    const isGood = name === "ends twice" || name === "talks on";
    assert.equal(ended.type, isGood ? "run.completed" : "run.failed", name);
    assert.ok(ended.text.length <= 1, name);
    await stage.send("r2", "/help");
    await stage.ended("r2");
    const endings = (await stage.events()).filter(
      ({ type }) => type === "run.completed" || type === "run.failed" || type === "run.aborted",
    );
    assert.equal(endings.length, 2, name);
    assert.equal(stage.faults.length, name.startsWith("throws") ? 1 : 0, name);
  }
});

test("[RUN-4] a run that takes too long fails with that reason and keeps what it said", async () => {
  const play: Play = async function* (_turn, host) {
    yield { type: "text", delta: "slow" };
    await untilStopped(host);
    yield { type: "completed", stopReason: "aborted" };
  };
  for (const [asked, afterMs] of [
    [2_000, 2_000],
    [900_000_000_000, 60_000],
    [0, 60_000],
  ] as const) {
    await using stage = await openStage(play);
    await stage.send("r1", "go", { timeoutMs: asked });
    await stage.said("r1");
    stage.time.advance(afterMs - 1);
    assert.equal(stage.runs.get("r1")?.state, "running");
    stage.time.advance(1);
    const ended = await stage.ended("r1");
    assert.ok(ended.type === "run.failed");
    assert.deepEqual([ended.kind, ended.text], ["timeout", "slow"]);
  }
});

const OVER = "This turn has used 150 tokens; its budget is 100.";

test("[RUN-7] a turn over its budget asks, goes on when told to, and stops otherwise", async () => {
  const play: Play = async function* () {
    yield { type: "usage", usage: { inputTokens: 90, outputTokens: 0 } };
    yield { type: "text", delta: "begun" };
    yield { type: "usage", usage: { inputTokens: 90, outputTokens: 60 } };
    yield* says(", finished");
  };
  for (const [answer, type, text] of [
    ["Continue", "run.completed", "begun, finished"],
    ["Stop", "run.failed", `begun\n\n[Cut off: ${OVER} It was decided to stop.]`],
    [null, "run.failed", `begun\n\n[Cut off: ${OVER} Nobody said to go on.]`],
  ] as const) {
    const asked: TurnQuestion[] = [];
    const ask = (_about: unknown, question: TurnQuestion) => {
      asked.push(question);
      return Promise.resolve(answer);
    };
    await using stage = await openStage(play, {
      budgets: { run: { tokens: 100 } },
      humanInput: () => ({ ask }),
    });
    await stage.send("r1", "go");
    const ended = await stage.ended("r1");
    assert.deepEqual([ended.type, ended.text], [type, text]);
    assert.deepEqual(asked[0]?.options, ["Continue", "Stop"]);
    assert.match(asked[0]?.text ?? "", /has used 150 tokens; its budget is 100/);
    if (ended.type === "run.failed") assert.equal(ended.kind, "budget");
    assert.deepEqual(ended.usage.inputTokens, 90);
  }
});

test("[RUN-13] a turn that was cut off says so to those who listen, in its result and to the next turn", async () => {
  for (const [stopReason, words] of [
    ["length", /^Half\n\n\[Cut off: .*longest/],
    ["max_steps", /^Half\n\n\[Cut off: .*most steps/],
    ["stop", /^Half$/],
  ] as const) {
    const histories: string[] = [];
    await using stage = await openStage(async function* ({ history }) {
      histories.push(history.at(-1)?.text ?? "");
      yield { type: "text", delta: "Half" };
      yield { type: "completed", stopReason };
    });
    let heard = "";
    stage.live.onEvent((_run, event) => void (heard += event.type === "text" ? event.delta : ""));
    await stage.send("r1", "go");
    const ended = await stage.ended("r1");
    assert.equal(ended.type, "run.completed");
    assert.match(ended.text, words);
    assert.equal(heard, ended.text);
    await stage.send("r2", "go on");
    await stage.ended("r2");
    assert.deepEqual(histories, ["", ended.text]);
  }
});

test("[RUN-4] waiting for people is not work, but a sender's own limit counts it", async () => {
  const play: Play = async function* (_turn, host) {
    yield { type: "text", delta: "asking " };
    const answer = await host.ask({ text: "Which?", options: [] });
    yield { type: "text", delta: `${answer} ` };
    await untilStopped(host);
    yield { type: "completed", stopReason: "aborted" };
  };
  for (const [timeoutMs, leftMs, reason] of [
    [0, 10_000, /than 60 s/],
    [85_000, 5_000, /than 85 s/],
  ] as const) {
    const answer = Promise.withResolvers<string>();
    const asked = Promise.withResolvers<void>();
    await using stage = await openStage(play, {
      humanInput: (clocks) => ({
        ask({ runId }) {
          asked.resolve();
          return clocks.hold(runId ?? "", answer.promise);
        },
      }),
    });
    await stage.send("r1", "go", { timeoutMs });
    await stage.said("r1");
    stage.time.advance(50_000);
    await asked.promise;
    stage.time.advance(30_000);
    assert.equal(stage.runs.get("r1")?.state, "running");
    answer.resolve("this one");
    await new Promise(setImmediate);
    stage.time.advance(leftMs - 1);
    assert.equal(stage.runs.get("r1")?.state, "running");
    stage.time.advance(1);
    const ended = await stage.ended("r1");
    assert.ok(ended.type === "run.failed" && ended.kind === "timeout");
    assert.match(ended.reason, reason);
    assert.equal(ended.text, "asking this one ");
  }
});

test("[RUN-7] a turn over its budget in dollars asks, may cost as much again, and asks again", async () => {
  const play: Play = async function* () {
    for (const cost of [0.4, 0.6, 1.0, 1.2]) {
      yield { type: "usage", usage: { inputTokens: 1, outputTokens: 0, cost } };
    }
    yield* says("done");
  };
  const asked: string[] = [];
  const ask = (_about: unknown, { text }: TurnQuestion) => {
    asked.push(text);
    return Promise.resolve(asked.length === 1 ? "Continue" : "Stop");
  };
  const run = { tokens: 1_000, cost: 0.5 };
  await using stage = await openStage(play, { budgets: { run }, humanInput: () => ({ ask }) });
  await stage.send("r1", "go");
  const ended = await stage.ended("r1");
  assert.ok(ended.type === "run.failed");
  assert.deepEqual([ended.kind, ended.usage.cost], ["budget", 1.2]);
  assert.deepEqual(asked, [
    "This turn has cost $0.60; its budget is $0.50. Go on?",
    "This turn has cost $1.20; its budget is $1.10. Go on?",
  ]);
});

test("[RUN-7] a conversation over its budget in dollars asks; an unknown cost is not counted", async () => {
  const costs = [0.4, undefined, 0.2];
  const play: Play = async function* () {
    const cost = costs.shift();
    const tokens = { inputTokens: 1, outputTokens: 0 };
    yield { type: "usage", usage: cost === undefined ? tokens : { ...tokens, cost } };
    yield* says("ok");
  };
  const conversation = { tokens: 1_000, cost: 0.5 };
  await using stage = await openStage(play, { budgets: { conversation } });
  for (const runId of ["r1", "r2"]) {
    await stage.send(runId, "go");
    assert.equal((await stage.ended(runId)).type, "run.completed");
  }
  await stage.send("r3", "go");
  const ended = await stage.ended("r3");
  assert.ok(ended.type === "run.failed");
  assert.match(ended.reason, /^The conversation has cost \$0\.60; its budget is \$0\.50\./);
});

test("[RUN-7] a conversation over its budget asks before the next turn begins", async () => {
  const prompts: string[] = [];
  const play: Play = async function* ({ prompt }) {
    prompts.push(prompt);
    yield { type: "usage", usage: { inputTokens: 60, outputTokens: 60 } };
    yield* says("ok");
  };
  await using stage = await openStage(play, { budgets: { conversation: { tokens: 100 } } });
  await stage.send("r1", "one");
  assert.equal((await stage.ended("r1")).type, "run.failed");
  await stage.send("r2", "two");
  const ended = await stage.ended("r2");
  assert.ok(ended.type === "run.failed");
  assert.match(ended.reason, /conversation has used 120 tokens/);
  assert.deepEqual(prompts, ["one"]);
});

test("[RUN-7] a model that streams for ever and reports nothing is stopped", async () => {
  await using stage = await openStage(
    async function* () {
      for (;;) yield { type: "text", delta: "word word word word " };
    },
    { budgets: { run: { tokens: 500 } } },
  );
  await stage.send("r1", "go");
  const ended = await stage.ended("r1");
  assert.ok(ended.type === "run.failed");
  assert.equal(ended.kind, "budget");
  assert.ok(ended.text.length > 1_900 && ended.text.length < 2_200);
});

test("[RUN-7] a turn that repeats the same call with the same result is stopped", async () => {
  const play: Play = async function* (_turn, host) {
    for (let n = 1; ; n++) {
      yield { type: "tool.called", id: `c${n}`, name: "look", input: { at: "it" } };
      const { text, isError } = await host.callTool("look", {});
      yield { type: "tool.returned", id: `c${n}`, text, isError };
    }
  };
  const look = {
    name: "look",
    description: "",
    input: {},
    call: () => Promise.resolve({ text: "nothing", isError: false }),
  };
  await using stage = await openStage(play, { tools: [look] });
  await stage.send("r1", "go");
  const ended = await stage.ended("r1");
  assert.ok(ended.type === "run.failed");
  assert.match(ended.reason, /same result 5 times in a row/);
});

test("[RUN-8] calls and results are in the log before the turn goes on", async () => {
  const seen: string[][] = [];
  const stages: { events(): Promise<readonly { readonly type: string }[]> }[] = [];
  const kinds = async () => ((await stages[0]?.events()) ?? []).map(({ type }) => type);
  const play: Play = async function* (_turn, host): AsyncGenerator<TurnEvent> {
    for (const name of ["missing", "broken"]) {
      yield { type: "tool.called", id: name, name, input: {} };
      seen.push((await kinds()).slice(-1));
      const result = await host.callTool(name, {});
      yield { type: "tool.returned", id: name, ...result };
      seen.push([...(await kinds()).slice(-1), result.text, String(result.isError)]);
    }
    yield* says("done");
  };
  const broken = {
    name: "broken",
    description: "",
    input: {},
    call: () => Promise.reject(new Error("out of order")),
  };
  await using stage = await openStage(play, { tools: [broken] });
  stages.push(stage);
  await stage.send("r1", "go");
  await stage.ended("r1");
  assert.deepEqual(seen, [
    ["run.tool.called"],
    ["run.tool.returned", "There is no tool missing. Tools: broken.", "true"],
    ["run.tool.called"],
    ["run.tool.returned", "broken failed: out of order", "true"],
  ]);
});

test("[RUN-14] that an agent's turn was made shorter is in the log, and people are told", async () => {
  const made = { inputTokens: 900, results: 2 };
  await using stage = await openStage(async function* () {
    yield { type: "compacted", how: "results", ...made, text: "" };
    yield { type: "compacted", how: "hand-over", ...made, text: "Next: paint." };
    yield* says("done");
  });
  const told: string[] = [];
  stage.live.onEvent((_run, event) => {
    if (event.type === "progress") told.push(event.text);
  });
  await stage.send("r1", "go");
  assert.equal((await stage.ended("r1")).text, "done");
  const noted = (await stage.events()).filter(({ type }) => type === "run.compacted");
  assert.deepEqual(noted, [
    { type: "run.compacted", runId: "r1", how: "results", ...made, text: "" },
    { type: "run.compacted", runId: "r1", how: "hand-over", ...made, text: "Next: paint." },
  ]);
  assert.match(told.join("; "), /shortened 2 earlier tool results; .*hand-over/);
});

test("[RUN-21] the session that an agent's program names is given to the next turns, until a reset", async () => {
  const given: (string | undefined)[] = [];
  await using stage = await openStage(async function* (turn) {
    given.push(turn.session);
    if (turn.session === undefined) yield { type: "session", id: `ses_${given.length}` };
    yield* says("done");
  });
  for (const [run, text] of [
    ["r1", "one"],
    ["r2", "two"],
    ["r3", "/new"],
    ["r4", "three"],
  ] as const) {
    await stage.send(run, text);
    await stage.ended(run);
  }
  assert.deepEqual(given, [undefined, "ses_1", undefined]);
  const named = (await stage.events()).filter(({ type }) => type === "run.session.named");
  assert.deepEqual(
    named.map((event) => ("session" in event ? [event.runId, event.runtime, event.session] : [])),
    [
      ["r1", "played", "ses_1"],
      ["r4", "played", "ses_3"],
    ],
  );
});

test("[RUN-12] words are told in order while the run is under way, and not after", async () => {
  const told: string[] = [];
  await using stage = await openStage(async function* () {
    for (const delta of ["a", "b", "c"]) yield { type: "text", delta };
    yield { type: "thinking", delta: "hm" };
    yield { type: "completed", stopReason: "stop" };
  });
  stage.live.onEvent((run, event) => {
    told.push(event.type === "text" ? `${event.delta} ${run.text}` : event.type);
  });
  await stage.send("r1", "go");
  assert.equal((await stage.ended("r1")).text, "abc");
  assert.deepEqual(told, ["a a", "b ab", "c abc", "thinking"]);
  stage.live.publish("r1", { type: "text", delta: "late" });
  assert.equal(told.length, 4);
});

test("[RUN-12] what a tool of the agent's own puts out is told while it works, and not after", async () => {
  const told: unknown[] = [];
  await using stage = await openStage(async function* () {
    yield { type: "tool.output", id: "c1", text: "early" };
    yield { type: "tool.called", id: "c1", name: "shell", input: {} };
    yield { type: "tool.output", id: "c1", text: "one\n" };
    yield { type: "tool.output", id: "c1", text: "two\n" };
    yield { type: "tool.returned", id: "c1", text: "one\ntwo\n", isError: false };
    yield { type: "tool.output", id: "c1", text: "late" };
    yield* says("Done.");
  });
  stage.live.onEvent((run, event) => {
    if (event.type === "output") told.push([event.text, run.outputs.get(event.callId)]);
  });
  await stage.send("r1", "go");
  await stage.ended("r1");
  assert.deepEqual(told, [
    ["one\n", "one\n"],
    ["two\n", "one\ntwo\n"],
  ]);
});

test("[RUN-11] what a turn makes is kept and part of the transcript", async () => {
  await using stage = await openStage(async function* () {
    yield { type: "artifact", name: "plan.md", mediaType: "text/markdown", text: "# Plan" };
    yield* says("There you are.");
  });
  await stage.send("r1", "go");
  await stage.ended("r1");
  const { messages } = await stage.transcript("agent:main:main", { limit: 10, offset: 0 });
  const made = messages.find(({ kind }) => kind === "artifact");
  assert.ok(made?.kind === "artifact");
  assert.deepEqual([made.artifact.name, made.artifact.bytes], ["plan.md", 6]);
  assert.equal(String(await stage.blobs.get(made.artifact.digest)), "# Plan");
});

test("[RUN-11] the log mentions a file of a message or of a turn only once it is stored", async () => {
  const stored = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const puts: number[] = [];
  const disk = async (): Promise<void> => {
    await stored[puts.push(1) === 1 ? 0 : 1].promise;
  };
  const play = async function* (): AsyncGenerator<TurnEvent> {
    yield { type: "artifact", name: "plan.md", mediaType: "text/markdown", text: "# Plan" };
    yield* says("There you are.");
  };
  await using stage = await openStage(play, { disk });
  const mentioned = async (): Promise<readonly string[]> =>
    (await stage.events()).map(({ type }) => type);
  const files = [{ name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") }];
  const sent = stage.send("r1", "go", { files });
  await turns();
  assert.equal(puts.length, 1);
  assert.deepEqual(await mentioned(), []);
  stored[0].resolve();
  assert.ok((await sent).ok);
  while (puts.length < 2) await turns();
  await turns();
  assert.ok(!(await mentioned()).includes("run.delivered"));
  stored[1].resolve();
  await stage.ended("r1");
  assert.ok((await mentioned()).includes("run.delivered"));
});

/** As long as whatever can happen by now takes. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await turnOfLoop();
}

test("what a tool is called with is written down without its depths", async () => {
  const deep: unknown = JSON.parse(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`);
  await using stage = await openStage(async function* () {
    yield { type: "tool.called", id: "c1", name: "look", input: { "7": 1, deep } };
    yield { type: "tool.returned", id: "c1", text: "seen", isError: false };
    yield* says("done");
  });
  await stage.send("r1", "go");
  assert.equal((await stage.ended("r1")).type, "run.completed");
  const called = (await stage.events()).find(({ type }) => type === "run.tool.called");
  assert.match(JSON.stringify(called), /"7":1.*nested deeper than 100 levels/);
});

test("[RUN-19] a file of megabytes that a tool is called with is not in the log", async () => {
  const content = "x".repeat(2_000_000);
  await using stage = await openStage(async function* () {
    yield { type: "tool.called", id: "c1", name: "write", input: { path: "a.ts", content } };
    yield { type: "tool.returned", id: "c1", text: "written", isError: false };
    yield* says("done");
  });
  await stage.send("r1", "go");
  assert.equal((await stage.ended("r1")).type, "run.completed");
  const called = (await stage.events()).find(({ type }) => type === "run.tool.called");
  const text = JSON.stringify(called);
  assert.match(text, /"path":"a\.ts".*… 1992000 characters left out/);
  assert.ok(text.length < 65_536);
});
