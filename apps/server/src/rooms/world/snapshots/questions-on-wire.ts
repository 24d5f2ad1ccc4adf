/** Several questions that are asked together: each is shown with its own options, and gets its own answer. Pure. */
import {
  accept,
  refuse,
  type BuildRow,
  type Outcome,
  type QuestionItem,
  type QuestionRow,
} from "@atrium/core";
import type { DecisionQuestion, WorldCommandData } from "@atrium/wire/world";
import { cleanText } from "../../../platform/clean-text.ts";

/** Undefined for one that is asked alone, which is the decision itself. */
export function questionsOnWire(
  row: Pick<QuestionRow, "items"> | undefined,
): DecisionQuestion[] | undefined {
  if (row === undefined || row.items.length < 2) return undefined;
  return row.items.map(itemOnWire);
}

function itemOnWire(item: QuestionItem): DecisionQuestion {
  const { questionId, text, options, allowsOther, isMultiple } = item;
  return {
    question_id: questionId,
    prompt: text,
    options: options.map(({ label }) => label),
    ...(allowsOther && options.length > 0 && { allows_other: true }),
    ...(isMultiple && { allows_several: true }),
  };
}

export type BuildQuestions = NonNullable<BuildRow["build"]["asked"]>;

export function buildQuestionsOnWire({
  questions,
}: BuildQuestions): DecisionQuestion[] | undefined {
  if (questions.length < 2) return undefined;
  return questions.map(({ id, prompt, options, isRequired }) => ({
    question_id: id,
    prompt,
    options: options.map(({ label }) => label),
    ...(!isRequired && { is_optional: true }),
  }));
}

type DecisionReply = Pick<WorldCommandData<"resolve_decision">, "choice" | "answers">;

/**
 * What each question is answered with. A choice answers one that is asked alone; of several it has a line for each, in their
 * order, for clients that know of nothing but choices.
 */
export function answersIn(
  { choice = "", answers }: DecisionReply,
  questionIds: readonly string[],
): Outcome<ReadonlyMap<string, readonly string[]>> {
  if (answers !== undefined) {
    return accept(
      new Map(answers.map(({ question_id: id, choices }) => [id, choices.map(cleanText)])),
    );
  }
  const [only = ""] = questionIds;
  if (questionIds.length === 1) return accept(new Map([[only, [choice]]]));
  const lines = choice.split("\n");
  if (lines.length === questionIds.length) {
    return accept(new Map(questionIds.map((id, at) => [id, [lines[at]?.trim() ?? ""]])));
  }
  const names = questionIds.map((id) => JSON.stringify(id)).join(", ");
  const how = `send answers for ${names}, or a choice with a line for each in this order`;
  return refuse("question.misanswered", `${questionIds.length} questions are asked: ${how}`);
}
