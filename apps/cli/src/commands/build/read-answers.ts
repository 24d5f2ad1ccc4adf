/** Asks a person what a build wants to know: choices by number or name, the rest in their own words. */
import type { CallParams, EventPayloads } from "@atrium/client";
import type { View } from "./watch-build.ts";

type BuildEvent = EventPayloads["build"];
export type QuestionSet = Extract<
  BuildEvent,
  { readonly type: "question.requested" | "questions.requested" }
>["payload"];
type Question = Extract<QuestionSet, { readonly questions: unknown }>["questions"][number];
type Answers = CallParams<"build.answer">["answers"];

/** Undefined when the person has left. */
export async function readAnswers(
  set: QuestionSet,
  view: Pick<View, "ask">,
  readLine: (prompt: string) => Promise<string | undefined>,
): Promise<Answers | undefined> {
  if ("question_id" in set) {
    const answer = await readAnswer(set, set.required, view, readLine);
    return answer === undefined ? undefined : [answer];
  }
  view.ask(set.prompt);
  const answers: Answers = [];
  for (const question of set.questions) {
    const answer = await readAnswer(question, set.required_all, view, readLine);
    if (answer === undefined) return undefined;
    answers.push(answer);
  }
  return answers;
}

/** Enter alone leaves blank what need not be answered. */
async function readAnswer(
  { question_id, prompt, options = [] }: Question,
  isRequired: boolean,
  view: Pick<View, "ask">,
  readLine: (prompt: string) => Promise<string | undefined>,
): Promise<Answers[number] | undefined> {
  view.ask(
    isRequired ? prompt : `${prompt} (optional; Enter skips it)`,
    options.map(({ label, description }) =>
      description === undefined ? label : `${label}: ${description}`,
    ),
  );
  const line = (await readLine("› "))?.trim();
  if (line === undefined) return undefined;
  if (line === "") return { question_id };
  const option = options[Number(line) - 1];
  return option === undefined ? { question_id, text: line } : { question_id, option_id: option.id };
}
