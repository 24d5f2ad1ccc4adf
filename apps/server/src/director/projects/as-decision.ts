/** What an agent asks of people, as the office shows it: what kind of decision it is, and the choices. Pure. */
import type {
  ApprovalOutcome,
  ApprovalSubject,
  DecisionKind,
  Project,
  Projects,
  QuestionItem,
  QuestionOutcome,
  Task,
} from "@atrium/core";
import { GO_ON, STOP } from "../drive-turn.ts";
import { PLAN_CHOICES } from "./plan-choices.ts";

export interface AsDecision {
  readonly kind: DecisionKind;
  readonly prompt: string;
  readonly options: readonly string[];
}

const PERMISSION_CHOICES = { allow: "Allow", deny: "Deny", always: "Always allow" } as const;

export function questionAsDecision(items: readonly QuestionItem[]): AsDecision {
  const options = items[0]?.options.map(({ label }) => label) ?? [];
  return { kind: kindOf(options), prompt: items.map(({ text }) => text).join("\n"), options };
}

export function permissionAsDecision(subject: ApprovalSubject): AsDecision {
  const { tool, summary, details = "", mayAlways } = subject;
  const { allow, deny, always } = PERMISSION_CHOICES;
  const options = mayAlways ? [allow, deny, always] : [allow, deny];
  const more = details === "" ? "" : `\n\n${details}`;
  return { kind: "permission", prompt: `${tool}: ${summary}${more}`, options };
}

/** What was chosen; null when nobody did. */
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
  const asked = options.join("|");
  if (asked === Object.values(PLAN_CHOICES).join("|")) return "plan";
  return asked === `${GO_ON}|${STOP}` ? "budget" : "question";
}
