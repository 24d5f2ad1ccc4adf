import { accept, refuse, type ApprovalRow, type Approvals, type Outcome } from "@atrium/core";
import type { AlwaysScope, ResultOf } from "@atrium/wire";
import {
  approvalGet,
  approvalResolve,
  execApprovalGet,
  execApprovalList,
  execApprovalRequest,
  execApprovalResolve,
  execApprovalWaitDecision,
  openclawApprovalList,
  pluginApprovalList,
  type ApprovalDecision,
} from "@atrium/wire/gateway";
import type { ApprovalAnswer } from "../../../human-input/approval-requests.ts";
import type { HumanInput } from "../../../human-input/human-input.ts";
import { DeferredResult } from "../../../pipeline/method-router.ts";
import { onBehalfOf } from "../frames/answerers.ts";
import { serve, type GatewayMethod } from "../frames/peer.ts";
import { readApprovalRequest } from "../params/approval-request.ts";
import {
  allowedDecisions,
  approvalSnapshot,
  commandOf,
  decisionOf,
  pendingApproval,
  terminalReason,
} from "../rows/approval-rows.ts";

export interface ApprovalDeps {
  readonly approvals: Pick<Approvals, "get" | "findByCode" | "listOpen">;
  readonly humanInput: Pick<HumanInput, "openApproval" | "resolveApproval" | "awaitApproval">;
  /** Whether another peer is connected that could answer. */
  readonly hasReviewer: (exceptPeerId: string) => boolean;
}

export function approvalMethods(deps: ApprovalDeps): readonly GatewayMethod[] {
  const { approvals, humanInput, hasReviewer } = deps;

  const find = (idOrCode: string): Outcome<ApprovalRow> => {
    const row = approvals.get(idOrCode) ?? approvals.findByCode(idOrCode.toLowerCase());
    return row === undefined ? refuse("approval.missing", idOrCode) : accept(row);
  };

  return [
    serve(execApprovalList, () => accept(approvals.listOpen().map(pendingApproval))),
    serve(pluginApprovalList, () => accept([])),
    serve(openclawApprovalList, () => accept([])),

    serve(execApprovalGet, ({ id }) => {
      const row = find(id);
      if (!row.ok) return row;
      // As in OpenClaw, this shows open approvals only; `approval.get` shows the others too.
      return row.value.settled === null
        ? accept(openApproval(row.value))
        : refuse("approval.missing");
    }),

    serve(execApprovalRequest, async (params, { caller }) => {
      const request = readApprovalRequest(params);
      if (!request.ok) return request;
      const opened = await humanInput.openApproval(request.value);
      if (!opened.ok) return opened;
      const { id, code, createdAt: createdAtMs, expiresAt: expiresAtMs } = opened.value;
      const decided = humanInput.awaitApproval(id).then((row = opened.value) => {
        return accept({ id, decision: decisionOf(row), createdAtMs, expiresAtMs });
      });
      if (params.twoPhase !== true) return decided;
      const deliveryRoute = hasReviewer(caller.member.peer.id) ? "approval-client" : "none";
      const taken = { status: "accepted", id, code, deliveryRoute, createdAtMs, expiresAtMs };
      return accept(new DeferredResult(taken, decided));
    }),

    serve(execApprovalWaitDecision, async ({ id }) => {
      const known = find(id);
      if (!known.ok) return known;
      const row = (await humanInput.awaitApproval(known.value.id)) ?? known.value;
      const reason = terminalReason(row);
      return accept({
        id: row.id,
        decision: decisionOf(row),
        createdAtMs: row.createdAt,
        expiresAtMs: row.expiresAt,
        ...(reason !== undefined && { terminalReason: reason }),
      });
    }),

    serve(execApprovalResolve, async (params, { caller }) => {
      const row = find(params.id);
      if (!row.ok) return row;
      const by = onBehalfOf(caller.member, params.reviewer);
      const done = await humanInput.resolveApproval(row.value.id, verdictOf(params), by);
      return done.ok ? accept({ ok: true }) : done;
    }),

    serve(approvalGet, ({ id }) => {
      const row = find(id);
      return row.ok ? accept({ approval: approvalSnapshot(row.value) }) : row;
    }),

    serve(approvalResolve, async (params, { caller }) => {
      if (params.kind !== "exec") return refuse("approval.missing", params.id);
      const row = find(params.id);
      if (!row.ok) return row;
      const { id } = row.value;
      const by = onBehalfOf(caller.member, params.reviewer);
      const done = await humanInput.resolveApproval(id, verdictOf(params), by);
      if (done.ok) return accept({ applied: true, approval: approvalSnapshot(done.value) });
      const settled = approvals.get(id);
      if (done.code !== "approval.settled" || settled === undefined) return done;
      return accept({ applied: false, approval: approvalSnapshot(settled) });
    }),
  ];
}

function verdictOf({
  decision,
  scope,
  pattern,
}: {
  readonly decision: ApprovalDecision;
  readonly scope?: AlwaysScope;
  readonly pattern?: string;
}): ApprovalAnswer {
  switch (decision) {
    case "allow-once":
      return { type: "allow", how: "once" };
    case "allow-always":
      return {
        type: "allow",
        how: "always",
        ...(scope !== undefined && { scope }),
        ...(pattern !== undefined && { pattern }),
      };
    case "deny":
      return { type: "deny" };
  }
}

function openApproval({
  id,
  code,
  subject,
  expiresAt,
}: ApprovalRow): ResultOf<typeof execApprovalGet> {
  return {
    id,
    code,
    commandText: commandOf(subject),
    commandPreview: null,
    allowedDecisions: allowedDecisions(subject.mayAlways),
    host: subject.host,
    nodeId: subject.nodeId,
    agentId: subject.agent,
    expiresAtMs: expiresAt,
  };
}
