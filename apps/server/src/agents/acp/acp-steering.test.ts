import assert from "node:assert/strict";
import { test } from "node:test";
import { acpPrompt, type AcpStep } from "../../../../../test/kit/acp-agent.ts";
import { createTestHost, type TestHost, type TestHostOptions } from "../testing/test-host.ts";
import { textIn, turnOf } from "../testing/turns.ts";
import type { PermissionRequest, TurnEvent } from "../turn/agent-runtime.ts";
import { openStage, toolCall, toolUpdate, type Stage } from "./testing/acp-stage.ts";

const ADDED = acpPrompt({ say: "And the moon." });
const done = [{ type: "content", content: { type: "text", text: "noon" } }] as const;
const LOOKUP: readonly AcpStep[] = [
  toolCall({ status: "in_progress" }),
  toolUpdate({ status: "completed", content: [...done] }),
];

/** A turn to which a person has added something before its first step was done. */
async function playAdding(
  stage: Stage,
  steps: readonly AcpStep[],
  options: TestHostOptions = {},
): Promise<{ readonly events: readonly TurnEvent[]; readonly host: TestHost }> {
  const host = createTestHost({ speed: 1, ...options });
  host.steering.push(ADDED);
  return { events: await stage.play(steps, { host }), host };
}

test("[ACP-17] when a tool has returned, the rest is cancelled for what people have added", async () => {
  await using stage = openStage();
  const steps: readonly AcpStep[] = [
    toolCall({ toolCallId: "t0", status: "in_progress" }),
    { say: "Let me look." },
    ...LOOKUP,
    // Between two tools that are at work at the same time nothing is cut off.
    toolUpdate({ toolCallId: "t0", status: "completed" }),
    { hang: "cancellable" },
  ];
  const { events, host } = await playAdding(stage, steps);
  assert.equal(textIn(events), "Let me look.\n\nAnd the moon.");
  assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
  assert.deepEqual(host.taken, [ADDED]);
  const session = await stage.say({ echo: "session" });
  assert.match(session, /\n---\n<<\[\{"say":"And the moon\."\}\]>>\n---\n/);
});

test("[ACP-17] an answer without tools is heard to its end, and what was added is answered after it", async () => {
  await using stage = openStage();
  const { events, host } = await playAdding(stage, [{ say: "High" }, { say: " tide." }]);
  assert.equal(textIn(events), "High tide.\n\nAnd the moon.");
  assert.deepEqual(host.taken, [ADDED]);
  assert.equal(events.filter(({ type }) => type === "completed").length, 1);
});

test("[ACP-17] nobody is asked for what an agent wants to do after it was told to stop", async () => {
  await using stage = openStage();
  const asked: PermissionRequest[] = [];
  const steps: readonly AcpStep[] = [{ say: "Hm." }, ...LOOKUP, { permit: "rm -r tides" }];
  const { events } = await playAdding(stage, steps, {
    requestPermission: async (request) => (asked.push(request), "allowed"),
  });
  assert.deepEqual(asked, []);
  assert.match(textIn(events), /\{"outcome":"cancelled"\}\n\nAnd the moon\.$/);
});

test("[ACP-13] the tokens of a turn are those of all its prompts", async () => {
  await using stage = openStage();
  const counted = (tokens: number): AcpStep => ({
    update: {
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text: "" },
      _meta: { usage: { inputTokens: tokens, outputTokens: 1 } },
    },
  });
  const host = createTestHost({ speed: 1 });
  host.steering.push(acpPrompt(counted(20), { say: "And the moon." }));
  const events = await stage.play([counted(100), counted(3), { say: "High." }], { host });
  const usage = events.findLast((event) => event.type === "usage")?.usage;
  assert.deepEqual(usage, { inputTokens: 123, outputTokens: 3 });
});

test("[AGENT-3] a tool whose result is heard of only after an abort is answered for", async () => {
  await using stage = openStage();
  const returned = toolUpdate({ status: "completed", content: [...done] });
  const last = "update" in returned ? returned.update : undefined;
  assert.ok(last !== undefined);
  const host = createTestHost({ speed: 1 });
  const events: TurnEvent[] = [];
  const prompt = acpPrompt(toolCall({ status: "in_progress" }), { hang: "cancellable", last });
  for await (const event of stage.runtime.start(turnOf(prompt), host)) {
    events.push(event);
    if (event.type === "tool.called") host.abort();
  }
  const results = events.filter((event) => event.type === "tool.returned");
  assert.deepEqual(
    results.map(({ id, isError }) => [id, isError]),
    [["t1", true]],
  );
  assert.deepEqual(events.at(-1), { type: "completed", stopReason: "aborted" });
});
