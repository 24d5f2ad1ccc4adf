/**
 * Answering a decision is answering the question or permission behind it, so that whoever is first
 * counts, from whichever room. What has nothing behind it is settled as it is.
 */
import {
  accept,
  brokenGuard,
  build,
  fittingChoice,
  project,
  refuse,
  type Answerer,
  type Approvals,
  type Builds,
  type Clock,
  type Decision,
  type Dispatch,
  type Outcome,
  type Projects,
  type Questions,
} from "@atrium/core";
import type { WorldCommandData } from "@atrium/wire/world";
import type { ApprovalAnswer } from "../../../human-input/approval-requests.ts";
import type { HumanInput } from "../../../human-input/human-input.ts";
import { wasRead } from "../../../human-input/permission-on-wire.ts";
import { cleanText } from "../../../platform/clean-text.ts";
import { omitEmpty } from "../messages/omit-empty.ts";
import { findOutsideDecision } from "../snapshots/outside-decisions.ts";
import { answersIn } from "../snapshots/questions-on-wire.ts";
import { guardsOf, type CommandContext, type CommandHandlers } from "./command-context.ts";

export interface DecisionDeps {
  readonly dispatch: Dispatch;
  readonly projects: Projects;
  readonly questions: Pick<Questions, "get" | "list">;
  readonly approvals: Pick<Approvals, "get" | "list">;
  readonly builds: Pick<Builds, "open">;
  readonly humanInput: Pick<HumanInput, "answerQuestion" | "resolveApproval" | "matchReply">;
  readonly clock: Clock;
}

const VERDICTS: ReadonlyMap<string, ApprovalAnswer> = new Map([
  ["allow", { type: "allow", how: "once" }],
  ["yes", { type: "allow", how: "once" }],
  ["always", { type: "allow", how: "always" }],
  ["always allow", { type: "allow", how: "always" }],
  ["deny", { type: "deny" }],
  ["no", { type: "deny" }],
]);

type Data = WorldCommandData<"resolve_decision">;

export function createAnswerDecision(deps: DecisionDeps): CommandHandlers["resolve_decision"] {
  const { dispatch, projects, questions, approvals, humanInput, clock } = deps;

  async function answer(
    ref: string,
    reply: DecisionReply,
    by: Answerer,
  ): Promise<Outcome<unknown> | undefined> {
    const { choice = "", note, scope, seen } = reply;
    const question = questions.get(ref);
    if (question !== undefined) {
      const ids = question.items.map(({ questionId }) => questionId);
      const answers = answersIn(reply, ids);
      if (!answers.ok) return answers;
      return humanInput.answerQuestion(ref, Object.fromEntries(answers.value), by, note);
    }
    const approval = approvals.get(ref);
    if (approval !== undefined) {
      const verdict = VERDICTS.get(choice.toLowerCase());
      const choices = "/data/choice: Allow, Always or Deny";
      if (verdict === undefined) return refuse("params.invalid", choices);
      if (verdict.type === "allow" && !wasRead(approval.subject, seen)) {
        return refuse("approval.unread", "read_at of the permission names the place");
      }
      const decided = { ...verdict, ...omitEmpty({ note, scope }) };
      return humanInput.resolveApproval(ref, decided, by);
    }
    return undefined;
  }

  async function answerElsewhere(
    data: Data,
    { by, key }: CommandContext,
  ): Promise<Outcome<unknown>> {
    const { decision_id: decisionId } = data;
    const found = findOutsideDecision(deps, decisionId);
    if (found === undefined) return refuse("decision.missing", decisionId);
    const reply = replyIn(data);
    if (!reply.ok) return reply;
    if (found.what === "build") {
      const { id, asked } = found.build;
      const ids = asked.questions.map((each) => each.id);
      const answers = answersIn(reply.value, ids);
      if (!answers.ok) return answers;
      const given = [...answers.value].map(([questionId, choices]) => {
        return { questionId, optionId: null, text: choices.join(", ") };
      });
      return dispatch(build, id, { type: "answer", answers: given }, key);
    }
    if (found.by?.id === by.id) return accept(undefined);
    if (!found.isOpen) return refuse("decision.settled", `${decisionId} is closed`);
    const answered = await answer(found.ref, reply.value, by);
    return answered ?? refuse("decision.missing", decisionId);
  }

  return async (data, context) => {
    const { decision_id: decisionId } = data;
    const found = projects.ofDecision(decisionId);
    if (found === undefined) return answerElsewhere(data, context);
    const { decision } = found;
    const { status, by, taskId } = decision;
    // The same command again, after its first answer was lost on the way.
    const answerers = [by, answererOf(deps, decision)];
    if (answerers.some((each) => each?.id === context.by.id)) return accept(undefined);
    if (status !== "open") return refuse("decision.settled", `${decisionId} is ${status}`);
    const task = found.project.tasks.find((each) => each.taskId === taskId);
    const broken = brokenGuard(found.project, guardsOf(data), task);
    if (broken !== undefined) return broken;
    const reply = replyIn(data);
    if (!reply.ok) return reply;
    const { ref } = decision;
    const answered = await answer(ref, reply.value, context.by);
    if (answered !== undefined) return answered;
    const choice = fittingChoice(decision, reply.value.choice ?? "");
    if (!choice.ok) return choice;
    const { note = null } = reply.value;
    const settled = { ref, choice: choice.value, note, by: context.by };
    const command = { type: "settle-decision", ...settled } as const;
    const { projectId } = found.project;
    return dispatch(project, projectId, { ...command, at: clock.now() }, context.key);
  };
}

type DecisionReply = Pick<Data, "choice" | "note" | "scope" | "seen" | "answers">;

/** Texts are cleaned; an empty note is none. */
function replyIn({ choice = "", note = "", scope, seen, answers }: Data): Outcome<DecisionReply> {
  const reply = omitEmpty({ scope, seen, answers, note: cleanText(note) || null });
  const cleaned = cleanText(choice);
  if (cleaned !== "") return accept({ ...reply, choice: cleaned });
  if (answers !== undefined) return accept(reply);
  return refuse("params.invalid", "/data/choice: must not be empty");
}

/** Who answered what is behind it, which may be known before the project has heard of it. */
function answererOf(deps: DecisionDeps, { ref }: Decision): Answerer | undefined {
  const outcome =
    deps.questions.get(ref)?.settled?.outcome ?? deps.approvals.get(ref)?.settled?.outcome;
  return outcome !== undefined && "by" in outcome ? outcome.by : undefined;
}
