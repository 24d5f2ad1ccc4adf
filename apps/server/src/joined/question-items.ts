/** Questions that a program asks its user, as questions to people, and what they answer in the program's own words. Pure. */
import type { Answers, QuestionItem } from "@atrium/core";
import { fieldsOf, listOf, textIn, type Fields } from "../agents/turn/json-fields.ts";
import { cleanText } from "../platform/clean-text.ts";
import type { ReportedTool } from "./hook-report.ts";
import { QUESTION_TOOLS, type QuestionTool } from "./program.ts";

const MAX_QUESTIONS = 8;
const MAX_OPTIONS = 20;
const MAX_TEXT_CHARS = 4_000;

export interface AskedQuestions {
  readonly items: readonly QuestionItem[];
  /** What was answered to each, in their order; options as the program named them. */
  choices(answers: Answers): readonly (readonly string[])[];
}

export interface QuestionReading {
  /** Whether an answer in one's own words is taken beside the options. */
  readonly allowsOther: (question: Fields) => boolean;
  /** Without what the server keeps secret. */
  readonly mask: (value: unknown) => unknown;
}

/** By its own question tool; undefined where no person could read and answer all of it. */
export function questionsOfTool(
  { allowsOther }: QuestionTool,
  { input }: ReportedTool,
  mask: QuestionReading["mask"],
): AskedQuestions | undefined {
  return readQuestions(listOf(fieldsOf(input)["questions"]), { allowsOther, mask });
}

export function isQuestionTool({ name }: ReportedTool): boolean {
  return QUESTION_TOOLS.has(name);
}

/** The input of the tool with the answers in it, as if they had been given in the terminal. */
export function answeredInput(
  { answerShape }: QuestionTool,
  { input }: ReportedTool,
  choices: readonly (readonly string[])[],
): unknown {
  if (answerShape === "in-order") return { ...fieldsOf(input), answers: choices };
  const questions = listOf(fieldsOf(input)["questions"]);
  const byText = questions.map((each, at): [string, string] => [
    textIn(each, "question") ?? "",
    (choices[at] ?? []).join(", "),
  ]);
  return { ...fieldsOf(input), answers: Object.fromEntries(byText) };
}

/** The same for questions that a program asks in another way. */
export function readQuestions(
  asked: readonly Fields[],
  reading: QuestionReading,
): AskedQuestions | undefined {
  if (asked.length === 0 || asked.length > MAX_QUESTIONS) return undefined;
  const items = asked.map((question, at) => itemOf(question, `q${at + 1}`, reading));
  if (!items.every(isReadable)) return undefined;
  const choices = (answers: Answers): readonly (readonly string[])[] => {
    const given = new Map(Object.entries(answers));
    return items.map((item, at) => {
      const labels = labelsIn(asked[at] ?? {}, item);
      return (given.get(item.questionId) ?? []).map((each) => labels.get(each) ?? each);
    });
  };
  return { items, choices };
}

function itemOf(
  question: Fields,
  questionId: string,
  { allowsOther, mask }: QuestionReading,
): QuestionItem {
  const shown = (fields: Fields, name: string): string =>
    cleanText(String(mask(textIn(fields, name) ?? "")));
  return {
    questionId,
    header: shown(question, "header"),
    text: shown(question, "question"),
    options: listOf(question["options"]).map((option) => ({
      label: shown(option, "label"),
      description: shown(option, "description") || null,
    })),
    isMultiple: question["multiSelect"] === true || question["multiple"] === true,
    allowsOther: allowsOther(question),
  };
}

/** What is cut off, nobody here has read. */
function isReadable({ header, text, options }: QuestionItem): boolean {
  const lines = [
    header,
    text,
    ...options.flatMap(({ label, description }) => [label, description]),
  ];
  const isShort = lines.every((line) => (line ?? "").length <= MAX_TEXT_CHARS);
  return text !== "" && options.length <= MAX_OPTIONS && isShort;
}

/** By the labels that people see: those that the program knows. */
function labelsIn(question: Fields, { options }: QuestionItem): ReadonlyMap<string, string> {
  const known = listOf(question["options"]).map((option) => textIn(option, "label") ?? "");
  return new Map(options.map(({ label }, at) => [label, known[at] ?? label]));
}
