/**
 * What counts as an answer: each question answered, with its options where it has any.
 *
 * An option may be named by its label or its number, as people type it; what is kept is the label.
 */
import { accept, refuse, type Outcome } from "../engine/refusal.ts";

export interface QuestionOption {
  readonly label: string;
  readonly description: string | null;
}

export interface QuestionItem {
  readonly questionId: string;
  readonly header: string;
  readonly text: string;
  /** None: any text answers it. */
  readonly options: readonly QuestionOption[];
  readonly isMultiple: boolean;
  /** Whether an answer in one's own words is welcome beside the options. */
  readonly allowsOther: boolean;
}

export type Answers = Readonly<Record<string, readonly string[]>>;

/** What is wrong with the questions, if anything is. */
export function questionProblem(items: readonly QuestionItem[]): string | undefined {
  if (items.length === 0) return "nothing is asked";
  const ids = new Set<string>();
  for (const { questionId, options } of items) {
    if (ids.has(questionId)) return `duplicate question id '${questionId}'`;
    ids.add(questionId);
    const labels = new Set(options.map(({ label }) => normalize(label)));
    if (labels.has("")) return `question '${questionId}' has an option without a label`;
    if (labels.size < options.length) {
      return `question '${questionId}' has two options with the same label`;
    }
  }
  return undefined;
}

export function checkAnswers(items: readonly QuestionItem[], answers: Answers): Outcome<Answers> {
  const unknown = Object.keys(answers).find((id) => !items.some((item) => item.questionId === id));
  if (unknown !== undefined) return misanswered(unknown, "is not part of this request");
  const given = new Map(Object.entries(answers));
  const checked: [string, readonly string[]][] = [];
  for (const item of items) {
    const { questionId: id } = item;
    const values = given.get(id) ?? [];
    if (values.length === 0) return misanswered(id, "requires an answer");
    if (values.length > 1 && !item.isMultiple) {
      return misanswered(id, "does not allow multiple answers");
    }
    if (values.some((value) => value.trim() === "")) {
      return misanswered(id, "contains an empty answer");
    }
    const chosen = values.map((value) => choose(item, value));
    if (chosen.includes(undefined)) return misanswered(id, `takes ${optionsIn(item)}`);
    checked.push([id, [...new Set(chosen.filter((value) => value !== undefined))]]);
  }
  return accept(Object.fromEntries(checked));
}

function choose({ options, allowsOther }: QuestionItem, value: string): string | undefined {
  const choice = normalize(value);
  const option =
    options.find(({ label }) => normalize(label) === choice) ??
    (/^\d{1,2}$/.test(choice) ? options[Number(choice) - 1] : undefined);
  if (option !== undefined) return option.label;
  return options.length === 0 || allowsOther ? value.trim() : undefined;
}

/** What would have been an answer. */
function optionsIn({ options, isMultiple }: QuestionItem): string {
  const labels = options.map(({ label }) => JSON.stringify(label)).join(", ");
  return `${isMultiple ? "some" : "one"} of ${labels}`;
}

function normalize(text: string): string {
  return text.trim().toLowerCase();
}

function misanswered(id: string, why: string): Outcome<never> {
  return refuse("question.misanswered", `question '${id}' ${why}`);
}
