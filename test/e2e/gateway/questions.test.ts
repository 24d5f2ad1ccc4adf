import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { loadPeerSchemas } from "../../kit/peer-schemas.ts";
import { question } from "../../kit/question-draft.ts";

const named = (displayName: string) => ({ client: { displayName } });

test("[GW-47] a question is asked, told, waited for and answered in the peer's words", async () => {
  await using atrium = await openTestAtrium();
  await using asker = await atrium.connect(named("Asker"));
  await using ann = await atrium.connect({ ...named("Ann"), scopes: ["operator.questions"] });
  const told = ann.event("question.requested");
  const { id } = await asker.ask("question.request", {
    questions: [question(), { ...question("free"), options: [] }],
    sessionKey: "agent:main:main",
    timeoutMs: 60_000,
  });
  const { payload } = await told;
  assert.deepEqual([payload.id, payload.status, payload.questions.length], [id, "pending", 2]);
  assert.deepEqual((await ann.ask("question.list")).questions, [payload]);
  const pending = await asker.ask("question.waitAnswer", { id, timeoutMs: 1 });
  assert.deepEqual(pending, { status: "pending" });
  const wrong = await ann.request("question.resolve", {
    id,
    answers: { answers: { pick: ["Three"] } },
  });
  assert.equal(wrong.error?.details.reason, "QUESTION_INVALID_ANSWER");
  const waiting = asker.ask("question.waitAnswer", { id });
  const resolved = asker.event("question.resolved");
  const answers = { answers: { pick: ["Two"], free: ["as you like"] } };
  const done = { status: "answered", answers };
  assert.deepEqual(
    await ann.ask("question.resolve", {
      id,
      answers: { answers: { pick: ["2"], free: [" as you like "] } },
    }),
    done,
  );
  assert.deepEqual(await waiting, done);
  assert.deepEqual((await resolved).payload, { id, ...done });
  const { question: record } = await ann.ask("question.get", { id });
  assert.deepEqual(
    [record.status, record.answers, record.resolvedBy],
    ["answered", answers, "Ann"],
  );
  const late = await asker.request("question.resolve", { id, cancel: true });
  assert.equal(
    late.error?.message,
    "question is already answered by Ann (gateway, token, from 127.0.0.1)",
  );
  assert.equal(late.error?.details.reason, "QUESTION_ALREADY_TERMINAL");
});

test("[GW-47] a lone question is answered by its text, and any question may be cancelled", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const one = await peer.ask("question.request", { questions: [question()] });
  assert.deepEqual(await peer.ask("question.answer", { id: one.id, text: "one" }), {
    status: "answered",
    answers: { answers: { pick: ["One"] } },
  });
  const two = await peer.ask("question.request", { questions: [question(), question("other")] });
  const vague = await peer.request("question.answer", { id: two.id, text: "one" });
  assert.equal(vague.ok, false);
  const waiting = peer.ask("question.waitAnswer", { id: two.id });
  assert.deepEqual(await peer.ask("question.resolve", { id: two.id, cancel: true }), {
    status: "cancelled",
  });
  assert.deepEqual(await waiting, { status: "cancelled" });
});

test("[GW-34] what is asked of people is sent in the shapes the peer publishes", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const peerSchemas = await loadPeerSchemas();
  for (const decision of ["allow-once", "allow-always", "deny", undefined]) {
    const told = peer.event("exec.approval.requested");
    const params = { command: "x", sessionKey: "main", agentId: "main", timeoutMs: 50 };
    const answer = peer.ask("exec.approval.request", params);
    const { id } = (await told).payload;
    peerSchemas.check("ApprovalGetResult", await peer.ask("approval.get", { id }));
    if (decision !== undefined) {
      const resolve = { id, kind: "exec", decision };
      peerSchemas.check("ApprovalResolveResult", await peer.ask("approval.resolve", resolve));
    }
    await answer;
    peerSchemas.check("ApprovalGetResult", await peer.ask("approval.get", { id }));
  }
  const resolved = peer.event("question.resolved");
  const asked = await peer.ask("question.request", { questions: [question()], timeoutMs: 60_000 });
  peerSchemas.check("QuestionRequestResult", asked);
  peerSchemas.check("QuestionListResult", await peer.ask("question.list"));
  const waiting = peer.ask("question.waitAnswer", { id: asked.id });
  const answers = { answers: { pick: ["One"] } };
  peerSchemas.check(
    "QuestionResolveResult",
    await peer.ask("question.resolve", { id: asked.id, answers }),
  );
  peerSchemas.check("QuestionWaitAnswerResult", await waiting);
  peerSchemas.check("QuestionGetResult", await peer.ask("question.get", { id: asked.id }));
  peerSchemas.check("QuestionResolvedEvent", (await resolved).payload);
  peerSchemas.check(
    "QuestionRecord",
    peer.frames.find(({ event }) => event === "question.requested")?.payload,
  );
  for (const frame of peer.frames) peerSchemas.checkFrame(frame);
});
