/** What is asked of people, and what came of it, as events. */
import {
  approval,
  question,
  idIn,
  type Approvals,
  type BatchListener,
  type Questions,
} from "@atrium/core";
import {
  execApprovalRequested,
  execApprovalResolved,
  questionRequested,
  questionResolved,
} from "@atrium/wire/gateway";
import {
  approvalRequest,
  decidedFrom,
  deciderOf,
  decisionOf,
  pendingApproval,
} from "../rows/approval-rows.ts";
import { questionRecord, resolvedQuestion } from "../rows/question-rows.ts";
import type { GatewayEgress } from "./egress.ts";
import type { RunEvents } from "./run-events.ts";

export interface HumanInputRows {
  readonly approvals: Pick<Approvals, "get">;
  readonly questions: Pick<Questions, "get">;
}

export function createHumanInputEvents(
  egress: GatewayEgress,
  { approvals, questions }: HumanInputRows,
  /** What was said before a question belongs before it. */
  words: Pick<RunEvents, "finishWords">,
): BatchListener {
  function tellOfApproval(id: string, isRequest: boolean): void {
    const row = approvals.get(id);
    // Nobody needs to be called for what an earlier "always" has settled.
    if (row === undefined || row.isCovered) return;
    if (isRequest) {
      if (row.subject.runId !== null) words.finishWords(row.subject.runId);
      egress.publish(execApprovalRequested, pendingApproval(row));
    } else if (row.settled !== null) {
      egress.publish(execApprovalResolved, {
        id,
        decision: decisionOf(row),
        resolvedBy: deciderOf(row.settled.outcome),
        ...decidedFrom(row.settled.outcome),
        ts: row.settled.at,
        request: approvalRequest(row),
      });
    }
  }

  function tellOfQuestion(id: string, isRequest: boolean): void {
    const row = questions.get(id);
    if (row === undefined) return;
    if (isRequest && row.source.runId !== null) words.finishWords(row.source.runId);
    // Whatever became of it since, it was open when it was asked.
    if (isRequest) egress.publish(questionRequested, questionRecord({ ...row, settled: null }));
    const resolved = isRequest ? undefined : resolvedQuestion(row);
    if (resolved !== undefined) egress.publish(questionResolved, resolved);
  }

  return (entries) => {
    for (const { stream, type } of entries) {
      const approvalId = idIn(approval, stream);
      if (approvalId !== undefined) tellOfApproval(approvalId, type === "approval.requested");
      const questionId = idIn(question, stream);
      if (questionId !== undefined) tellOfQuestion(questionId, type === "question.asked");
    }
  };
}
