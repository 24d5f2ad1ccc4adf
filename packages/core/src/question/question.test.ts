import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse } from "../engine/refusal.ts";
import type { Answerer } from "../people/answerer.ts";
import { createQuestions } from "../projections/questions.ts";
import { given } from "../testing/index.ts";
import { checkAnswers, type QuestionItem } from "./answers.ts";
import { question, type QuestionEvent } from "./question.ts";

const ann: Answerer = { id: "device-a", name: "Ann", via: "gateway" };
const options = ["Tech users", "General consumers"].map((label) => ({ label, description: null }));
const audience: QuestionItem = {
  questionId: "audience",
  header: "Audience",
  text: "Which audience?",
  options,
  isMultiple: false,
  allowsOther: false,
};
const name: QuestionItem = { ...audience, questionId: "name", text: "Which name?", options: [] };
const source = { conversationKey: null, runId: null, agent: null, askedBy: "client" } as const;
const asked: QuestionEvent & { type: "question.asked" } = {
  type: "question.asked",
  id: "q1",
  items: [audience],
  source,
  expiresAt: 1_000,
};
const ask = { ...asked, type: "ask" } as const;
const answer = { type: "answer", answers: { audience: ["Tech users"] }, by: ann } as const;
const answered: QuestionEvent = {
  type: "question.answered",
  answers: { audience: ["Tech users"] },
  by: ann,
};

test("[CORE-30] a question is asked once and settled once", () => {
  assert.deepEqual(given(question).when(ask), accept([asked]));
  assert.deepEqual(given(question, asked).when(ask), refuse("question.taken", "q1"));
  assert.deepEqual(given(question, asked).when(answer), accept([answered]));
  assert.deepEqual(
    given(question, asked).when({ type: "withdraw", by: ann }),
    accept([{ type: "question.withdrawn", by: ann }]),
  );
  assert.deepEqual(
    given(question, asked).when({ type: "expire", why: "timeout" }),
    accept([{ type: "question.expired", why: "timeout" }]),
  );
  assert.deepEqual(given(question).when(answer), refuse("question.missing"));
});

test("[CORE-30] what comes after is refused and says how it ended", () => {
  const endings: readonly (readonly [QuestionEvent, string])[] = [
    [answered, "answered by Ann (gateway)"],
    [{ type: "question.withdrawn", by: ann }, "withdrawn by Ann (gateway)"],
    [{ type: "question.expired", why: "run-ended" }, "expired (run-ended)"],
  ];
  for (const [ending, how] of endings) {
    for (const command of [answer, { type: "expire", why: "timeout" }] as const) {
      const late = given(question, asked, ending).when(command);
      assert.deepEqual(late, refuse("question.settled", how));
    }
  }
});

test("[CORE-30] an option is named by label or number, in any case; the label is kept", () => {
  for (const said of ["General consumers", " general CONSUMERS ", "2"]) {
    assert.deepEqual(
      checkAnswers([audience], { audience: [said] }),
      accept({ audience: ["General consumers"] }),
    );
  }
  const digits = ["3", "1"].map((label) => ({ label, description: null }));
  assert.deepEqual(
    checkAnswers([{ ...audience, options: digits }], { audience: ["1"] }),
    accept({ audience: ["1"] }),
  );
});

test("[CORE-30] an answer that does not fit is refused with the reason", () => {
  const refused = [
    [{}, "question 'audience' requires an answer"],
    [{ audience: [] }, "question 'audience' requires an answer"],
    [{ audience: [" "] }, "question 'audience' contains an empty answer"],
    [{ audience: ["3"] }, `question 'audience' takes one of "Tech users", "General consumers"`],
    [{ audience: ["1", "2"] }, "question 'audience' does not allow multiple answers"],
    [{ audience: ["1"], other: ["x"] }, "question 'other' is not part of this request"],
  ] as const;
  for (const [answers, why] of refused) {
    assert.deepEqual(checkAnswers([audience], answers), refuse("question.misanswered", why));
  }
  assert.equal(checkAnswers([audience], JSON.parse('{"__proto__":["1"]}')).ok, false);
});

test("[CORE-30] own words are taken where they are welcome, several answers where they are", () => {
  assert.deepEqual(checkAnswers([name], { name: [" Atrium "] }), accept({ name: ["Atrium"] }));
  assert.deepEqual(
    checkAnswers([{ ...audience, allowsOther: true }], { audience: ["everyone"] }),
    accept({ audience: ["everyone"] }),
  );
  assert.deepEqual(
    checkAnswers([{ ...audience, isMultiple: true }], { audience: ["2", "1", "2"] }),
    accept({ audience: ["General consumers", "Tech users"] }),
  );
  assert.deepEqual(
    checkAnswers([audience, name], { audience: ["1"], name: ["x"] }),
    accept({ audience: ["Tech users"], name: ["x"] }),
  );
});

test("[CORE-30] what cannot be answered is not asked", () => {
  const twin = [...options, { label: " TECH users", description: null }];
  const blank = [...options, { label: " ", description: null }];
  for (const items of [
    [],
    [audience, audience],
    [{ ...audience, options: twin }],
    [{ ...audience, options: blank }],
  ]) {
    const refused = given(question).when({ ...ask, items });
    assert.equal(refused.ok ? undefined : refused.code, "question.malformed");
  }
});

test("open questions are listed, the latest settled ones kept, a snapshot holds both", () => {
  const questions = createQuestions();
  const apply = (id: string, { type, ...data }: QuestionEvent): void =>
    questions.apply({ seq: 1, stream: `question/${id}`, type, at: 7, data });
  for (let n = 0; n < 210; n++) {
    apply(`q${n}`, { ...asked, id: `q${n}` });
    if (n < 205) apply(`q${n}`, answered);
  }
  assert.equal(questions.openCount, 5);
  assert.deepEqual(questions.get("q204")?.settled, { at: 7, outcome: answered });
  assert.equal(questions.get("q0"), undefined);
  const loaded = createQuestions();
  loaded.load(JSON.parse(JSON.stringify(questions.save())));
  assert.deepEqual(loaded.save(), questions.save());
  assert.deepEqual(loaded.listOpen(), questions.listOpen());
});
