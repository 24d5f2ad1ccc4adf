/** What an agent asks of people, as the office shows it: what kind of decision it is, and the choices. Pure. */
import {
  wholeText,
  type ApprovalOutcome,
  type ApprovalSubject,
  type DecisionKind,
  type Project,
  type Projects,
  type QuestionItem,
  type QuestionOutcome,
  type Task,
} from "@atrium/core";
import { visibleText } from "@atrium/wire";
import { GO_ON, STOP } from "../../runs/drive-turn.ts";
import { PLAN_CHOICES } from "../work/plan-choices.ts";

export interface AsDecision {
  readonly kind: DecisionKind;
  readonly prompt: string;
  readonly options: readonly string[];
  /** Own words answer it too, beside the options. */
  readonly allowsOther?: true;
}

const PERMISSION_CHOICES = { allow: "Allow", deny: "Deny", always: "Always allow" } as const;

export function questionAsDecision(items: readonly QuestionItem[]): AsDecision {
  const [only, ...more] = items;
  // No choice answers them all.
  if (more.length > 0) return { kind: "question", prompt: listQuestions(items), options: [] };
  const options = only?.options.map(({ label }) => label) ?? [];
  const isOpen = only?.allowsOther === true && options.length > 0;
  const prompt = only?.text ?? "";
  return { kind: kindOf(options), prompt, options, ...(isOpen && { allowsOther: true }) };
}

/** Several questions in one text, so that they can be answered in order: `1. Which? (this / that)`. */
export function listQuestions(
  questions: readonly {
    readonly text: string;
    readonly options: readonly { readonly label: string }[];
  }[],
): string {
  return questions
    .map(({ text, options }, at) => {
      const labels = options.map(({ label }) => label).join(" / ");
      return `${at + 1}. ${text}${labels === "" ? "" : ` (${labels})`}`;
    })
    .join("\n");
}

export function permissionAsDecision(subject: ApprovalSubject): AsDecision {
  const { tool, details = "", mayAlways } = subject;
  const { allow, deny, always } = PERMISSION_CHOICES;
  const options = mayAlways ? [allow, deny, always] : [allow, deny];
  const more = details === "" ? "" : `\n\n${details}`;
  const whole = `${tool}: ${wholeText(subject)}${more}`;
  return { kind: "permission", prompt: visibleText(beginningOf(whole)), options };
}

/** In characters. What is longer can be allowed only by who has read the rest elsewhere. */
const MAX_PROMPT = 16_384;

function beginningOf(text: string): string {
  const left = text.length - MAX_PROMPT;
  return left <= 0 ? text : `${text.slice(0, MAX_PROMPT)}… (${left} more characters)`;
}

export function choiceIn(outcome: QuestionOutcome | ApprovalOutcome): string | null {
  switch (outcome.type) {
    case "question.answered":
      return Object.values(outcome.answers).flat().join(", ");
    case "approval.allowed":
      return outcome.how === "always" ? PERMISSION_CHOICES.always : PERMISSION_CHOICES.allow;
    case "approval.denied":
      return PERMISSION_CHOICES.deny;
    case "question.withdrawn":
    case "question.expired":
    case "approval.expired":
      return null;
  }
}

/** Why there was no answer, where that is not because nobody gave one. */
export function whyWithdrawn(outcome: QuestionOutcome | ApprovalOutcome): string | null {
  if (outcome.type !== "question.expired" && outcome.type !== "approval.expired") return null;
  switch (outcome.why) {
    case "restart":
      return "Withdrawn: the server restarted.";
    case "run-ended":
      return "Withdrawn: the turn that asked has ended.";
    case "elsewhere":
      return "Withdrawn: it was answered in the terminal, or is no longer asked.";
    case "timeout":
      return null;
  }
}

const PLAN_KEY = /:project:([a-z0-9_]+)$/;

/** For which project it is asked: by the run that asks, or by the conversation in which a plan is made. */
export function projectOfAsked(
  projects: Pick<Projects, "ofRun" | "get">,
  runId: string | null,
  conversationKey: string | null,
): { readonly project: Project; readonly task: Task | null } | undefined {
  if (runId !== null) return projects.ofRun(runId);
  const projectId = PLAN_KEY.exec(conversationKey ?? "")?.[1];
  const found = projectId === undefined ? undefined : projects.get(projectId);
  return found && { project: found, task: null };
}

function kindOf(options: readonly string[]): DecisionKind {
  const labels = options.join("|");
  if (labels === Object.values(PLAN_CHOICES).join("|")) return "plan";
  return labels === `${GO_ON}|${STOP}` ? "budget" : "question";
}
