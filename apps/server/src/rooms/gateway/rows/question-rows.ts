/** Questions as the gateway's clients see them. */
import type { QuestionItem, QuestionRow } from "@atrium/core";
import {
  MAX_QUESTION_OPTIONS,
  type PayloadOf,
  type Question,
  type QuestionAnswers,
  type QuestionRecord,
  type questionResolved,
} from "@atrium/wire/gateway";

type Resolved = PayloadOf<typeof questionResolved>;
/** How a settled question ended, without its id. */
export type Settlement =
  | { readonly status: "answered"; readonly answers: QuestionAnswers }
  | { readonly status: "cancelled" }
  | { readonly status: "expired" };

export function questionRecord(row: QuestionRow): QuestionRecord {
  const { source, settled } = row;
  const end = settlementOf(row);
  const by =
    settled === null || settled.outcome.type === "question.expired" ? null : settled.outcome.by;
  return {
    id: row.id,
    questions: row.items.map(questionOf),
    ...(source.agent !== null && { agentId: source.agent }),
    ...(source.conversationKey !== null && { sessionKey: source.conversationKey }),
    ...(source.runId !== null && { runId: source.runId }),
    createdAtMs: row.createdAt,
    expiresAtMs: row.expiresAt,
    status: end?.status ?? "pending",
    ...(end?.status === "answered" && { answers: end.answers }),
    ...(by !== null && { resolvedBy: by.name }),
  };
}

/** Options beyond what clients can show are listed in the text and answered by number. */
function questionOf({ questionId, header, text, options, ...item }: QuestionItem): Question {
  const fits = options.length !== 1 && options.length <= MAX_QUESTION_OPTIONS;
  const listed = options.map(({ label }, index) => `${index + 1}. ${label}`);
  return {
    questionId,
    header,
    question: fits ? text : [text, ...listed].join("\n"),
    options: fits
      ? options.map(({ label, description }) => {
          return { label, ...(description !== null && { description }) };
        })
      : [],
    ...(item.isMultiple && { multiSelect: true }),
    ...(options.length > 0 && { isOther: item.allowsOther || !fits }),
  };
}

export function settlementOf({ settled }: QuestionRow): Settlement | undefined {
  switch (settled?.outcome.type) {
    case "question.answered":
      return { status: "answered", answers: { answers: copy(settled.outcome.answers) } };
    case "question.withdrawn":
      return { status: "cancelled" };
    case "question.expired":
      return { status: "expired" };
    case undefined:
      return undefined;
  }
}

export function resolvedQuestion(row: QuestionRow): Resolved | undefined {
  const end = settlementOf(row);
  return end === undefined ? undefined : { id: row.id, ...end };
}

function copy(answers: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(answers).map(([id, values]) => [id, [...values]]));
}
