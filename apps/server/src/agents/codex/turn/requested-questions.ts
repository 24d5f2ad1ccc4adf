/** Questions that Codex asks its user in words, and how it is told the answers. Pure. */
import { listOf, textIn, type Fields } from "../../turn/json-fields.ts";

export const QUESTIONS = "item/tool/requestUserInput";

/** Whether own words answer it, too. */
export function isOpenQuestion({ isOther, options }: Fields): boolean {
  return isOther === true || listOf(options).length === 0;
}

/** `answers`: what was answered to each, in their order. */
export function answersOf(
  questions: readonly Fields[],
  answers: readonly (readonly string[])[],
): object {
  const given = questions.map((question, at): [string, object] => [
    textIn(question, "id") ?? "",
    { answers: answers[at] ?? [] },
  ]);
  return { answers: Object.fromEntries(given) };
}
