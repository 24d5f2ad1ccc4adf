import assert from "node:assert/strict";
import { test } from "node:test";
import { ConnectionLost, GatewayError, RequestTimeout } from "../base/errors.ts";
import { Stage, refusal, reply, turn } from "../testing/stage.ts";

const accepted = {
  runId: "key-1",
  sessionKey: "agent:main:main",
  agentId: "main",
  status: "accepted",
  acceptedAt: 1,
};
const finished = {
  runId: "key-1",
  status: "ok",
  summary: "completed",
  result: {
    payloads: [{ text: "done", mediaUrl: null }],
    meta: {
      durationMs: 1,
      aborted: false,
      agentMeta: {
        sessionId: "s",
        provider: "p",
        model: "m",
        usage: { input: 1, output: 1, totalTokens: 2 },
      },
    },
  },
};

test("[CLIENT-23] agent tells that the work was taken on and resolves with how it ended", async () => {
  await using stage = new Stage({ requestTimeoutMs: 1_000 });
  await stage.connect();
  const taken: string[] = [];
  const work = stage.client.agent(
    { message: "build it" },
    { onAccepted: ({ runId }) => taken.push(runId) },
  );
  await turn();
  await stage.answer("agent", accepted);
  assert.deepEqual(taken, ["key-1"]);
  // The limit was for the first reply; work may take longer.
  stage.clock.advance(20_000);
  await stage.answer("agent", finished);
  assert.equal((await work).result.payloads[0]?.text, "done");
  assert.deepEqual(stage.problems, []);
});

test("[CLIENT-23] agent gives up when not even the first reply comes in time", async () => {
  await using stage = new Stage({ requestTimeoutMs: 1_000 });
  await stage.connect();
  const work = stage.client.agent({ message: "build it" });
  await turn();
  stage.clock.advance(1_000);
  await assert.rejects(work, RequestTimeout);
});

test("[CLIENT-26] agent is sent again under the same key after the connection was lost", async () => {
  await using stage = new Stage();
  await stage.connect();
  const taken: string[] = [];
  const work = stage.client.agent(
    { message: "build it" },
    { onAccepted: ({ runId }) => taken.push(runId) },
  );
  await turn();
  await stage.answer("agent", accepted);
  const first = stage.asked["params"];
  await stage.comeBack();
  assert.deepEqual(stage.askedBy("agent")[0]?.["params"], first);
  await stage.answer("agent", accepted);
  await stage.answer("agent", finished);
  assert.equal((await work).status, "ok");
  assert.deepEqual(taken, ["key-1"]);
});

test("[CLIENT-23] work that failed rejects with the error and what came along with it", async () => {
  await using stage = new Stage();
  await stage.connect();
  const work = stage.client.agent({ message: "build it" });
  await turn();
  const { id } = stage.asked;
  const payload = { runId: "key-1", status: "error", summary: "no" };
  const error = { code: "UNAVAILABLE", message: "no" };
  stage.socket
    .say(reply(id, accepted))
    .say({ ...refusal(id, error), payload })
    .flush();
  await assert.rejects(work, (caught: unknown) => {
    assert.ok(caught instanceof GatewayError);
    assert.deepEqual(caught.payload, payload);
    return true;
  });
});

test("agent rejects when no connection will come", async () => {
  const stage = new Stage();
  await assert.rejects(stage.client.agent({ message: "build it" }), ConnectionLost);
  await stage.connect();
  const work = stage.client.agent({ message: "build it" });
  await turn();
  await Promise.all([assert.rejects(work, /closed/), stage[Symbol.asyncDispose]()]);
});
