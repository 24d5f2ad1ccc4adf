import assert from "node:assert/strict";
import { test } from "node:test";
import { requestsIn, openRequests } from "./open-requests.ts";
import { settle, TestLine } from "./testing/test-line.ts";

const approval = (id: string, sessionKey: string): object => ({ id, request: { sessionKey } });
const question = (id: string, sessionKey: string, status = "pending"): object => ({
  id,
  sessionKey,
  status,
  questions: [],
});

test("[PAGE-6] what waits for a person is read once and kept true by what is told", async () => {
  const stage = new TestLine();
  stage.answer = (name) =>
    name === "question.list"
      ? { questions: [question("q1", "one"), question("q0", "one", "answered")] }
      : [approval("a1", "one")];
  const asked = openRequests(stage.line);
  await settle();
  stage.say("exec.approval.requested", approval("a2", "two"));
  stage.say("exec.approval.requested", approval("a2", "two"));
  stage.say("question.requested", question("q2", "two"));
  const ids = (): readonly string[] => {
    const { approvals, questions } = asked.store.getState();
    return [...approvals, ...questions].map(({ id }) => id);
  };
  assert.deepEqual(ids(), ["a1", "a2", "q1", "q2"]);
  assert.deepEqual(
    requestsIn(asked.store.getState(), "two").approvals.map(({ id }) => id),
    ["a2"],
  );
  stage.say("exec.approval.resolved", { id: "a1" });
  stage.say("question.resolved", { id: "q2" });
  assert.deepEqual(ids(), ["a2", "q1"]);
});
