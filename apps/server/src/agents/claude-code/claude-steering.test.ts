/** What people add while Claude Code is at work, with a double; the real one is in test/conformance. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHost, type TestHost } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../testing/turns.ts";
import type { TurnEvent } from "../turn/agent-runtime.ts";
import { openDoubleStage, type DoubleStage } from "./testing/double-stage.ts";

const LOOKUP = { name: "lookup", description: "Looks it up.", input: { type: "object" } };

async function play(
  { runtime }: DoubleStage,
  prompt: string,
  host: TestHost,
  onEvent: (event: TurnEvent) => void = () => undefined,
): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of runtime.start(turnOf(prompt), host)) {
    onEvent(event);
    events.push(event);
  }
  return events;
}

test("[CLAUDE-16] what was added is taken in after the tool at work, and several as one", async () => {
  await using stage = openDoubleStage({ env: { DOUBLE_ANSWER: "high" }, settings: ANSWERING });
  const host = createTestHost({ speed: 1, tools: [LOOKUP] });
  host.steering.push("the moon", "/compact the sun");
  const events = await play(stage, "tool lookup", host);
  assert.equal(textIn(events), "Also: the moon\n\n/compact the sun. \n\nhigh");
  assert.deepEqual(host.taken, ["the moon", "/compact the sun"]);
  assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
});

test("[CLAUDE-16] what comes too late for that is answered after the answer, as a message, and counted", async () => {
  await using stage = openDoubleStage();
  const host = createTestHost({ speed: 1 });
  host.steering.push("/moon");
  const events = await play(stage, "say high", host);
  assert.equal(textIn(events), "high\n\nMessage: /moon");
  assert.equal(events.filter(({ type }) => type === "completed").length, 1);
  const usage = events.findLast((event) => event.type === "usage")?.usage;
  assert.deepEqual(usage, { inputTokens: 11 + 22, outputTokens: 7 + 14 });
  assert.equal(textIn(await eventsOf(stage.runtime, turnOf("say next"), host)), "next");
});

test("[CLAUDE-16] after an abort nobody answers what was not taken in", async () => {
  await using stage = openDoubleStage();
  const host = createTestHost({
    speed: 1,
    tools: [LOOKUP],
    callTool: () => {
      setImmediate(() => host.abort());
      return new Promise(() => undefined);
    },
  });
  host.steering.push("say the moon");
  const events = await play(stage, "tool lookup", host);
  assert.deepEqual(events.at(-1), { type: "completed", stopReason: "aborted" });
  assert.deepEqual(host.taken, ["say the moon"]);
  const next = await play(stage, "say next", createTestHost({ speed: 1 }));
  assert.equal(textIn(next), "next");
  assert.equal(stage.starts().length, 2);
});

const ANSWERING = { env: ["DOUBLE_ANSWER"] };
