/** What people are told of a build, in the words of the build protocol. The only place that writes them. */
import type { Asked, BuildQuestion, GivenAnswer, Telling } from "@atrium/core";
import type { BuildEvent, BuildStepId } from "@atrium/wire/build";

type Written = BuildEvent extends infer Each
  ? Each extends { readonly type: infer Type; readonly payload: infer Payload }
    ? { readonly type: Type; readonly payload: Payload }
    : never
  : never;

export function encodeTelling(telling: Telling): Written {
  // The state machine lets only the agent ask, and only people answer.
  const source = telling.source === "agent" ? "agent" : "backend";
  switch (telling.what) {
    case "started":
      return { type: "session.started", payload: { source: "backend" } };
    case "message":
      return { type: "assistant.message.created", payload: { text: telling.text, source } };
    case "step-started": {
      const { stepId, title, description, index, total } = telling;
      const step = { step_id: stepName(stepId), title, description, index, total };
      return { type: "progress.step.started", payload: { ...step, source: "agent" } };
    }
    case "step-completed":
      return {
        type: "progress.step.completed",
        payload: { step_id: stepName(telling.stepId), source },
      };
    case "status": {
      const { status, output } = telling;
      return {
        type: "status.changed",
        payload: { status, ...(output !== null && { output }), source },
      };
    }
    case "asked":
      return encodeAsked(telling);
    case "answered":
      return encodeAnswered(telling);
    case "completed":
      return { type: "session.completed", payload: { source } };
    case "failed": {
      const { reason } = telling;
      return { type: "session.failed", payload: { ...(reason !== null && { reason }), source } };
    }
  }
}

export function encodeAsked(
  asked: Asked,
): Extract<Written, { readonly type: "question.requested" | "questions.requested" }> {
  const { setId, prompt, questions, requiresAll } = asked;
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

function encodeAnswered({ setId, answers }: Telling & { readonly what: "answered" }): Written {
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

function encodeAnswer({ questionId, optionId, text }: GivenAnswer) {
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
