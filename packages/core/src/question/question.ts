/**
 * Question: something only a person can say, asked once and settled once.
 *
 *   absent --ask--> open --answer / withdraw / expire--> settled
 *
 * Pure: no clock, no ids, no I/O. Several questions asked together are answered together.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { TaggedUnion } from "../engine/tagged-union.ts";
import {
  describeAnswerer,
  type Answerer,
  type Requester,
  type NoAnswerReason,
} from "../people/answerer.ts";
import { checkAnswers, questionProblem, type Answers, type QuestionItem } from "./answers.ts";
import { QUESTION_EVENTS } from "./question-shapes.ts";

export interface QuestionSource {
  readonly conversationKey: string | null;
  readonly runId: string | null;
  /** The agent's handle. */
  readonly agent: string | null;
  readonly askedBy: Requester;
  /** The joined session that asks, where one does. */
  readonly joinedId?: string;
}

export type QuestionCommand = TaggedUnion<{
  ask: { id: string; items: readonly QuestionItem[]; source: QuestionSource; expiresAt: number };
  answer: { answers: Answers; by: Answerer; note?: string | undefined };
  withdraw: { by: Answerer };
  expire: { why: NoAnswerReason };
}>;

export type QuestionEvent = TaggedUnion<{
  "question.asked": {
    id: string;
    items: readonly QuestionItem[];
    source: QuestionSource;
    expiresAt: number;
  };
  "question.answered": {
    answers: Answers;
    by: Answerer;
    /** What they had to say about it, beside the answer. */
    note?: string;
  };
  "question.withdrawn": { by: Answerer };
  "question.expired": { why: NoAnswerReason };
}>;

export type QuestionOutcome = Exclude<QuestionEvent, { type: "question.asked" }>;

export type Question = TaggedUnion<
  {
    absent: object;
    open: { items: readonly QuestionItem[] };
    settled: { outcome: QuestionOutcome };
  },
  "state"
>;

function decide(question: Question, command: QuestionCommand): Outcome<readonly QuestionEvent[]> {
  if (command.type === "ask") {
    const { id, items, source, expiresAt } = command;
    if (question.state !== "absent") return refuse("question.taken", id);
    const flaw = questionProblem(items);
    if (flaw !== undefined) return refuse("question.malformed", flaw);
    return accept([{ type: "question.asked", id, items, source, expiresAt }]);
  }
  switch (question.state) {
    case "absent":
      return refuse("question.missing");
    case "settled":
      return refuse("question.settled", describeSettlement(question.outcome));
    case "open":
      return settle(question.items, command);
  }
}

function settle(
  items: readonly QuestionItem[],
  command: Exclude<QuestionCommand, { type: "ask" }>,
): Outcome<readonly QuestionEvent[]> {
  switch (command.type) {
    case "answer": {
      const answers = checkAnswers(items, command.answers);
      if (!answers.ok) return answers;
      const { by, note } = command;
      const answered = { type: "question.answered", answers: answers.value, by } as const;
      return accept([note === undefined ? answered : { ...answered, note }]);
    }
    case "withdraw":
      return accept([{ type: "question.withdrawn", by: command.by }]);
    case "expire":
      return accept([{ type: "question.expired", why: command.why }]);
  }
}

function describeSettlement(outcome: QuestionOutcome): string {
  switch (outcome.type) {
    case "question.answered":
      return `answered by ${describeAnswerer(outcome.by)}`;
    case "question.withdrawn":
      return `withdrawn by ${describeAnswerer(outcome.by)}`;
    case "question.expired":
      return `expired (${outcome.why})`;
  }
}

function evolve(_question: Question, event: QuestionEvent): Question {
  switch (event.type) {
    case "question.asked":
      return { state: "open", items: event.items };
    case "question.answered":
    case "question.withdrawn":
    case "question.expired":
      return { state: "settled", outcome: event };
  }
}

export const question: Aggregate<Question, QuestionCommand, QuestionEvent> = {
  name: "question",
  initial: { state: "absent" },
  decide,
  evolve,
  ...createCodec<QuestionEvent>(QUESTION_EVENTS),
};
