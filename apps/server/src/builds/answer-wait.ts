/** An answer to what a build's agent asked by a tool: given where the question is, so that its turn goes on. */
import {
  accept,
  refuse,
  type Answerer,
  type Builds,
  type BuildAnswer,
  type Outcome,
  type QuestionRow,
  type Questions,
} from "@atrium/core";
import type { QuestionRequests } from "../human-input/question-requests.ts";
import type { Done } from "./build-commands.ts";
import { waitOptionId, waitQuestionId } from "./build-waits.ts";

export interface AnswerWaitDeps {
  readonly builds: Pick<Builds, "get">;
  readonly questions: Pick<Questions, "get">;
  readonly humanInput: Pick<QuestionRequests, "answerQuestion">;
}

/** Undefined when none of the answers is to something that a turn waits for. */
export type AnswerWait = (
  buildId: string,
  answers: readonly BuildAnswer[],
  by: Answerer,
) => Promise<Outcome<Done> | undefined>;

export function createAnswerWait({ builds, questions, humanInput }: AnswerWaitDeps): AnswerWait {
  return async (buildId, answers, by) => {
    const row = builds.get(buildId);
    const wait = row?.build.waits.find(
      (each) =>
        each.kind === "question" &&
        each.asked.questions.some(({ id }) => answers.some(({ questionId }) => questionId === id)),
    );
    const question = wait === undefined ? undefined : questions.get(wait.id);
    if (row === undefined || question === undefined) return undefined;
    const answer = saidTo(question, answers);
    if (!answer.ok) return answer;
    const done = await humanInput.answerQuestion(question.id, answer.value, by);
    if (!done.ok) return done.code === "question.settled" ? refuse("build.not-asking") : done;
    return accept({ seq: row.lastSeq, isChanged: true });
  };
}

function saidTo(
  row: QuestionRow,
  answers: readonly BuildAnswer[],
): Outcome<Readonly<Record<string, readonly string[]>>> {
  const given: [string, readonly string[]][] = [];
  for (const [index, { questionId, options }] of row.items.entries()) {
    const id = waitQuestionId(row, index);
    const answer = answers.find((each) => each.questionId === id);
    const option = options.find(({ label }, place) => {
      return waitOptionId(label, place) === answer?.optionId;
    });
    if (answer !== undefined && answer.optionId !== null && option === undefined) {
      return refuse("build.misanswered", `${id} has no option ${answer.optionId}`);
    }
    const text = option?.label ?? answer?.text?.trim() ?? "";
    if (text === "") return refuse("build.misanswered", `${id} needs an answer`);
    given.push([questionId, [text]]);
  }
  return accept(Object.fromEntries(given));
}
