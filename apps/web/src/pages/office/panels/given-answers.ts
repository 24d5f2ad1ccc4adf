/** What one has given for several questions that are asked together, and whether that is enough. Pure. */
import type { WorldCommandData, DecisionQuestion } from "@atrium/wire/world";

export interface AnswerInput {
  readonly picked: readonly string[];
  /** In one's own words. */
  readonly own: string;
}

export const NOTHING_GIVEN: AnswerInput = { picked: [], own: "" };

type Answers = NonNullable<WorldCommandData<"resolve_decision">["answers"]>;

/** Null while something that must be answered is not. */
export function answersOf(
  questions: readonly DecisionQuestion[],
  given: ReadonlyMap<string, AnswerInput>,
): Answers | null {
  const answers: Answers = [];
  for (const question of questions) {
    const choices = choicesIn(given.get(question.question_id) ?? NOTHING_GIVEN);
    if (choices.length > 0) answers.push({ question_id: question.question_id, choices });
    else if (question.is_optional !== true) return null;
  }
  return answers.length === 0 ? null : answers;
}

function choicesIn({ picked, own }: AnswerInput): string[] {
  const ownAnswer = own.trim();
  return ownAnswer === "" ? [...picked] : [...picked, ownAnswer];
}

/** Own words go with what was picked where several may be; elsewhere they take its place. */
export function write(
  { allows_several }: DecisionQuestion,
  given: AnswerInput,
  own: string,
): AnswerInput {
  const isInstead = allows_several !== true && own.trim() !== "";
  return { picked: isInstead ? [] : given.picked, own };
}

export function pick(
  { allows_several }: DecisionQuestion,
  given: AnswerInput,
  choice: string,
): AnswerInput {
  if (allows_several !== true) return { picked: [choice], own: "" };
  const others = given.picked.filter((each) => each !== choice);
  const isPicked = others.length < given.picked.length;
  return { ...given, picked: isPicked ? others : [...given.picked, choice] };
}
