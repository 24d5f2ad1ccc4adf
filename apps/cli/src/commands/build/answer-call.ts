/** What to type to answer a build from anywhere, a script included, and what was typed so. */
import type { CallParams } from "@atrium/client";
import { CliError } from "../../command-line/cli-error.ts";
import { usageError } from "../../command-line/read-args.ts";
import type { QuestionSet } from "./read-answers.ts";

export type Question = Extract<QuestionSet, { readonly questions: unknown }>["questions"][number];
type Answers = CallParams<"build.answer">["answers"];

export function questionsIn(set: QuestionSet): readonly Question[] {
  return "questions" in set ? set.questions : [set];
}

export function isRequired(set: QuestionSet): boolean {
  return "questions" in set ? set.required_all : set.required;
}

/** The command, with the first option of each as an example; in words where there are none. */
export function answerCall(id: string, set: QuestionSet): string {
  const questions = questionsIn(set);
  const isAlone = questions.length === 1;
  const words = questions.map(({ question_id: name, options: [first] = [] }) => {
    const answer = first?.id ?? '"…"';
    return isAlone ? answer : `${name}=${answer}`;
  });
  return `atrium build --answer ${id} ${words.join(" ")}`;
}

/**
 * An option by its id, label or number, else the words as they are; nothing leaves it blank. One question
 * takes all words.
 */
export function answersFrom(set: QuestionSet, words: readonly string[]): Answers {
  const questions = questionsIn(set);
  const [only] = questions;
  if (questions.length === 1 && only !== undefined) {
    const answer = words.join(" ").trim();
    const prefix = `${only.question_id}=`;
    return [answerTo(only, answer.startsWith(prefix) ? answer.slice(prefix.length) : answer)];
  }
  if (words.every((word) => word.trim() === "")) return [];
  const answersByQuestion = new Map(
    words.map((word) => {
      const at = word.indexOf("=");
      const question = questions.find((each) => each.question_id === word.slice(0, at));
      if (question !== undefined) return [question, word.slice(at + 1)] as const;
      const names = questions.map((each) => `${each.question_id}=…`).join(" ");
      throw usageError(
        "build",
        `The build asks several questions. Answer each by its name: ${names}`,
      );
    }),
  );
  return [...answersByQuestion].map(([question, answer]) => answerTo(question, answer));
}

function answerTo({ question_id, options = [], input }: Question, answer: string): Answers[number] {
  if (answer === "") return { question_id };
  const wanted = answer.toLowerCase();
  const option =
    options.find(({ id, label }) => id === answer || label.toLowerCase() === wanted) ??
    options[Number(answer) - 1];
  if (option !== undefined) return { question_id, option_id: option.id };
  if (input === "text") return { question_id, text: answer };
  const choices = options.map(({ id, label }) => `${id} (${label})`).join(", ");
  throw new CliError(`${answer} does not answer ${question_id}.`, {
    advice: `Use one of: ${choices}`,
  });
}
