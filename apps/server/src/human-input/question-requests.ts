/** Questions to people: asked, answered or withdrawn by whoever may, settled once. */
import {
  accept,
  question,
  refuse,
  streamOf,
  type Answerer,
  type Answers,
  type Clock,
  type Dispatch,
  type Ids,
  type Outcome,
  type QuestionCommand,
  type QuestionItem,
  type QuestionRow,
  type Questions,
  type QuestionSource,
  type NoAnswerReason,
} from "@atrium/core";
import type { Deadlines } from "../reactions/deadlines.ts";
import { MAX_OPEN } from "./limits.ts";
import { Waiters, type Notice } from "./waiters.ts";

export interface QuestionRequestDeps {
  readonly dispatch: Dispatch;
  readonly questions: Questions;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly deadlines: Deadlines;
}

export interface NewQuestion {
  readonly id?: string;
  readonly items: readonly QuestionItem[];
  readonly source: QuestionSource;
  readonly timeoutMs?: number;
}

export interface QuestionRequests {
  openQuestion(request: NewQuestion): Promise<Outcome<QuestionRow>>;
  answerQuestion(
    id: string,
    answers: Answers,
    by: Answerer,
    note?: string,
  ): Promise<Outcome<QuestionRow>>;
  withdrawQuestion(id: string, by: Answerer): Promise<Outcome<QuestionRow>>;
  expireQuestion(id: string, why: NoAnswerReason): Promise<Outcome<QuestionRow>>;
  /** The question once it is settled; undefined when there is none, or the signal was aborted first. */
  awaitQuestion(id: string, signal?: AbortSignal): Promise<QuestionRow | undefined>;
}

const DEFAULT_TIMEOUT_MS = 15 * 60_000;

export function createQuestionRequests(
  deps: QuestionRequestDeps,
): QuestionRequests & Notice<QuestionRow> {
  const { dispatch, questions, clock, ids, deadlines } = deps;
  const waiters = new Waiters<QuestionRow>();
  /** On their way into the log. */
  let opening = 0;

  async function decide(id: string, command: QuestionCommand): Promise<Outcome<QuestionRow>> {
    const done = await dispatch(question, id, command);
    if (!done.ok) return done.code === "question.missing" ? refuse(done.code, id) : done;
    const row = questions.get(id);
    return row === undefined ? refuse("question.missing", id) : accept(row);
  }

  const expireQuestion: QuestionRequests["expireQuestion"] = (id, why) =>
    decide(id, { type: "expire", why });

  return {
    async openQuestion(request) {
      if (questions.openCount + opening >= MAX_OPEN) return refuse("asking.crowded");
      const { id = ids.next(), items, source, timeoutMs = DEFAULT_TIMEOUT_MS } = request;
      const expiresAt = clock.now() + timeoutMs;
      opening++;
      try {
        return await decide(id, { type: "ask", id, items, source, expiresAt });
      } finally {
        opening--;
      }
    },
    answerQuestion: (id, answers, by, note) => decide(id, { type: "answer", answers, by, note }),
    withdrawQuestion: (id, by) => decide(id, { type: "withdraw", by }),
    expireQuestion,
    async awaitQuestion(id, signal) {
      const row = questions.get(id);
      return row === undefined || row.settled !== null ? row : waiters.wait(id, signal);
    },
    notice(row) {
      const name = streamOf(question, row.id);
      if (row.settled === null) {
        deadlines.set(name, row.expiresAt, () => expireQuestion(row.id, "timeout"));
      } else {
        deadlines.clear(name);
        waiters.settle(row.id, row);
      }
    },
  };
}
