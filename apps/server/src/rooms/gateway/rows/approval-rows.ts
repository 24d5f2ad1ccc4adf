/** Approvals as the gateway's clients see them. */
import {
  describeOrigin,
  describeOutcome,
  inputOf,
  readInput,
  type Answerer,
  type ApprovalOutcome,
  type ApprovalRow,
  type ApprovalSubject,
} from "@atrium/core";
import { visibleText } from "@atrium/wire";
import type {
  ApprovalDecision,
  ApprovalRequest,
  ApprovalSnapshot,
  PendingApproval,
} from "@atrium/wire/gateway";
import { permissionOnWire } from "../../../human-input/permission-on-wire.ts";

export function pendingApproval(row: ApprovalRow): PendingApproval {
  return {
    approvalKind: "exec",
    id: row.id,
    code: row.code,
    request: approvalRequest(row),
    permission: permissionOnWire(row.subject, readAt(row.id), row.subject.agent ?? undefined),
    createdAtMs: row.createdAt,
    expiresAtMs: row.expiresAt,
  };
}

export function approvalRequest({ subject }: ApprovalRow): ApprovalRequest {
  return {
    command: commandOf(subject),
    tool: subject.tool,
    cwd: subject.cwd,
    host: subject.host,
    nodeId: subject.nodeId,
    warningText: readingOf(subject),
    allowedDecisions: [...allowedDecisions(subject.mayAlways)],
    agentId: subject.agent,
    sessionKey: subject.conversationKey,
    runId: subject.runId,
  };
}

/** Where a client finds the whole approval. */
function readAt(id: string): string {
  return `approval.get ${id}`;
}

/** Clients show this in full; it is never executed. */
export function commandOf({ summary }: ApprovalSubject): string {
  return visibleText(summary) || "(nothing)";
}

/** What a person should read besides the command; clients show both. */
function readingOf(subject: ApprovalSubject): string | null {
  const { warning, details } = subject;
  const { rest } = readInput(inputOf(subject));
  const writes = subject.writes?.map(({ path, text }) => `${path}:\n${text}`) ?? [];
  const all = [warning ?? "", rest, ...writes, details ?? ""].filter((text) => text !== "");
  return all.length === 0 ? null : visibleText(all.join("\n"));
}

export function allowedDecisions(mayAlways: boolean): ApprovalDecision[] {
  return mayAlways ? ["allow-once", "allow-always", "deny"] : ["allow-once", "deny"];
}

/** Null: nobody decided. */
export function decisionOf({ settled }: ApprovalRow): ApprovalDecision | null {
  switch (settled?.outcome.type) {
    case "approval.allowed":
      return settled.outcome.how === "once" ? "allow-once" : "allow-always";
    case "approval.denied":
      return "deny";
    case "approval.expired":
    case undefined:
      return null;
  }
}

/** Who decided, by name; null when nobody did. */
export function deciderOf(outcome: ApprovalOutcome): string | null {
  return outcome.type === "approval.expired" ? null : outcome.by.name;
}

/** By which credential, and from where. */
export function decidedFrom(outcome: ApprovalOutcome): { readonly resolvedFrom?: string } {
  if (outcome.type === "approval.expired") return {};
  const origin = describeOrigin(outcome.by);
  return origin === "" ? {} : { resolvedFrom: origin };
}

export function approvalSnapshot(row: ApprovalRow): ApprovalSnapshot {
  const { id, subject, settled } = row;
  const common = {
    id,
    urlPath: `/approve/${encodeURIComponent(id)}`,
    createdAtMs: row.createdAt,
    expiresAtMs: row.expiresAt,
    presentation: {
      kind: "exec" as const,
      commandText: commandOf(subject),
      commandPreview: null,
      warningText: readingOf(subject),
      host: subject.host,
      nodeId: subject.nodeId,
      agentId: subject.agent,
      allowedDecisions: allowedDecisions(subject.mayAlways),
    },
  };
  if (settled === null) {
    return {
      ...common,
      status: "pending",
      ...(subject.conversationKey !== null && { sourceSessionKey: subject.conversationKey }),
    };
  }
  const { outcome } = settled;
  const ended = {
    ...common,
    resolvedAtMs: settled.at,
    source: {
      ...(subject.agent !== null && { agentId: subject.agent }),
      ...(subject.conversationKey !== null && { sessionKey: subject.conversationKey }),
    },
  };
  switch (outcome.type) {
    case "approval.allowed": {
      const decision = outcome.how === "once" ? "allow-once" : "allow-always";
      return { ...ended, resolver: resolverOf(outcome.by), status: "allowed", decision, reason };
    }
    case "approval.denied":
      return {
        ...ended,
        resolver: resolverOf(outcome.by),
        status: "denied",
        decision: "deny",
        reason,
      };
    case "approval.expired": {
      const resolver = { kind: "system" as const };
      switch (outcome.why) {
        case "timeout":
          return { ...ended, resolver, status: "expired", reason: "timeout" };
        case "run-ended":
        case "elsewhere":
          return { ...ended, resolver, status: "cancelled", reason: "run-aborted" };
        case "restart":
          return { ...ended, resolver, status: "cancelled", reason: "gateway-restart" };
      }
    }
  }
}

const reason = "user";

function resolverOf({ id, via, credential }: Answerer): {
  kind: "device" | "runtime" | "channel";
  id: string;
} {
  if (via !== "gateway") return { kind: "channel", id };
  return { kind: credential?.kind === "device" ? "device" : "runtime", id };
}

/** Why it ended without a decision. */
export function terminalReason({ settled }: ApprovalRow): string | undefined {
  if (settled?.outcome.type !== "approval.expired") return undefined;
  return describeOutcome(settled.outcome);
}
