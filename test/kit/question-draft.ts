export interface QuestionDraft {
  readonly questionId: string;
  readonly header: string;
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
}

export function question(questionId = "pick"): QuestionDraft {
  return {
    questionId,
    header: "Pick",
    question: "Which one?",
    options: [{ label: "One" }, { label: "Two", description: "the second" }],
  };
}
