/** Gateway wire: questions that only a person can answer. One to three are asked and answered together. */
import { Type, type Static } from "@atrium/schema";
import { event } from "../../event.ts";
import { method } from "../../method.ts";
import { NonEmptyString, Timestamp, strictObject, literals } from "../../scalars.ts";

export const QuestionOption = strictObject({
  label: NonEmptyString,
  description: Type.Optional(Type.String()),
});

const QuestionId = Type.String({ pattern: "^[a-z][a-z0-9_]*$" });
const MAX_HEADER = 12;
/** What the peer's clients can show as buttons. */
export const MAX_QUESTION_OPTIONS = 4;

export const Question = strictObject({
  questionId: QuestionId,
  header: Type.String({ maxLength: MAX_HEADER }),
  question: NonEmptyString,
  options: Type.Array(QuestionOption, { maxItems: MAX_QUESTION_OPTIONS }),
  multiSelect: Type.Optional(Type.Boolean()),
  /** An answer in one's own words is welcome beside the options. */
  isOther: Type.Optional(Type.Boolean()),
});
export type Question = Static<typeof Question>;

export const QuestionAnswers = strictObject({
  answers: Type.Record(Type.String(), Type.Array(Type.String())),
});
export type QuestionAnswers = Static<typeof QuestionAnswers>;

export const QuestionRecord = strictObject({
  id: NonEmptyString,
  questions: Type.Array(Question, { minItems: 1, maxItems: 3 }),
  agentId: Type.Optional(NonEmptyString),
  sessionKey: Type.Optional(NonEmptyString),
  runId: Type.Optional(NonEmptyString),
  createdAtMs: Timestamp,
  expiresAtMs: Timestamp,
  status: literals("pending", "answered", "cancelled", "expired"),
  answers: Type.Optional(QuestionAnswers),
  resolvedBy: Type.Optional(NonEmptyString),
});
export type QuestionRecord = Static<typeof QuestionRecord>;

/** As they come in: secrets are declared so that the refusal can say why. */
const RequestedQuestion = strictObject({
  ...Question.properties,
  isSecret: Type.Optional(Type.Boolean()),
  secretStore: Type.Optional(Type.Unknown()),
});

export const questionRequest = method({
  name: "question.request",
  scope: "operator.questions",
  decides: false,
  params: strictObject({
    id: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$" })),
    questions: Type.Array(RequestedQuestion, { minItems: 1, maxItems: 3 }),
    agentId: Type.Optional(NonEmptyString),
    sessionKey: Type.Optional(NonEmptyString),
    runId: Type.Optional(NonEmptyString),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  result: strictObject({ id: NonEmptyString, expiresAtMs: Timestamp }),
});

const answered = { status: Type.Literal("answered"), answers: QuestionAnswers };
const cancelled = { status: Type.Literal("cancelled") };
const expired = { status: Type.Literal("expired") };

export const questionWaitAnswer = method({
  name: "question.waitAnswer",
  scope: "operator.questions",
  decides: false,
  params: strictObject({
    id: NonEmptyString,
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  result: strictObject({
    status: literals("pending", "answered", "cancelled", "expired"),
    answers: Type.Optional(QuestionAnswers),
  }),
});

/** The peer's way to settle a question: answers, or `cancel`. */
export const questionResolve = method({
  name: "question.resolve",
  scope: "operator.questions",
  params: strictObject({
    id: NonEmptyString,
    answers: Type.Optional(QuestionAnswers),
    cancel: Type.Optional(Type.Literal(true)),
    resolvedBy: Type.Optional(NonEmptyString),
  }),
  result: Type.Union([strictObject(answered), strictObject(cancelled)]),
});

/** Our own, shorter way: `text` answers a question that was asked alone. */
export const questionAnswer = method({
  name: "question.answer",
  scope: "operator.questions",
  params: strictObject({
    id: NonEmptyString,
    answers: Type.Optional(QuestionAnswers),
    text: Type.Optional(NonEmptyString),
  }),
  result: strictObject(answered),
});

export const questionGet = method({
  name: "question.get",
  scope: "operator.questions",
  params: strictObject({ id: NonEmptyString }),
  result: strictObject({ question: QuestionRecord }),
});

export const questionList = method({
  name: "question.list",
  scope: "operator.questions",
  params: strictObject({}),
  result: strictObject({ questions: Type.Array(QuestionRecord) }),
});

export const questionRequested = event({
  name: "question.requested",
  scope: "operator.questions",
  payload: QuestionRecord,
});

export const questionResolved = event({
  name: "question.resolved",
  scope: "operator.questions",
  payload: Type.Union([
    strictObject({ id: NonEmptyString, ...answered }),
    strictObject({ id: NonEmptyString, ...cancelled }),
    strictObject({ id: NonEmptyString, ...expired }),
  ]),
});
