/**
 * Asking people: permissions and questions, from whoever needs an answer to whoever can give it.
 *
 *   ask -> request in the log -> peers are told (egress) -> someone answers, or its time is up
 *       -> settled in the log -> everyone who waits here is told
 *
 * An agent's turn asks with one call that ends with an answer, or with none in time. Aborting the turn
 * ends the request too; what was decided just before still counts.
 */
import {
  approval,
  question,
  rowIn,
  type ApprovalRow,
  type Answerer,
  type ApprovalSubject,
  type BatchListener,
  type Outcome,
  type QuestionRow,
  type QuestionSource,
  type NoAnswerReason,
} from "@atrium/core";
import type { PermissionAnswer } from "../agents/turn/agent-runtime.ts";
import { isCutOff, TurnStop } from "../agents/turn/turn-stop.ts";
import {
  createApprovalRequests,
  type ApprovalRequestDeps,
  type ApprovalRequests,
} from "./approval-requests.ts";
import {
  createQuestionRequests,
  type QuestionRequests,
  type QuestionRequestDeps,
  type NewQuestion,
} from "./question-requests.ts";
import { approvalOf, type TurnPermission } from "./turn-permission.ts";

export type HumanInputDeps = ApprovalRequestDeps & QuestionRequestDeps;

export interface RequestingRun {
  readonly agent: string;
  readonly conversationKey: string;
  /** Null: what is asked belongs to no run. */
  readonly runId: string | null;
}

export interface TurnQuestionRequest extends RequestingRun {
  readonly text: string;
  /** None: any text answers it. */
  readonly options: readonly string[];
  /** Only the options answer it. */
  readonly isClosed?: boolean | undefined;
  readonly timeoutMs?: number;
}

/** Asked once under its id: whoever asks again is given the same answer. */
export interface Consultation extends TurnQuestionRequest {
  readonly id: string;
}

export interface PersonAnswer {
  readonly answer: string;
  readonly by: Answerer;
}

export interface HumanInput extends ApprovalRequests, QuestionRequests {
  requestPermission(request: TurnPermission, signal: AbortSignal): Promise<PermissionAnswer>;
  ask(query: TurnQuestionRequest, signal: AbortSignal): Promise<string | null>;
  /** For what is then done in the name of whoever answered. */
  consult(query: Consultation, signal: AbortSignal): Promise<PersonAnswer | null>;
  /** Tells those who wait what the log now holds. */
  readonly onBatch: BatchListener;
  /**
   * After a start: ends what nobody waits for any more because its run is gone, and gives the rest its
   * deadline back.
   */
  recover(isRunAlive: (runId: string) => boolean): Promise<void>;
}

/** The one question of a turn's request; its name is of no interest to anyone. */
const ANSWER = "answer";

export function createHumanInput(deps: HumanInputDeps): HumanInput {
  const { approvals, questions } = deps;
  const { notice: noticeApproval, ...permissions } = createApprovalRequests(deps);
  const { notice: noticeQuestion, ...inquiries } = createQuestionRequests(deps);

  async function settle(
    query: TurnQuestionRequest & Partial<Pick<Consultation, "id">>,
    signal: AbortSignal,
  ): Promise<QuestionRow | undefined> {
    if (signal.aborted) return undefined;
    const opened = await inquiries.openQuestion(questionOf(query));
    const id = opened.ok ? opened.value.id : query.id;
    if (id === undefined || (!opened.ok && opened.code !== "question.taken")) return undefined;
    const row = await inquiries.awaitQuestion(id, signal);
    if (row !== undefined) return row;
    const expired = await inquiries.expireQuestion(id, whyAborted(signal));
    return isBeyondReach(expired) ? undefined : inquiries.awaitQuestion(id);
  }

  return {
    ...permissions,
    ...inquiries,
    async requestPermission(request, signal) {
      if (signal.aborted) return "expired";
      const readable = approvalOf(request);
      if (!readable.ok) return { permission: "denied", note: unreadable(readable.detail) };
      const opened = await permissions.openApproval(readable.value);
      // Whoever could not even be asked has decided nothing.
      if (!opened.ok) return "expired";
      const { id } = opened.value;
      const row = await permissions.awaitApproval(id, signal);
      if (row !== undefined) return permissionOf(row);
      const expired = await permissions.expireApproval(id, whyAborted(signal));
      if (isBeyondReach(expired)) return "expired";
      return permissionOf((await permissions.awaitApproval(id)) ?? opened.value);
    },
    ask: async (query, signal) => answerIn(await settle(query, signal))?.answer ?? null,
    consult: async (query, signal) => answerIn(await settle(query, signal)) ?? null,
    onBatch(entries) {
      for (const { stream } of entries) {
        const requested = rowIn(approval, approvals, stream);
        if (requested !== undefined) noticeApproval(requested);
        const row = rowIn(question, questions, stream);
        if (row !== undefined) noticeQuestion(row);
      }
    },
    async recover(isRunAlive) {
      const isOrphan = ({ askedBy, runId }: ApprovalSubject | QuestionSource): boolean =>
        askedBy === "agent" && (runId === null || !isRunAlive(runId));
      for (const row of approvals.listOpen()) {
        if (isOrphan(row.subject)) await permissions.expireApproval(row.id, "restart");
        else noticeApproval(row);
      }
      for (const row of questions.listOpen()) {
        if (isOrphan(row.source)) await inquiries.expireQuestion(row.id, "restart");
        else noticeQuestion(row);
      }
    },
  };
}

/** A turn that is cut off because the server goes says so in what it is stopped with. */
function whyAborted({ reason }: AbortSignal): NoAnswerReason {
  return reason instanceof TurnStop && isCutOff(reason.ending) ? "restart" : "run-ended";
}

/** Whoever directs next ends it; the servers of the log may be away until then. */
function isBeyondReach(expired: Outcome<unknown>): boolean {
  return !expired.ok && (expired.code === "log.fenced" || expired.code === "log.unavailable");
}

function unreadable(why = ""): string {
  return `The request was not asked, because no person could read all of it: ${why}. Use smaller steps.`;
}

function questionOf(query: TurnQuestionRequest & Partial<Pick<Consultation, "id">>): NewQuestion {
  const { id, text, options, isClosed = false, agent, conversationKey, runId, timeoutMs } = query;
  const item = {
    questionId: ANSWER,
    header: "",
    text,
    options: distinct(options).map((label) => ({ label, description: null })),
    isMultiple: false,
    allowsOther: !isClosed,
  };
  const source = { conversationKey, runId, agent, askedBy: "agent" } as const;
  return {
    ...(id !== undefined && { id }),
    items: [item],
    source,
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

/** A model may repeat itself; people are offered each choice once. */
function distinct(options: readonly string[]): readonly string[] {
  const byName = new Map<string, string>();
  for (const label of options.map((option) => option.trim())) {
    const name = label.toLowerCase();
    if (name !== "" && !byName.has(name)) byName.set(name, label);
  }
  return [...byName.values()];
}

function permissionOf({ settled }: ApprovalRow): PermissionAnswer {
  switch (settled?.outcome.type) {
    case "approval.allowed":
      return "allowed";
    case "approval.denied":
      return settled.outcome.note === undefined
        ? "denied"
        : { permission: "denied", note: settled.outcome.note };
    case "approval.expired":
    case undefined:
      return "expired";
  }
}

function answerIn(row: QuestionRow | undefined): PersonAnswer | undefined {
  if (row?.settled?.outcome.type !== "question.answered") return undefined;
  const { answers, note, by } = row.settled.outcome;
  const answer = answers[ANSWER]?.join(", ");
  if (answer === undefined) return undefined;
  return { answer: note === undefined ? answer : `${answer}\n\n${note}`, by };
}
