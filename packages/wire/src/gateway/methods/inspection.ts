/** Gateway wire: looking at what goes on and at what is allowed: the audit trail, work that waits, standing permissions. */
import { Type, type Static } from "@atrium/schema";
import { method } from "../../method.ts";
import { Count, NonEmptyString, Timestamp, strictObject, literals } from "../../scalars.ts";

const Seq = Type.Integer({ minimum: 1 });
const optionalName = Type.Optional(NonEmptyString);

const AuditKind = Type.Union([Type.Literal("agent_run"), Type.Literal("tool_action")]);
const AuditStatus = literals("started", "succeeded", "failed", "cancelled", "timed_out");

export const AuditEvent = strictObject({
  eventId: NonEmptyString,
  sequence: Seq,
  sourceSequence: Seq,
  occurredAt: Timestamp,
  kind: AuditKind,
  action: literals(
    "agent.run.started",
    "agent.run.finished",
    "tool.action.started",
    "tool.action.finished",
  ),
  status: AuditStatus,
  errorCode: Type.Optional(literals("run_failed", "run_cancelled", "run_timed_out", "tool_failed")),
  actor: strictObject({ type: Type.Literal("agent"), id: NonEmptyString }),
  agentId: NonEmptyString,
  sessionKey: NonEmptyString,
  runId: NonEmptyString,
  toolCallId: optionalName,
  toolName: optionalName,
  redaction: Type.Literal("metadata_only"),
});
export type AuditEvent = Static<typeof AuditEvent>;

/** The newest first. Goes back some thousand steps; the log has all of them. */
export const auditList = method({
  name: "audit.list",
  scope: "operator.read",
  params: strictObject({
    agentId: optionalName,
    sessionKey: optionalName,
    runId: optionalName,
    kind: Type.Optional(AuditKind),
    status: Type.Optional(
      Type.Union([AuditStatus, Type.Union([Type.Literal("blocked"), Type.Literal("unknown")])]),
    ),
    after: Type.Optional(Count),
    before: Type.Optional(Count),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    cursor: optionalName,
  }),
  result: strictObject({ events: Type.Array(AuditEvent), nextCursor: optionalName }),
});

/** Every conversation is a lane of its own; no other work waits in line. */
export const diagnosticsLanes = method({
  name: "diagnostics.lanes",
  scope: "operator.read",
  params: strictObject({}),
  result: strictObject({
    ts: Timestamp,
    lanes: Type.Array(Type.Never()),
    dynamic: Type.Union([
      strictObject({
        laneCount: Count,
        activeCount: Count,
        queuedCount: Count,
        queuedLaneCount: Count,
      }),
      Type.Null(),
    ]),
  }),
});

/** The node's own rules, as it tells them: it is asked for `system.execApprovals.get`. */
export const execApprovalsNodeGet = method({
  name: "exec.approvals.node.get",
  scope: "operator.admin",
  params: strictObject({ nodeId: NonEmptyString }),
  result: Type.Record(Type.String(), Type.Unknown()),
});
