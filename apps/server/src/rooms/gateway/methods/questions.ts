import {
  accept,
  refuse,
  type Answerer,
  type Outcome,
  type QuestionItem,
  type QuestionRow,
  type Questions,
} from "@atrium/core";
import type { ParamsOf } from "@atrium/wire";
import {
  questionAnswer,
  questionGet,
  questionList,
  questionRequest,
  questionResolve,
  questionWaitAnswer,
} from "@atrium/wire/gateway";
import type { HumanInput } from "../../../human-input/human-input.ts";
import { MAX_WAIT_MS } from "../../../human-input/limits.ts";
import type { Timers } from "../../../platform/timers.ts";
import { answererOf } from "../frames/answerers.ts";
import { serve, type GatewayMethod } from "../frames/peer.ts";
import { questionRecord, settlementOf } from "../rows/question-rows.ts";

export interface QuestionDeps {
  readonly questions: Pick<Questions, "get" | "listOpen">;
  readonly humanInput: Pick<
    HumanInput,
    "openQuestion" | "answerQuestion" | "withdrawQuestion" | "awaitQuestion"
  >;
  readonly timers: Timers;
}

export function questionMethods(deps: QuestionDeps): readonly GatewayMethod[] {
  const { questions, humanInput, timers } = deps;

  const find = (id: string): Outcome<QuestionRow> => {
    const row = questions.get(id);
    return row === undefined ? refuse("question.missing", id) : accept(row);
  };

  /** The question once it is settled, or as it is when the time is up; its own deadline also ends the wait. */
  async function wait(row: QuestionRow, timeoutMs: number | undefined): Promise<QuestionRow> {
    const patience = new AbortController();
    const cancel =
      timeoutMs === undefined ? undefined : timers.after(timeoutMs, () => patience.abort());
    const settled = await humanInput.awaitQuestion(row.id, patience.signal);
    cancel?.();
    return settled ?? row;
  }

  return [
    serve(questionList, () => accept({ questions: questions.listOpen().map(questionRecord) })),

    serve(questionGet, ({ id }) => {
      const row = find(id);
      return row.ok ? accept({ question: questionRecord(row.value) }) : row;
    }),

    serve(questionRequest, async (params) => {
      const { id, timeoutMs, agentId, sessionKey, runId } = params;
      const items = readQuestions(params.questions);
      if (!items.ok) return items;
      const opened = await humanInput.openQuestion({
        ...(id !== undefined && { id }),
        items: items.value,
        source: {
          conversationKey: sessionKey ?? null,
          runId: runId ?? null,
          agent: agentId ?? null,
          askedBy: "client",
        },
        ...(timeoutMs !== undefined && { timeoutMs: Math.min(timeoutMs, MAX_WAIT_MS) }),
      });
      if (!opened.ok) return opened;
      return accept({ id: opened.value.id, expiresAtMs: opened.value.expiresAt });
    }),

    serve(questionWaitAnswer, async ({ id, timeoutMs }) => {
      const known = find(id);
      if (!known.ok) return known;
      const row = await wait(known.value, timeoutMs);
      return accept(settlementOf(row) ?? { status: "pending" });
    }),

    serve(questionResolve, async (params, { caller }) => {
      const { id, answers, cancel, resolvedBy } = params;
      const row = find(id);
      if (!row.ok) return row;
      if ((answers === undefined) === (cancel === undefined)) {
        return refuse("params.invalid", "either answers or cancel is required");
      }
      const by = named(answererOf(caller.member), resolvedBy);
      if (answers === undefined) {
        const done = await humanInput.withdrawQuestion(id, by);
        return done.ok ? accept({ status: "cancelled" }) : done;
      }
      return answered(await humanInput.answerQuestion(id, answers.answers, by));
    }),

    serve(questionAnswer, async (params, { caller }) => {
      const { id, answers, text } = params;
      const row = find(id);
      if (!row.ok) return row;
      if ((answers === undefined) === (text === undefined)) {
        return refuse("params.invalid", "either answers or text is required");
      }
      const [only, ...others] = row.value.items;
      if (answers === undefined && (only === undefined || others.length > 0)) {
        return refuse("question.misanswered", "text can answer a single question only");
      }
      const given = answers?.answers ?? { [only?.questionId ?? ""]: [text ?? ""] };
      return answered(await humanInput.answerQuestion(id, given, answererOf(caller.member)));
    }),
  ];
}

function answered(
  done: Outcome<QuestionRow>,
): Outcome<Extract<ReturnType<typeof settlementOf>, { status: "answered" }>> {
  if (!done.ok) return done;
  const end = settlementOf(done.value);
  return end?.status === "answered" ? accept(end) : refuse("question.settled");
}

function named(by: Answerer, name: string | undefined): Answerer {
  return name === undefined ? by : { ...by, name };
}

function readQuestions(
  drafts: ParamsOf<typeof questionRequest>["questions"],
): Outcome<readonly QuestionItem[]> {
  const items: QuestionItem[] = [];
  for (const each of drafts) {
    const { questionId, header, question, options, multiSelect, isOther } = each;
    // Answers are kept in the log, which must hold no secrets.
    if (each.isSecret === true || each.secretStore !== undefined) {
      return refuse("question.malformed", `'${questionId}': secret questions are not supported`);
    }
    if (options.length === 1) {
      return refuse("question.malformed", `'${questionId}' must have no options or 2 to 4`);
    }
    items.push({
      questionId,
      header,
      text: question,
      options: options.map(({ label, description }) => {
        return { label, description: description ?? null };
      }),
      isMultiple: multiSelect === true,
      allowsOther: isOther === true,
    });
  }
  return accept(items);
}
