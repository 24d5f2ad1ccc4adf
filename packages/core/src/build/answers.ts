/** What counts as an answer to what a build asked, and how the agent reads it. */
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { QuestionSet, BuildQuestion, BuildAnswer } from "./events.ts";

/** What was left blank, where it may be, is among them with neither option nor text. */
export function checkBuildAnswers(
  set: QuestionSet,
  given: readonly BuildAnswer[],
): Outcome<readonly BuildAnswer[]> {
  const ids = new Set(given.map(({ questionId }) => questionId));
  if (ids.size < given.length) return misanswered("a question is answered twice");
  const stray = given.find(({ questionId: id }) => !set.questions.some((each) => each.id === id));
  if (stray !== undefined) return misanswered(`${stray.questionId} is not being asked`);
  const checked: BuildAnswer[] = [];
  for (const question of set.questions) {
    const answer = given.find(({ questionId }) => questionId === question.id);
    const isNeeded = set.setId === null ? question.isRequired : set.requiresAll;
    if (answer === undefined || isBlank(answer)) {
      if (isNeeded) return misanswered(`${question.id} needs an answer`);
      checked.push({ questionId: question.id, optionId: null, text: null });
      continue;
    }
    const read = readAnswer(question, answer);
    if (!read.ok) return read;
    checked.push(read.value);
  }
  return accept(checked);
}

function readAnswer(question: BuildQuestion, answer: BuildAnswer): Outcome<BuildAnswer> {
  const { id: questionId, options } = question;
  if (question.input === "text") {
    if (answer.optionId !== null) return misanswered(`${questionId} has no options`);
    return accept({ questionId, optionId: null, text: (answer.text ?? "").trim() });
  }
  const wanted = answer.optionId ?? answer.text?.trim().toLowerCase() ?? "";
  const option =
    answer.optionId === null
      ? options.find(({ id, label }) =>
          [id, label.trim()].some((name) => name.toLowerCase() === wanted),
        )
      : options.find(({ id }) => id === wanted);
  if (option === undefined) {
    const labels = options.map(({ label }) => JSON.stringify(label)).join(", ");
    return misanswered(`${questionId} has no option ${wanted}; it takes one of ${labels}`);
  }
  // What someone adds to a choice is for the agent too; what only names the choice again adds nothing.
  const typed = answer.optionId === null ? "" : (answer.text ?? "").trim();
  const isNaming = [option.id, option.label.trim()].includes(typed);
  return accept({ questionId, optionId: option.id, text: typed === "" || isNaming ? null : typed });
}

function isBlank({ optionId, text }: BuildAnswer): boolean {
  return optionId === null && (text ?? "").trim() === "";
}

const BLANK = "(No answer; go on without.)";

/** For the agent: what was chosen by label and id, and what was written as it was written. */
export function wordAnswers(set: QuestionSet, answers: readonly BuildAnswer[]): string {
  const words = answers.map(({ questionId, optionId, text }) => {
    const question = set.questions.find(({ id }) => id === questionId);
    const option = question?.options.find(({ id }) => id === optionId);
    const chosen = option === undefined ? [] : [`${option.label} (${option.id})`];
    const typed = [...chosen, ...(text === null ? [] : [text])].join(": ");
    const shown = typed === "" ? BLANK : typed;
    return set.setId === null ? shown : `${questionId}: ${shown}`;
  });
  return words.join("\n");
}

function misanswered(why: string): Outcome<never> {
  return refuse("build.misanswered", why);
}
