/** Questions that the real Codex asks people of itself, offline. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHost } from "../../../apps/server/src/agents/testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../../../apps/server/src/agents/testing/turns.ts";
import type {
  AgentRuntime,
  TurnQuestion,
} from "../../../apps/server/src/agents/turn/agent-runtime.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import { openCodexStage, USAGE, type CodexRequest, type CodexStage } from "../kit/codex-stage.ts";
import { findCodex } from "../kit/peer.ts";

const codex = findCodex();
const { skip } = codex;

const option = (label: string): object => ({ label, description: "as told" });
const questions = [
  { id: "net", header: "Net", question: "Which net?", options: [option("Wide"), option("Narrow")] },
  { id: "when", header: "When", question: "When?", options: [option("Now"), option("Later")] },
];

/** Asks, then says what it was told. */
function asks({ returned }: CodexRequest): Behavior {
  if (returned.length > 0) return { type: "answer", chunks: ["Done: ", ...returned], usage: USAGE };
  const call = { name: "request_user_input", input: { questions } };
  return { type: "answer", toolCalls: [call], usage: USAGE };
}

const open = (settings: object): Promise<CodexStage> =>
  openCodexStage({ command: codex.path(), answer: asks, settings });

async function play(
  runtime: AgentRuntime,
  conversation = turnOf("").conversation,
  history = turnOf("").history,
): Promise<{ said: string; asked: TurnQuestion[] }> {
  const asked: TurnQuestion[] = [];
  const host = createTestHost({
    speed: 1,
    ask: async (question) => {
      asked.push(question);
      return question.text === "Which net?" ? "Narrow" : "at slack water";
    },
  });
  const events = await eventsOf(runtime, turnOf("Go", { conversation, history }), host);
  return { said: textIn(events), asked };
}

const ANSWERED = { net: { answers: ["Narrow"] }, when: { answers: ["at slack water"] } };

test(
  "[CODEX-13] in plan mode Codex asks people, and their answers reach it",
  { skip },
  async () => {
    await using stage = await open({ mode: "plan" });
    const { said, asked } = await play(stage.runtime);
    assert.deepEqual(asked, [
      { text: "Which net?", options: ["Wide", "Narrow"] },
      { text: "When?", options: ["Now", "Later"] },
    ]);
    assert.deepEqual(JSON.parse(said.replace("Done: ", "")), { answers: ANSWERED });
    // The mode has instructions of its own, beside ours.
    const input = JSON.stringify(stage.model.requests.at(-1)?.body.input);
    assert.match(input, /You are Eng 1\./);
    assert.match(input, /Plan Mode/);
  },
);

test(
  "[CODEX-13] in its default mode it may ask only with its own feature for that",
  { skip },
  async () => {
    await using stage = await open({});
    const alone = await play(stage.runtime);
    assert.deepEqual(alone.asked, []);
    assert.match(alone.said, /unavailable in Default mode/);
    const feature = ["--enable", "default_mode_request_user_input"];
    const { said, asked } = await play(stage.another({ extraArgs: feature }));
    assert.equal(asked.length, 2);
    assert.deepEqual(JSON.parse(said.replace("Done: ", "")), { answers: ANSWERED });
  },
);

test("[CODEX-16] a thread in plan mode goes on in the mode of the settings", { skip }, async () => {
  await using stage = await open({ mode: "plan" });
  assert.equal((await play(stage.runtime)).asked.length, 2);
  await stage.runtime.close?.();
  const { conversation } = turnOf("");
  const history = [{ role: "user", text: "Go" } as const];
  const next = stage.another({ mode: "default" });
  const { said, asked } = await play(next, conversation, history);
  assert.deepEqual(asked, []);
  assert.match(said, /unavailable in Default mode/);
  // It is the same thread.
  assert.match(JSON.stringify(stage.model.requests.at(-1)?.body.input), /at slack water/);
});

test("[CODEX-15] the plan that it proposes is part of its answer", { skip }, async () => {
  const chunks = [
    "See:\n<proposed_plan>\n",
    "# Tides\n",
    "- look\n",
    "</proposed_plan>\n",
    "Right?",
  ];
  await using stage = await openCodexStage({
    command: codex.path(),
    answer: () => ({ type: "answer", chunks, usage: USAGE }),
    settings: { mode: "plan" },
  });
  const { said } = await play(stage.runtime);
  assert.match(said, /^See:\s+# Tides\n- look\s+Right\?$/);
});

test("[CODEX-14] a question of a turn that is stopped is withdrawn", { skip }, async () => {
  await using stage = await open({ mode: "plan" });
  const withdrawn = Promise.withResolvers<void>();
  const host = createTestHost({
    speed: 1,
    ask: (_question, signal) => {
      signal?.addEventListener("abort", () => withdrawn.resolve());
      setImmediate(() => host.abort());
      return withdrawn.promise.then(() => null);
    },
  });
  const events = await eventsOf(stage.runtime, turnOf("Go"), host);
  await withdrawn.promise;
  assert.deepEqual(events.at(-1), { type: "completed", stopReason: "aborted" });
});
