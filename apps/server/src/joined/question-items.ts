/** Claude Code's own question tool, as a question to people, and their answers as its input. Pure. */
import type { Answers, QuestionItem } from "@atrium/core";
import { fieldsOf, listOf, textIn } from "../agents/turn/json-fields.ts";
import { cleanText } from "../platform/clean-text.ts";
import type { ReportedTool } from "./hook-report.ts";

const QUESTION_TOOL = "AskUserQuestion";
const MAX_QUESTIONS = 8;
const MAX_OPTIONS = 20;
const MAX_TEXT_CHARS = 4_000;

/** Undefined where it is another tool, or asks nothing that can be answered here. */
export function questionItems({ name, input }: ReportedTool): readonly QuestionItem[] | undefined {
  if (name !== QUESTION_TOOL) return undefined;
  const questions = listOf(fieldsOf(input)["questions"]);
  if (questions.length === 0 || questions.length > MAX_QUESTIONS) return undefined;
  const items = questions.map((each, index): QuestionItem => {
    const options = listOf(each["options"]).slice(0, MAX_OPTIONS);
    return {
      questionId: `q${index + 1}`,
      header: lineOf(textIn(each, "header")),
      text: lineOf(textIn(each, "question")),
      options: options.map((option) => {
        const description = lineOf(textIn(option, "description"));
        const label = lineOf(textIn(option, "label"));
        return { label, description: description === "" ? null : description };
      }),
      isMultiple: each["multiSelect"] === true,
      allowsOther: true,
    };
  });
  return items.every(({ text }) => text !== "") ? items : undefined;
}

/** The input of the tool with the answers in it, as if they had been given in the terminal. */
export function answeredInput({ input }: ReportedTool, answers: Answers): unknown {
  const questions = listOf(fieldsOf(input)["questions"]);
  const byQuestion = questions.map((each, index): [string, string] => {
    const given = new Map(Object.entries(answers)).get(`q${index + 1}`) ?? [];
    return [textIn(each, "question") ?? "", given.join(", ")];
  });
  return { ...fieldsOf(input), answers: Object.fromEntries(byQuestion) };
}

function lineOf(text = ""): string {
  return cleanText(text).slice(0, MAX_TEXT_CHARS);
}
