/** Approvals and questions as events: when they open, and when they are settled. */
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
  /** Text that an agent wrote before it asked is sent before the question. */
  runs: Pick<RunEvents, "flushText">,
): BatchListener {
  function publishApproval(id: string, isRequest: boolean): void {
    const row = approvals.get(id);
    // An earlier "always" has already allowed it, so nobody has to decide.
    if (row === undefined || row.isCovered) return;
    if (isRequest) {
      if (row.subject.runId !== null) runs.flushText(row.subject.runId);
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

  function publishQuestion(id: string, isRequest: boolean): void {
    const row = questions.get(id);
    if (row === undefined) return;
    if (isRequest && row.source.runId !== null) runs.flushText(row.source.runId);
    // It may be settled by now; the event shows it as it was asked.
    if (isRequest) egress.publish(questionRequested, questionRecord({ ...row, settled: null }));
    const resolved = isRequest ? undefined : resolvedQuestion(row);
    if (resolved !== undefined) egress.publish(questionResolved, resolved);
  }

  return (entries) => {
    for (const { stream, type } of entries) {
      const approvalId = idIn(approval, stream);
      if (approvalId !== undefined) publishApproval(approvalId, type === "approval.requested");
      const questionId = idIn(question, stream);
      if (questionId !== undefined) publishQuestion(questionId, type === "question.asked");
    }
  };
}
