import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog } from "@atrium/log";
import type { TurnEvent } from "../agents/turn/agent-runtime.ts";
import { openStage, says, untilStopped } from "./testing/stage.ts";

test("[RUN-1] messages of a conversation are answered in order, one at a time", async () => {
  const under: string[] = [];
  await using stage = await openStage(async function* ({ prompt }) {
    assert.equal(under.length, 0);
    under.push(prompt);
    await new Promise((resolve) => setImmediate(resolve));
    under.pop();
    yield* says(`re: ${prompt}`);
  });
  await Promise.all(
    ["r1", "r2", "r3"].map((runId) => stage.send(runId, runId, { mode: "followup" })),
  );
  for (const runId of ["r1", "r2", "r3"]) {
    const ended = await stage.ended(runId);
    assert.equal(ended.text, `re: ${runId}`);
  }
  const { messages } = await stage.transcript("agent:main:main", { limit: 10, offset: 0 });
  assert.equal(messages.length, 6);
  assert.deepEqual(stage.faults, []);
});

test("[RUN-1] a turn is told what was said before it", async () => {
  const pasts: string[][] = [];
  await using stage = await openStage(async function* ({ prompt, history }) {
    pasts.push(history.map(({ text }) => text));
    yield* says(prompt.toUpperCase());
  });
  for (const word of ["a", "b", "c"]) {
    await stage.send(word, word);
    await stage.ended(word);
  }
  assert.deepEqual(pasts, [[], ["a", "A"], ["a", "A", "b", "B"]]);
});

test("[RUN-1] conversations do not wait for each other", async () => {
  await using stage = await openStage(async function* ({ prompt }, host) {
    if (prompt === "wait") await untilStopped(host);
    yield* says("done");
  });
  await stage.send("slow", "wait");
  await stage.send("quick", "go", { key: "agent:eng_1:main" });
  assert.equal((await stage.ended("quick")).type, "run.completed");
  assert.equal(stage.runs.get("slow")?.state, "running");
});

test("[RUN-3] a stopped run keeps what it had said", async () => {
  await using stage = await openStage(async function* (_turn, host) {
    yield { type: "text", delta: "so far" };
    await untilStopped(host);
    yield { type: "completed", stopReason: "aborted" };
  });
  await stage.send("r1", "talk");
  await stage.said("r1");
  const stopped = await stage.intake.stop("agent:main:main", "r1", "enough");
  assert.deepEqual(stopped, { ok: true, value: ["r1"] });
  const ended = await stage.ended("r1");
  assert.ok(ended.type === "run.aborted");
  assert.deepEqual([ended.text, ended.reason], ["so far", "enough"]);
});

test("[RUN-3] a runtime that does not let go is left behind", async () => {
  await using stage = await openStage(async function* () {
    yield { type: "text", delta: "deaf" };
    await new Promise(() => undefined);
  });
  await stage.send("r1", "talk");
  await stage.said("r1");
  await stage.intake.stop("agent:main:main", null, "enough");
  await stage.happened("run.stopping", "r1");
  const passing = setInterval(() => stage.time.advance(5_000), 5);
  const ended = await stage.ended("r1");
  clearInterval(passing);
  assert.deepEqual([ended.type, ended.text], ["run.aborted", "deaf"]);
  await stage.send("r2", "/status");
  assert.equal((await stage.ended("r2")).type, "run.completed");
});

test("[RUN-5] steering is heeded by the turn under way", async () => {
  await using stage = await openStage(async function* (
    { prompt },
    host,
  ): AsyncGenerator<TurnEvent> {
    if (prompt === "work") {
      for (;;) {
        const [said] = host.takeSteering();
        if (said !== undefined) return yield* says(`heard ${said}`);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    yield* says(`own turn: ${prompt}`);
  });
  await stage.send("r1", "work");
  await stage.happened("run.started", "r1");
  await stage.send("r2", "hurry", { mode: "steer" });
  assert.equal((await stage.ended("r1")).text, "heard hurry");
  await stage.happened("run.merged", "r2");
  assert.equal((await stage.ended("r2")).text, "heard hurry");
});

test("[RUN-5] steering that the turn does not take is answered in its turn", async () => {
  const going = Promise.withResolvers<void>();
  await using stage = await openStage(async function* ({ prompt }) {
    if (prompt === "work") await going.promise;
    yield* says(`done ${prompt}`);
  });
  await stage.send("r1", "work");
  await stage.happened("run.started", "r1");
  await stage.send("r2", "hurry", { mode: "steer" });
  going.resolve();
  assert.equal((await stage.ended("r1")).text, "done work");
  assert.equal((await stage.ended("r2")).text, "done hurry");
});

test("[RUN-6] after a crash what waited is run and what was under way is settled", async () => {
  await using log = openMemoryLog();
  const first = await openStage(
    async function* (_turn, host) {
      await untilStopped(host);
      // A crash says nothing more; what is left is what the log holds.
      await new Promise(() => undefined);
      yield* says("");
    },
    { log },
  );
  await first.send("r1", "one");
  await first.happened("run.started", "r1");
  await first.send("r2", "two", { mode: "followup" });

  const answered: string[] = [];
  await using second = await openStage(
    async function* ({ prompt }) {
      answered.push(prompt);
      yield* says("after");
    },
    { log },
  );
  await second.recover();
  const cut = await second.ended("r1");
  assert.ok(cut.type === "run.failed");
  assert.match(cut.reason, /server stopped/);
  assert.equal((await second.ended("r2")).text, "after");
  const again = await second.send("r2", "two", { mode: "followup" });
  assert.ok(again.ok);
  assert.equal(again.value.isRepeated, true);
  assert.deepEqual(answered, ["two"]);
});

test("[RUN-1] more conversations than turns allowed wait and are all answered", async () => {
  let under = 0;
  let most = 0;
  await using stage = await openStage(
    async function* ({ prompt }) {
      most = Math.max(most, ++under);
      await new Promise((resolve) => setImmediate(resolve));
      under--;
      yield* says(prompt);
    },
    { limits: { maxTurns: 3 } },
  );
  const ids = Array.from({ length: 20 }, (_, n) => `r${n}`);
  await Promise.all(ids.map((runId) => stage.send(runId, runId, { key: `talk-${runId}` })));
  for (const runId of ids) assert.equal((await stage.ended(runId)).text, runId);
  assert.equal(most, 3);
});

test("[RUN-9] the house answers its commands, in every letter case, and nothing else", async () => {
  await using stage = await openStage(async function* ({ prompt }) {
    yield* says(`agent: ${prompt}`);
  });
  await stage.send("r1", " /HELP ");
  assert.match((await stage.ended("r1")).text, /\/status: /);
  await stage.send("r2", "/status");
  const { text: status } = await stage.ended("r2");
  assert.match(
    status,
    /^Conversation agent:main:main\n.*\n\d+ messages, 0 tokens in, 0 out, \$0\.00$/m,
  );
  for (const [runId, text] of [
    ["r3", "/new ideas?"],
    ["r4", "/nonsense"],
  ] as const) {
    await stage.send(runId, text);
    assert.equal((await stage.ended(runId)).text, `agent: ${text}`);
  }
  await stage.send("r5", "/help", { isPlain: true });
  assert.equal((await stage.ended("r5")).text, "agent: /help");
});

test("[RUN-9] /new begins afresh and /stop stops what is under way", async () => {
  await using stage = await openStage(async function* (_turn, host) {
    await untilStopped(host);
    yield { type: "completed", stopReason: "aborted" };
  });
  await stage.send("r1", "work");
  await stage.happened("run.started", "r1");
  await stage.send("r2", "/stop");
  assert.equal((await stage.ended("r1")).type, "run.aborted");
  assert.equal((await stage.ended("r2")).text, "Stopped.");
  await stage.send("r3", "/new");
  assert.match((await stage.ended("r3")).text, /new conversation/);
  const { messages } = await stage.transcript("agent:main:main", { limit: 10, offset: 0 });
  assert.deepEqual(
    messages.map(({ text }) => text),
    ["A new conversation begins."],
  );
});

test("[RUN-6] closing settles what is under way and leaves what waits", async () => {
  await using log = openMemoryLog();
  const stage = await openStage(
    async function* (_turn, host) {
      yield { type: "text", delta: "half" };
      await untilStopped(host);
      yield { type: "completed", stopReason: "aborted" };
    },
    { log },
  );
  await stage.send("r1", "one");
  await stage.happened("run.started", "r1");
  await stage.send("r2", "two", { mode: "followup" });
  await stage[Symbol.asyncDispose]();
  assert.deepEqual(
    [stage.runs.get("r1")?.state, stage.runs.get("r2")?.state],
    ["failed", "queued"],
  );
  await using next = await openStage(() => says("later"), { log });
  await next.recover();
  assert.equal((await next.ended("r2")).text, "later");
});
