/**
 * What an agent said, from the words of the build protocol into ours. Says why where it cannot be: the
 * shape is judged here, whether it fits the build is decided in core.
 */
import type { QuestionSet, BuildQuestion, AgentBuildEvent } from "@atrium/core";
import { checkLater, type TSchema } from "@atrium/schema";
import { own } from "@atrium/wire";
import { AGENT_PAYLOADS, type AgentEventType, type AgentPayload } from "@atrium/wire/build";
import { describeIssues } from "../platform/issues.ts";

export type ParsedAgentEvent =
  | { readonly ok: true; readonly event: AgentBuildEvent; readonly repairs: readonly string[] }
  | { readonly ok: false; readonly why: string };

const NOT_THEIRS: Readonly<Record<string, string>> = {
  "phase.changed": "phase.changed is not used any more",
  "session.started": "session.started is not the agent's to say",
  "question.answered": "question.answered is not the agent's to say",
  "questions.answered": "questions.answered is not the agent's to say",
};

const CHECKS = new Map(
  Object.entries<TSchema>(AGENT_PAYLOADS).map(([type, schema]) => [type, checkLater(schema)]),
);

/** `event` is known to have a type. */
export function parseAgentEvent(event: {
  readonly type: string;
  readonly payload?: unknown;
}): ParsedAgentEvent {
  const { type, payload } = event;
  const check = CHECKS.get(type);
  if (check === undefined || !isAgentEvent(type)) {
    return no(own(NOT_THEIRS, type) ?? `there is no event ${type.slice(0, 80)}`);
  }
  if (typeof payload !== "object" || payload === null) return no("payload must be an object");
  const source: unknown = "source" in payload ? payload.source : undefined;
  if (source !== undefined && source !== "agent") return no("source must be agent");
  if (!check.Check(payload)) return no(describeIssues(check.Errors(payload)));
  const repairs = source === undefined ? ["source was missing"] : [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Check() just proved it
  return { ok: true, event: READERS[type](payload as never), repairs };
}

function isAgentEvent(type: string): type is AgentEventType {
  return Object.hasOwn(READERS, type);
}

const READERS: {
  readonly [Type in AgentEventType]: (payload: AgentPayload<Type>) => AgentBuildEvent;
} = {
  "assistant.message.created": ({ text }) => ({ what: "message", text }),
  "progress.step.started": (step) => ({
    what: "step-started",
    stepId: step.step_id,
    title: step.title ?? null,
    description: step.description ?? null,
    index: step.index ?? null,
    total: step.total ?? null,
  }),
  "progress.step.completed": ({ step_id: stepId }) => ({ what: "step-completed", stepId }),
  "status.changed": ({ status, output }) => ({ what: "status", status, output: output ?? null }),
  "question.requested": ({ required, ...question }) => {
    const { prompt } = question;
    const questions = [readQuestion(question, required ?? true)];
    return { what: "asked", setId: null, prompt, questions, requiresAll: true };
  },
  "questions.requested": (set) => ({ what: "asked", ...readSet(set) }),
  "session.completed": () => ({ what: "completed" }),
  "session.failed": ({ reason }) => ({ what: "failed", reason: reason ?? null }),
};

function readSet(set: AgentPayload<"questions.requested">): QuestionSet {
  const requiresAll = set.required_all ?? true;
  const questions = set.questions.map((question) => readQuestion(question, requiresAll));
  return { setId: set.question_set_id, prompt: set.prompt, questions, requiresAll };
}

function readQuestion(
  question: AgentPayload<"questions.requested">["questions"][number],
  isRequired: boolean,
): BuildQuestion {
  const { question_id: id, prompt, input, options = [] } = question;
  const choices = options.map((option) => {
    return { id: option.id, label: option.label, description: option.description ?? null };
  });
  return { id, prompt, input, options: input === "text" ? [] : choices, isRequired };
}

function no(why: string): ParsedAgentEvent {
  return { ok: false, why };
}
