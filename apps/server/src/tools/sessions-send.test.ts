import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, BUILT_IN_CREW, type ConversationRow, type RunEnded } from "@atrium/core";
import type { ToolCallContext } from "../runs/agent-policy.ts";
import type { IncomingMessage } from "../runs/message-intake.ts";
import type { RunStatus } from "../runs/run-statuses.ts";
import { sessionsSendTool } from "./sessions-send.ts";
import { createToolbox } from "./toolbox.ts";

/** Conversations whose answers the test gives by hand. */
function stage() {
  const said: IncomingMessage[] = [];
  const waiting = new Map<string, (report: RunStatus | undefined) => void>();
  let ids = 0;
  const tool = sessionsSendTool({
    crew: BUILT_IN_CREW,
    conversations: {
      get: (key) => (key === "agent:main:gone" ? undefined : ({ key } as ConversationRow)),
    },
    intake: {
      send(message) {
        said.push(message);
        return Promise.resolve(accept({ runId: message.runId, part: 0, isRepeated: false }));
      },
    },
    runs: {
      wait(runId, signal) {
        return new Promise((resolve) => {
          if (signal.aborted) resolve(undefined);
          waiting.set(runId, resolve);
          signal.addEventListener("abort", () => resolve(undefined), { once: true });
        });
      },
    },
    ids: { next: () => `id${++ids}` },
  });
  const toolbox = createToolbox([tool]);
  return {
    said,
    send: (from: Partial<ToolCallContext>, input: Record<string, unknown>) =>
      toolbox.call(
        "sessions_send",
        { message: "hi", ...input },
        {
          key: "agent:main:main",
          runId: "r1",
          agentId: "agent_bd",
          signal: new AbortController().signal,
          ...from,
        },
      ),
    answer: (runId: string, ended: object) =>
      waiting.get(runId)?.({ row: {} as RunStatus["row"], ended: ended as RunEnded } as RunStatus),
  };
}

const ENG = "agent:eng_1:main";
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("[TOOL-3] the answer of the other conversation is the result", async () => {
  const { send, said, answer } = stage();
  const result = send({}, { sessionKey: ENG });
  await turn();
  assert.equal(said[0]?.key.text, ENG);
  answer("relay-1-id1", { type: "run.completed", text: "hello back" });
  const { text, isError } = await result;
  assert.equal(isError, false);
  assert.deepEqual(JSON.parse(text), {
    runId: "relay-1-id1",
    sessionKey: ENG,
    status: "answered",
    reply: "hello back",
  });
});

test("[TOOL-3] a failure is told, and so is that no answer came in time", async () => {
  const { send, answer } = stage();
  const failing = send({}, { sessionKey: ENG });
  await turn();
  answer("relay-1-id1", { type: "run.failed", reason: "no kettle" });
  const { text, isError } = await failing;
  assert.deepEqual([text, isError], [`${ENG} failed to answer: no kettle`, true]);
  const late = await send({}, { sessionKey: ENG, timeoutSeconds: 0 });
  assert.equal(JSON.parse(late.text).status, "sent");
  const nowhere = await send({}, { sessionKey: "agent:main:gone" });
  assert.match(nowhere.text, /no conversation agent:main:gone/);
});

test("[TOOL-3] nobody waits longer than the limit, and a turn that is stopped waits no longer", async () => {
  const { send } = stage();
  const tooLong = await send({}, { sessionKey: ENG, timeoutSeconds: 3600 });
  assert.equal(tooLong.isError, true);
  const stopped = await send({ signal: AbortSignal.abort() }, { sessionKey: ENG });
  assert.equal(JSON.parse(stopped.text).status, "sent");
});

test("[TOOL-4] a conversation does not send to itself", async () => {
  const { send, said } = stage();
  const { isError } = await send({}, { sessionKey: "main" });
  assert.deepEqual([isError, said.length], [true, 0]);
});

test("[TOOL-4] a conversation does not send to one that waits for it, however far round", async () => {
  const { send, answer } = stage();
  const writer = "agent:writer_1:main";
  const first = send({}, { sessionKey: ENG });
  const second = send({ key: ENG, runId: "relay-1-id1" }, { sessionKey: writer });
  await turn();
  const round = await send({ key: writer, runId: "relay-2-id2" }, { sessionKey: "main" });
  assert.match(round.text, /waits for your answer/);
  answer("relay-2-id2", { type: "run.completed", text: "done" });
  await second;
  answer("relay-1-id1", { type: "run.completed", text: "done" });
  await first;
  const after = await send({ key: writer }, { sessionKey: "main", timeoutSeconds: 0 });
  assert.equal(after.isError, false, "once nobody waits any more it may");
});

test("[TOOL-4] what was passed on four times is not passed on again", async () => {
  const { send, said } = stage();
  let runId = "r1";
  for (let hop = 1; hop <= 4; hop++) {
    const { text } = await send({ runId }, { sessionKey: ENG, timeoutSeconds: 0 });
    runId = JSON.parse(text).runId;
    assert.match(runId, new RegExp(`^relay-${hop}-`));
  }
  const fifth = await send({ runId }, { sessionKey: ENG });
  assert.match(fifth.text, /passed on 4 times/);
  assert.equal(said.length, 4);
});
