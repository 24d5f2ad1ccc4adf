import assert from "node:assert/strict";
import { test } from "node:test";
import { acpPrompt, type AcpStep } from "../../../../../test/kit/acp-agent.ts";
import { isAlive } from "../../../../../test/kit/processes.ts";
import { createTestHost } from "../testing/test-host.ts";
import { textIn, turnOf, typesIn } from "../testing/turns.ts";
import { describeAgentRuntime, type Situation } from "../turn/agent-runtime.contract.ts";
import type { TurnEvent } from "../turn/agent-runtime.ts";
import type { AcpSettings } from "./acp-settings.ts";
import { failureIn, openStage, toolCall, toolUpdate, type Stage } from "./testing/acp-stage.ts";

describeAgentRuntime(
  "acp",
  (situation) => {
    // An agent that is not let go is the only one there may be.
    const stage = openStage([], situation.type === "talks on" ? { maxProcesses: 1 } : {});
    return Promise.resolve({
      runtime: stage.runtime,
      prompt: acpPrompt(...stepsFor(situation)),
      letGo: async () => assert.equal(await stage.say({ say: "free" }), "free"),
      promptFor: (answer) => acpPrompt(...stepsFor({ type: "answers", answer })),
      speed: 1,
      [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
    });
  },
  { tools: "own" },
);

function stepsFor(situation: Situation): readonly AcpStep[] {
  switch (situation.type) {
    case "answers":
      return situation.answer.split("").map((letter) => ({ say: letter }));
    case "uses a tool": {
      const { returns, answer } = situation;
      const called = toolCall({ status: "pending" });
      if (returns === "never") return [called, { hang: "cancellable" }];
      const status = returns.isError ? "failed" : "completed";
      const content = [{ type: "content", content: { type: "text", text: returns.text } }] as const;
      const returned = toolUpdate({ status, content: [...content] });
      return [called, toolUpdate({ status: "in_progress" }), returned, { say: answer }];
    }
    case "talks on":
      return [{ talkOn: true }];
    case "is silent":
      return [{ hang: "cancellable" }];
  }
}

test("[ACP-1] thoughts, words and tools are told as they come, each tool once", async () => {
  await using stage = openStage();
  const events = await stage.play([
    { think: "Hm." },
    { say: "Let me look.", messageId: "m1" },
    toolCall({ status: "pending" }),
    toolCall({ status: "in_progress" }),
    toolUpdate({ rawOutput: { tide: "high" } }),
    toolUpdate({ status: "completed" }),
    toolUpdate({ status: "completed", rawOutput: "again" }),
    { say: "High", messageId: "m2" },
    { say: " tide.", messageId: "m2" },
  ]);
  assert.deepEqual(events.slice(0, -2), [
    { type: "thinking", delta: "Hm." },
    { type: "text", delta: "Let me look." },
    { type: "tool.called", id: "t1", name: "lookup", input: { q: "tide" } },
    { type: "tool.returned", id: "t1", text: '{"tide":"high"}', isError: false },
    { type: "text", delta: "\n\nHigh" },
    { type: "text", delta: " tide." },
  ]);
});

function costs(amount: number, currency = "USD"): AcpStep {
  const cost = { amount, currency };
  return { update: { sessionUpdate: "usage_update", used: 10, size: 100, cost } };
}

test("[ACP-7] a turn costs what its session's cost grew by, in dollars or unknown", async () => {
  await using stage = openStage(["resume"]);
  const turn = async (...steps: readonly AcpStep[]): Promise<readonly (number | undefined)[]> =>
    (await stage.play(steps)).flatMap((event) =>
      event.type === "usage" ? [event.usage.cost] : [],
    );
  assert.deepEqual(await turn(costs(0.1), { say: "one" }, costs(0.3)), [0.1, 0.3, 0.3]);
  assert.deepEqual(await turn(costs(0.35)), [0.05, 0.05]);
  assert.deepEqual(await turn({ say: "nothing told" }), [undefined]);
  // That it has not grown is also what those say who have no price.
  assert.deepEqual(await turn(costs(0.35)), [undefined]);
  assert.deepEqual(await turn(costs(0.4, "EUR"), costs(0.2)), [undefined]);
  // Another process goes on with the session: where it stood is not known.
  await stage.play([{ exit: 1 }]);
  assert.deepEqual(await turn(costs(0.5)), [undefined]);
  assert.deepEqual(await turn(costs(0.75)), [0.25, 0.25]);
});

function usageIn(events: readonly TurnEvent[]): unknown {
  return events.findLast((event) => event.type === "usage")?.usage;
}

/** The turn is stopped at its first word. */
async function playStopped(stage: Stage, ...steps: readonly AcpStep[]): Promise<TurnEvent[]> {
  const host = createTestHost({ speed: 1 });
  const events: TurnEvent[] = [];
  for await (const event of stage.runtime.start(turnOf(acpPrompt(...steps)), host)) {
    events.push(event);
    if (event.type === "text") host.abort();
  }
  return events;
}

test("[ACP-13] a turn that was stopped has used what its answer says, and the next one no part of it", async () => {
  await using stage = openStage([], { program: "copilot" });
  const counted = async (...steps: readonly AcpStep[]): Promise<unknown> =>
    usageIn(await stage.play(steps));
  assert.deepEqual(await counted({ count: [1_000, 90] }), { inputTokens: 1_000, outputTokens: 90 });
  const half = [{ count: [1_500, 100] }, { say: "Hm." }, { hang: "cancellable" }] as const;
  const stopped = usageIn(await playStopped(stage, ...half));
  assert.deepEqual(stopped, { inputTokens: 500, outputTokens: 10 });
  assert.deepEqual(await counted({ count: [2_200, 120] }), { inputTokens: 700, outputTokens: 20 });
  // Where the session stands is not known after an answer that does not say.
  await counted({ say: "Nothing told." });
  assert.notDeepEqual(await counted({ count: [9_000, 400] }), {
    inputTokens: 6_800,
    outputTokens: 280,
  });
  const next = { inputTokens: 100, outputTokens: 50 };
  assert.deepEqual(await counted({ count: [9_100, 450] }), next);
});

test("[ACP-4] an abort is a cancel, after which the same process goes on", async () => {
  await using stage = openStage();
  const pid = await stage.say({ tell: "pid" });
  const host = createTestHost({ speed: 1 });
  for await (const event of stage.runtime.start(turnOf(acpPrompt({ talkOn: true })), host)) {
    if (event.type === "text") host.abort();
  }
  assert.equal(await stage.say({ tell: "pid" }), pid);
});

test("[ACP-4] an agent that does not heed a cancel is ended", async () => {
  await using stage = openStage();
  const host = createTestHost({ speed: 1 });
  let pid = 0;
  const prompt = acpPrompt({ tell: "pid" }, { hang: "deaf" });
  for await (const event of stage.runtime.start(turnOf(prompt), host)) {
    if (event.type !== "text") continue;
    pid = Number(event.delta);
    host.abort();
  }
  assert.equal(isAlive(pid), false);
  assert.notEqual(await stage.say({ tell: "pid" }), String(pid));
});

test("[ACP-1] attachments are sent as far as the agent can take them", async () => {
  const text = { name: "a.txt", mediaType: "text/plain", data: "aGk=" };
  const image = { name: "a.png", mediaType: "image/png", data: "iVBO" };
  const turn = { attachments: [text, image] };
  await using least = openStage();
  const plain = textIn(await least.play([{ echo: "prompt" }], { turn }));
  assert.match(
    plain,
    /^I cannot read a\.png .*Attached file a\.txt:\n\nhi\n\(The person also attached a\.png \(image/s,
  );
  await using able = openStage(["image", "context"]);
  const rich = textIn(await able.play([{ echo: "prompt" }], { turn }));
  assert.match(rich, /\nresource hi\nimage iVBO\n/);
});

test("[ACP-4] a process that dies fails the turn with its last words, and the next turn has a new one", async () => {
  await using stage = openStage();
  const before = await stage.say({ tell: "pid" });
  const steps = [toolCall({}), { say: "half" }, { complain: "out of tide" }, { exit: 7 }] as const;
  const events = await stage.play(steps);
  const { kind, reason } = failureIn(events);
  assert.equal(kind, "unavailable");
  assert.match(reason, /ended with exit code 7:\nout of tide\nRun its command/);
  assert.equal(textIn(events), "half");
  assert.equal(typesIn(events).filter((type) => type === "tool.returned").length, 1);
  assert.notEqual(await stage.say({ tell: "pid" }), before);
});

test("[ACP-4] what cannot start, does not speak ACP or refuses is told in words", async () => {
  const reasonOf = async (more: Partial<AcpSettings>, steps: readonly AcpStep[] = []) => {
    await using stage = openStage([], more);
    return failureIn(await stage.play(steps)).reason;
  };
  assert.match(await reasonOf({ command: ["no-such-agent"] }), /no program "no-such-agent"/);
  assert.match(await reasonOf({ cwd: "/no/such/folder" }), /folder \/no\/such\/folder/);
  assert.match(
    await reasonOf({ command: ["sleep", "1000"], startTimeoutMs: 200 }),
    /"sleep" was not ready after 0.2 s/,
  );
  assert.match(
    await reasonOf({ command: ["sh", "-c", "echo wrong turn >&2; exit 2"] }),
    /exit code 2:\nwrong turn/,
  );
  assert.match(await reasonOf({}, [{ refuse: "no tide today" }]), /failed: no tide today/);
  assert.match(await reasonOf({}, [{ refuse: "log in", code: -32_000 }]), /logged in first/);
});

test("[ACP-4] how an answer ends is told in the port's words", async () => {
  await using stage = openStage();
  const endOf = async (end: "max_tokens" | "max_turn_requests") =>
    (await stage.play([{ end }])).at(-1);
  assert.deepEqual(await endOf("max_tokens"), { type: "completed", stopReason: "length" });
  assert.deepEqual(await endOf("max_turn_requests"), {
    type: "completed",
    stopReason: "max_steps",
  });
  assert.equal(failureIn(await stage.play([{ end: "refusal" }])).kind, "refusal");
  assert.match(failureIn(await stage.play([{ end: "cancelled" }])).reason, /without being told/);
});

test("[ACP-4] an agent that says more than it may is stopped", async () => {
  await using stage = openStage([], { maxOutputBytes: 100_000 });
  const { reason } = failureIn(
    await stage.play(Array.from({ length: 30 }, () => ({ say: "x".repeat(5_000) }))),
  );
  assert.match(reason, /more than 100000 bytes/);
  const huge = failureIn(await stage.play([{ say: "x".repeat(200_000) }]));
  assert.equal(huge.kind, "unavailable");
});
