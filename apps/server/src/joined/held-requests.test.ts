import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, type ApprovalRow, type QuestionRow } from "@atrium/core";
import { HeldRequests, type HeldRequestDeps } from "./held-requests.ts";

const never = (): never => assert.fail("it is not asked for");

/** What is open, of the session in its name; an agent's own has none. */
function openRequests(isOwn: (joinedId: string) => boolean) {
  const withdrawn: string[] = [];
  const expire = (id: string): ReturnType<HeldRequestDeps["humanInput"]["expireApproval"]> => {
    withdrawn.push(id);
    return Promise.resolve(accept(undefined) as never);
  };
  const approvals = [
    { id: "a-here", subject: { joinedId: "here" } },
    { id: "a-there", subject: { joinedId: "there" } },
    { id: "a-agent", subject: {} },
  ] as unknown as readonly ApprovalRow[];
  const questions = [
    { id: "q-here", source: { joinedId: "here" } },
    { id: "q-there", source: { joinedId: "there" } },
  ] as unknown as readonly QuestionRow[];
  const held = new HeldRequests({
    approvals: { get: () => undefined, listOpen: () => approvals },
    questions: { get: () => undefined, listOpen: () => questions },
    humanInput: {
      openApproval: never,
      awaitApproval: never,
      openQuestion: never,
      awaitQuestion: never,
      expireApproval: expire,
      expireQuestion: expire as never,
    },
    limits: { answerTimeoutMs: 1 },
    mask: (value) => value,
    isOwn,
  });
  return { held, withdrawn };
}

test("[JOIN-79] a node withdraws what nobody waits for of its own sessions, and nothing of another node's", async () => {
  const { held, withdrawn } = openRequests((id) => id === "here");
  await held.withdrawUnattended();
  assert.deepEqual(withdrawn, ["a-here", "q-here"]);
});
