/**
 * Build wire: what happens in a build session, as people are told of it.
 *
 * Types and payloads are those of the protocol; every stored event also has an id, its place in the log
 * and its time. Some types are ours, because the protocol has none for what people answer, and for what they are
 * asked to allow.
 */
import { Type, type Static, type TSchema } from "@atrium/schema";
import { PermissionSubject } from "../permission.ts";
import { Count, NonEmptyString, Timestamp, strictObject, literals } from "../scalars.ts";
import { BUILD_STEPS, type BuildStepId } from "./steps.ts";

const agent = Type.Literal("agent");
const backend = Type.Literal("backend");
/** `backend`: this server said it, because the agent did not or could not. */
const either = Type.Union([agent, backend]);
const user = Type.Literal("user");

export const BuildStepName = Type.Unsafe<BuildStepId>(
  Type.Union(BUILD_STEPS.map(({ id }) => Type.Literal(id))),
);

/** It becomes part of a header, so it may hold nothing that ends one. */
const BuildQuestionId = Type.String({ pattern: "^[^\\s\\[\\],]{1,128}$" });

export const BuildOption = strictObject({
  id: Type.String({ minLength: 1, maxLength: 128 }),
  label: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 1_000 })),
});

const input = Type.Union([Type.Literal("single_choice"), Type.Literal("text")]);
const Prompt = Type.String({ minLength: 1, maxLength: 2_000 });
const MAX_OPTIONS = 50;
const MAX_QUESTIONS = 20;
const options = Type.Array(BuildOption, { maxItems: MAX_OPTIONS });

export const BuildQuestion = strictObject({
  question_id: BuildQuestionId,
  prompt: Prompt,
  input,
  options: Type.Optional(options),
});

export const BuildAnswer = strictObject({
  question_id: BuildQuestionId,
  option_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  text: Type.Optional(Type.String({ maxLength: 20_000 })),
});

const check = { name: NonEmptyString, required: Type.Boolean() };

/** How a check of the repository ended; `skipped`: nobody allowed it to run. */
export const BuildCheckView = strictObject({
  ...check,
  verdict: literals("passed", "failed", "error", "skipped"),
  exit_code: Type.Optional(Type.Integer()),
  ms: Count,
  /** `GET /api/checks/:id/output` has all that it printed. */
  check_id: Type.Optional(NonEmptyString),
});
export type BuildCheckView = Static<typeof BuildCheckView>;

/** What each type of event carries. */
export const BUILD_PAYLOADS = {
  "session.started": strictObject({ source: backend }),
  "assistant.message.created": strictObject({ text: NonEmptyString, source: either }),
  "progress.step.started": strictObject({
    step_id: BuildStepName,
    title: NonEmptyString,
    description: NonEmptyString,
    index: Type.Integer({ minimum: 1 }),
    total: Type.Integer({ minimum: 1 }),
    source: agent,
  }),
  "progress.step.completed": strictObject({ step_id: BuildStepName, source: either }),
  "status.changed": strictObject({
    status: literals("running", "complete", "failed"),
    output: Type.Optional(Type.String()),
    source: either,
  }),
  "question.requested": strictObject({
    question_id: BuildQuestionId,
    prompt: Prompt,
    input,
    required: Type.Boolean(),
    options: Type.Optional(options),
    source: agent,
  }),
  "questions.requested": strictObject({
    question_set_id: BuildQuestionId,
    prompt: Prompt,
    required_all: Type.Boolean(),
    questions: Type.Array(BuildQuestion, { minItems: 1, maxItems: MAX_QUESTIONS }),
    source: agent,
  }),
  "question.answered": strictObject({ ...BuildAnswer.properties, source: user }),
  "questions.answered": strictObject({
    question_set_id: BuildQuestionId,
    answers: Type.Array(BuildAnswer),
    source: user,
  }),
  /** What was asked by a tool, in the middle of a turn, and not answered in time. */
  "question.expired": strictObject({
    question_id: Type.Optional(BuildQuestionId),
    question_set_id: Type.Optional(BuildQuestionId),
    source: backend,
  }),
  "permission.requested": strictObject({
    permission_id: NonEmptyString,
    /** What people may type to answer: `yes CODE`. */
    code: NonEmptyString,
    permission: PermissionSubject,
    expires_at: Timestamp,
    source: agent,
  }),
  "permission.resolved": strictObject({
    permission_id: NonEmptyString,
    outcome: literals("allowed", "denied", "expired"),
    /** Who decided. */
    by: Type.Optional(Type.String()),
    note: Type.Optional(Type.String()),
    source: Type.Union([user, backend]),
  }),
  /** The checks of the repository, on what the agent made; the step `validate` is over when they have passed. */
  "checks.started": strictObject({ checks: Type.Array(strictObject(check)), source: backend }),
  "checks.finished": strictObject({
    verdict: literals("passed", "failed"),
    checks: Type.Array(BuildCheckView),
    source: backend,
  }),
  "session.completed": strictObject({ source: either }),
  "session.failed": strictObject({ reason: Type.Optional(Type.String()), source: either }),
} as const;

export type BuildEventType = keyof typeof BUILD_PAYLOADS;

function stored<const Name extends BuildEventType>(type: Name) {
  const payload: (typeof BUILD_PAYLOADS)[Name] = BUILD_PAYLOADS[type];
  return strictObject({
    id: NonEmptyString,
    seq: Count,
    ts: Timestamp,
    build_id: NonEmptyString,
    type: Type.Literal(type),
    payload,
  });
}

export const BuildSessionStarted = stored("session.started");
export const BuildMessageCreated = stored("assistant.message.created");
export const BuildStepStarted = stored("progress.step.started");
export const BuildStepCompleted = stored("progress.step.completed");
export const BuildStatusChanged = stored("status.changed");
export const BuildQuestionRequested = stored("question.requested");
export const BuildQuestionsRequested = stored("questions.requested");
export const BuildQuestionAnswered = stored("question.answered");
export const BuildQuestionsAnswered = stored("questions.answered");
export const BuildQuestionExpired = stored("question.expired");
export const BuildPermissionRequested = stored("permission.requested");
export const BuildPermissionResolved = stored("permission.resolved");
export const BuildChecksStarted = stored("checks.started");
export const BuildChecksFinished = stored("checks.finished");
export const BuildSessionCompleted = stored("session.completed");
export const BuildSessionFailed = stored("session.failed");

export const BuildEvent = Type.Union([
  BuildSessionStarted,
  BuildMessageCreated,
  BuildStepStarted,
  BuildStepCompleted,
  BuildStatusChanged,
  BuildQuestionRequested,
  BuildQuestionsRequested,
  BuildQuestionAnswered,
  BuildQuestionsAnswered,
  BuildQuestionExpired,
  BuildPermissionRequested,
  BuildPermissionResolved,
  BuildChecksStarted,
  BuildChecksFinished,
  BuildSessionCompleted,
  BuildSessionFailed,
]);
export type BuildEvent = Static<typeof BuildEvent>;

export function isLastBuildEvent({ type }: { readonly type: string }): boolean {
  return type === "session.completed" || type === "session.failed";
}

const started = BUILD_PAYLOADS["progress.step.started"].properties;
const questionFields = BUILD_PAYLOADS["question.requested"].properties;
const askedTogether = BUILD_PAYLOADS["questions.requested"].properties;
const LongText = Type.String({ maxLength: 100_000 });
const agentOptions = Type.Optional(
  Type.Array(Type.Object(BuildOption.properties), { maxItems: MAX_OPTIONS }),
);

/**
 * What an agent may say, by type: the same, but what we know better or can do without may be missing.
 * Whether it is true is not the schema's business.
 */
export const AGENT_PAYLOADS = {
  "assistant.message.created": Type.Object({ text: LongText }),
  "progress.step.started": Type.Object({
    step_id: Type.String({ maxLength: 128 }),
    title: Type.Optional(LongText),
    description: Type.Optional(LongText),
    index: Type.Optional(started.index),
    total: Type.Optional(started.total),
  }),
  "progress.step.completed": Type.Object({ step_id: Type.String({ maxLength: 128 }) }),
  "status.changed": Type.Object({
    status: BUILD_PAYLOADS["status.changed"].properties.status,
    output: Type.Optional(LongText),
  }),
  "question.requested": Type.Object({
    question_id: questionFields.question_id,
    prompt: questionFields.prompt,
    input: questionFields.input,
    required: Type.Optional(questionFields.required),
    options: agentOptions,
  }),
  "questions.requested": Type.Object({
    question_set_id: askedTogether.question_set_id,
    prompt: askedTogether.prompt,
    required_all: Type.Optional(askedTogether.required_all),
    questions: Type.Array(Type.Object({ ...BuildQuestion.properties, options: agentOptions }), {
      minItems: 1,
      maxItems: MAX_QUESTIONS,
    }),
  }),
  "session.completed": Type.Object({}),
  "session.failed": Type.Object({ reason: Type.Optional(LongText) }),
} as const satisfies Partial<Record<BuildEventType, TSchema>>;

export type AgentEventType = keyof typeof AGENT_PAYLOADS;
export type AgentPayload<Name extends AgentEventType> = Static<(typeof AGENT_PAYLOADS)[Name]>;
