/** What people are told of a build, in the words of the build protocol. The only place that writes them. */
import type {
  QuestionSet,
  BuildQuestion,
  BuildAnswer,
  BuildCheckResult,
  PermissionWait,
  BuildFeedEvent,
} from "@atrium/core";
import { visibleText } from "@atrium/wire";
import type { BuildCheckView, BuildEvent, BuildStepId } from "@atrium/wire/build";
import { permissionOnWire } from "../human-input/permission-on-wire.ts";
import { permissionPath } from "./build-key.ts";

type Written = BuildEvent extends infer Each
  ? Each extends { readonly type: infer Type; readonly payload: infer Payload }
    ? { readonly type: Type; readonly payload: Payload }
    : never
  : never;

export function encodeFeedEvent(event: BuildFeedEvent, buildId = ""): Written {
  // The state machine lets only the agent ask, and only people answer.
  const source = event.source === "agent" ? "agent" : "backend";
  switch (event.what) {
    case "started":
      return { type: "session.started", payload: { source: "backend" } };
    case "message":
      return { type: "assistant.message.created", payload: { text: event.text, source } };
    case "step-started": {
      const { stepId, title, description, index, total } = event;
      const step = { step_id: stepName(stepId), title, description, index, total };
      return { type: "progress.step.started", payload: { ...step, source: "agent" } };
    }
    case "step-completed":
      return {
        type: "progress.step.completed",
        payload: { step_id: stepName(event.stepId), source },
      };
    case "status": {
      const { status, output } = event;
      return {
        type: "status.changed",
        payload: { status, ...(output !== null && { output }), source },
      };
    }
    case "asked":
      return encodeAsked(event);
    case "answered":
      return encodeAnswered(event);
    case "wait-began":
      return event.wait.kind === "permission"
        ? { type: "permission.requested", payload: encodePermission(event.wait, buildId) }
        : encodeAsked(event.wait.asked);
    case "wait-ended":
      return encodeWaitEnd(event);
    case "checks-started":
      return {
        type: "checks.started",
        payload: { checks: [...event.checks], source: "backend" },
      };
    case "checks-finished": {
      const { verdict, results } = event;
      return {
        type: "checks.finished",
        payload: { verdict, checks: results.map(encodeCheck), source: "backend" },
      };
    }
    case "completed":
      return { type: "session.completed", payload: { source } };
    case "failed": {
      const { reason } = event;
      return { type: "session.failed", payload: { ...(reason !== null && { reason }), source } };
    }
  }
}

export function encodeCheck({
  name,
  required,
  verdict,
  exitCode,
  ms,
  checkId,
}: BuildCheckResult): BuildCheckView {
  const code = exitCode === null ? {} : { exit_code: exitCode };
  const output = checkId === undefined ? {} : { check_id: checkId };
  return { name, required, verdict, ...code, ms, ...output };
}

export function encodeAsked(
  set: QuestionSet,
): Extract<Written, { readonly type: "question.requested" | "questions.requested" }> {
  const { setId, prompt, questions, requiresAll } = set;
  const [only] = questions;
  if (setId === null && only !== undefined) {
    const { isRequired: required } = only;
    return {
      type: "question.requested",
      payload: { ...encodeQuestion(only), required, source: "agent" },
    };
  }
  return {
    type: "questions.requested",
    payload: {
      question_set_id: setId ?? "",
      prompt,
      required_all: requiresAll,
      questions: questions.map(encodeQuestion),
      source: "agent",
    },
  };
}

function encodeQuestion({ id, prompt, input, options }: BuildQuestion) {
  const choices = options.map(({ id: optionId, label, description }) => {
    return { id: optionId, label, ...(description !== null && { description }) };
  });
  const shown = input === "text" ? {} : { options: choices };
  return { question_id: id, prompt, input, ...shown };
}

/** Earlier versions kept no name of a lone question that was left blank. */
const LEFT_BLANK = "left-blank";

function encodeAnswered({
  setId,
  answers,
}: BuildFeedEvent & { readonly what: "answered" }): Written {
  const [only] = answers;
  if (setId === null && only !== undefined) {
    return { type: "question.answered", payload: { ...encodeAnswer(only), source: "user" } };
  }
  return {
    type: "questions.answered",
    payload: {
      question_set_id: setId ?? LEFT_BLANK,
      answers: answers.map(encodeAnswer),
      source: "user",
    },
  };
}

type PermissionAsked = Extract<Written, { readonly type: "permission.requested" }>["payload"];

/** One that is too long for events says where all of it is read. */
export function encodePermission(wait: PermissionWait, buildId: string): PermissionAsked {
  const { id, code, subject, isWhole, size, expiresAt } = wait;
  const read_at = permissionPath(buildId, id);
  const shown = permissionOnWire(subject, read_at);
  const permission = isWhole ? shown : { ...shown, is_whole: false, size, read_at };
  return { permission_id: id, code, permission, expires_at: expiresAt, source: "agent" };
}

function encodeWaitEnd({
  wait,
  outcome,
}: BuildFeedEvent & { readonly what: "wait-ended" }): Written {
  if (wait.kind === "permission") {
    if (outcome.how === "expired" || outcome.how === "answered") {
      const payload = { permission_id: wait.id, outcome: "expired", source: "backend" } as const;
      return { type: "permission.resolved", payload };
    }
    const { how, by, note } = outcome;
    const noteField = note === null ? {} : { note: visibleText(note) };
    const payload = { permission_id: wait.id, outcome: how, by: visibleText(by), ...noteField };
    return { type: "permission.resolved", payload: { ...payload, source: "user" } };
  }
  const { setId, questions } = wait.asked;
  if (outcome.how === "answered") {
    const { answers } = outcome;
    return encodeAnswered({ what: "answered", setId, answers, source: "user" });
  }
  const [only] = questions;
  const which = setId === null ? { question_id: only?.id ?? wait.id } : { question_set_id: setId };
  return { type: "question.expired", payload: { ...which, source: "backend" } };
}

function encodeAnswer({ questionId, optionId, text }: BuildAnswer) {
  return {
    question_id: questionId,
    ...(optionId !== null && { option_id: optionId }),
    ...(text !== null && { text }),
  };
}

function stepName(id: string): BuildStepId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a build is started with these steps only
  return id as BuildStepId;
}
