import assert from "node:assert/strict";
import { test } from "node:test";
import { conversation, streamOf, type ConversationEvent, type CrewMember } from "@atrium/core";
import { openMemoryLog } from "@atrium/log";
import { createForkedTalk } from "./forked-talk.ts";
import { createWorkKeys } from "./work-keys.ts";

const crew: readonly CrewMember[] = ["eng", "ops"].map((handle) => ({
  id: `agent_${handle}`,
  handle,
  name: handle,
  role: handle,
  runtime: "r",
}));
const usage = { inputTokens: 1, outputTokens: 1 };
const requested = (runId: string, text: string): ConversationEvent => ({
  type: "run.requested",
  runId,
  messageId: `m-${runId}`,
  text,
  attachments: [],
  mode: "followup",
  isCommand: false,
  from: { clientId: "c", clientMode: "backend", name: null },
  model: null,
  thinking: null,
  instructions: null,
  timeoutMs: null,
});
const started = (runId: string): ConversationEvent => {
  return { type: "run.started", runId, model: { provider: "p", model: "m" }, collects: [] };
};
const called = (runId: string, input: unknown): ConversationEvent => {
  return { type: "run.tool.called", runId, messageId: "m", callId: "c", name: "write", input };
};
const completed = (runId: string, text: string): ConversationEvent => {
  return { type: "run.completed", runId, messageId: "m", text, usage, stopReason: "stop" };
};

test("[FILES-7] the talk until a moment is that of whoever had the task, with what an unfinished turn had done", async () => {
  await using log = openMemoryLog();
  const keys = createWorkKeys(crew);
  const say = async (agentId: string, ...events: readonly ConversationEvent[]): Promise<void> => {
    const stream = streamOf(conversation, keys.task("task_a_1", agentId).text);
    for (const event of events) {
      const { type } = event;
      await log.append(stream, "any", [{ type, at: 1, data: conversation.write(event) }]);
    }
  };
  await say("agent_eng", requested("r1", "Do it"), started("r1"), called("r1", { path: "a" }));
  await say("agent_eng", completed("r1", "Done."));
  await say("agent_ops", requested("r2", "Again"), started("r2"));
  await say("agent_ops", called("r2", { path: "b" }), called("r2", "x".repeat(10_000)));
  const read = createForkedTalk({ log, keys, crew });
  const talkAt = (seq: number) => read({ workspaceId: "task_a_1", seq });

  assert.deepEqual(await talkAt(0), []);
  assert.deepEqual(await talkAt(2), [{ role: "user", text: "Do it" }]);
  assert.deepEqual(await talkAt(3), [
    { role: "user", text: "Do it" },
    { role: "assistant", text: 'What I had done until here:\n- write {"path":"a"}' },
  ]);
  assert.deepEqual(await talkAt(4), [
    { role: "user", text: "Do it" },
    { role: "assistant", text: "Done." },
  ]);
  const [first, steps] = await talkAt(log.head);
  assert.deepEqual(first, { role: "user", text: "Again" });
  assert.ok(steps !== undefined && steps.text.length < 500);
  const other = await read({ workspaceId: "task_a_2", seq: log.head });
  assert.deepEqual(other, []);
});
