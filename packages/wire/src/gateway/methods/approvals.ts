/**
 * Gateway wire: permissions that people give or refuse.
 *
 * The peer has three kinds; ours are all of its kind "exec", whatever tool they are for. Each has an id
 * and a code of five letters; wherever an id is expected, the code does as well.
 */
import { Type, type Static } from "@atrium/schema";
import { event } from "../../event.ts";
import { method } from "../../method.ts";
import { AlwaysScope, PermissionSubject } from "../../permission.ts";
import { Count, NonEmptyString, Timestamp, strictObject, literals } from "../../scalars.ts";

const orNull = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** Chosen by whoever asks, or made here; fit for a path. */
const RequestId = Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$" });

const ApprovalDecision = literals("allow-once", "allow-always", "deny");
export type ApprovalDecision = Static<typeof ApprovalDecision>;

/** What is asked for. */
export const ApprovalRequest = strictObject({
  command: NonEmptyString,
  tool: NonEmptyString,
  cwd: Type.Union([Type.String(), Type.Null()]),
  host: Type.Union([Type.String(), Type.Null()]),
  nodeId: Type.Union([NonEmptyString, Type.Null()]),
  warningText: Type.Union([Type.String(), Type.Null()]),
  allowedDecisions: Type.Array(ApprovalDecision),
  agentId: Type.Union([NonEmptyString, Type.Null()]),
  sessionKey: Type.Union([NonEmptyString, Type.Null()]),
  runId: Type.Union([NonEmptyString, Type.Null()]),
});
export type ApprovalRequest = Static<typeof ApprovalRequest>;

export const PendingApproval = strictObject({
  approvalKind: Type.Literal("exec"),
  id: NonEmptyString,
  code: NonEmptyString,
  request: ApprovalRequest,
  /** All of what is asked, in parts; no peer of ours has it. Where it is too long, the request still has all of it. */
  permission: PermissionSubject,
  createdAtMs: Timestamp,
  expiresAtMs: Timestamp,
});
export type PendingApproval = Static<typeof PendingApproval>;

const requestFields = {
  id: RequestId,
  urlPath: NonEmptyString,
  createdAtMs: Timestamp,
  expiresAtMs: Timestamp,
};

export const ApprovalPresentation = strictObject({
  kind: Type.Literal("exec"),
  commandText: NonEmptyString,
  commandPreview: Type.Null(),
  warningText: Type.Union([Type.String(), Type.Null()]),
  host: Type.Union([Type.String(), Type.Null()]),
  nodeId: Type.Union([NonEmptyString, Type.Null()]),
  agentId: Type.Union([NonEmptyString, Type.Null()]),
  allowedDecisions: Type.Array(ApprovalDecision, { minItems: 1, maxItems: 3 }),
});

export const ApprovalSource = strictObject({
  agentId: Type.Optional(NonEmptyString),
  sessionKey: Type.Optional(NonEmptyString),
});

export const ApprovalResolver = strictObject({
  kind: literals("device", "channel", "runtime", "system"),
  id: Type.Optional(NonEmptyString),
});

const ended = {
  ...requestFields,
  presentation: ApprovalPresentation,
  resolvedAtMs: Timestamp,
  source: ApprovalSource,
  resolver: ApprovalResolver,
};

export const ApprovalPending = strictObject({
  ...requestFields,
  presentation: ApprovalPresentation,
  status: Type.Literal("pending"),
  sourceSessionKey: Type.Optional(NonEmptyString),
});

export const ApprovalAllowed = strictObject({
  ...ended,
  status: Type.Literal("allowed"),
  decision: Type.Union([Type.Literal("allow-once"), Type.Literal("allow-always")]),
  reason: Type.Literal("user"),
});

export const ApprovalDenied = strictObject({
  ...ended,
  status: Type.Literal("denied"),
  decision: Type.Literal("deny"),
  reason: Type.Literal("user"),
});

export const ApprovalExpired = strictObject({
  ...ended,
  status: Type.Literal("expired"),
  reason: Type.Literal("timeout"),
});

export const ApprovalCancelled = strictObject({
  ...ended,
  status: Type.Literal("cancelled"),
  reason: Type.Union([Type.Literal("run-aborted"), Type.Literal("gateway-restart")]),
});

export const ApprovalSnapshot = Type.Union([
  ApprovalPending,
  ApprovalAllowed,
  ApprovalDenied,
  ApprovalExpired,
  ApprovalCancelled,
]);
export type ApprovalSnapshot = Static<typeof ApprovalSnapshot>;

/** On whose behalf a client answers. */
export const ApprovalReviewer = strictObject({
  channel: NonEmptyString,
  accountId: NonEmptyString,
  senderId: NonEmptyString,
});
export type ApprovalReviewer = Static<typeof ApprovalReviewer>;

export const execApprovalList = method({
  name: "exec.approval.list",
  scope: "operator.approvals",
  params: strictObject({}),
  result: Type.Array(PendingApproval),
});

export const execApprovalGet = method({
  name: "exec.approval.get",
  scope: "operator.approvals",
  params: strictObject({ id: NonEmptyString }),
  result: strictObject({
    id: NonEmptyString,
    code: NonEmptyString,
    commandText: NonEmptyString,
    commandPreview: Type.Null(),
    allowedDecisions: Type.Array(ApprovalDecision),
    host: Type.Union([Type.String(), Type.Null()]),
    nodeId: Type.Union([NonEmptyString, Type.Null()]),
    agentId: Type.Union([NonEmptyString, Type.Null()]),
    expiresAtMs: Timestamp,
  }),
});

/** How a request stands: taken on, or decided. `null`: nobody decided. */
const ApprovalAnswer = Type.Union([
  strictObject({
    status: Type.Literal("accepted"),
    id: NonEmptyString,
    code: NonEmptyString,
    deliveryRoute: Type.Union([Type.Literal("approval-client"), Type.Literal("none")]),
    createdAtMs: Timestamp,
    expiresAtMs: Timestamp,
  }),
  strictObject({
    id: NonEmptyString,
    decision: Type.Union([ApprovalDecision, Type.Null()]),
    createdAtMs: Timestamp,
    expiresAtMs: Timestamp,
  }),
]);

/** The client's own; what is of interest is read from it, and no more. */
const Foreign = Type.Record(Type.String(), Type.Unknown());

/** With `twoPhase` it is answered twice: that it was asked, and what was decided. */
export const execApprovalRequest = method({
  name: "exec.approval.request",
  scope: "operator.approvals",
  decides: false,
  params: strictObject({
    id: Type.Optional(RequestId),
    command: Type.Optional(NonEmptyString),
    commandArgv: Type.Optional(Type.Array(Type.String())),
    /** What the client would run: its `commandText` is read. */
    systemRunPlan: Type.Optional(Foreign),
    cwd: orNull(Type.String()),
    nodeId: orNull(NonEmptyString),
    host: orNull(Type.String()),
    ask: orNull(Type.String()),
    warningText: orNull(Type.String()),
    /** The reach of what is asked for, as the peer puts it; shown as a warning. */
    scope: Type.Optional(Foreign),
    unavailableDecisions: Type.Optional(
      Type.Array(Type.Literal("allow-always"), { minItems: 1, maxItems: 1 }),
    ),
    agentId: orNull(Type.String()),
    sessionKey: orNull(Type.String()),
    runId: orNull(Type.String()),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1 })),
    twoPhase: Type.Optional(Type.Boolean()),
    // Of interest to the peer's own policy, delivery and highlighting; taken and not kept. Values of
    // `env` may be secrets and must not be.
    env: Type.Optional(Type.Record(Type.String(), Type.String())),
    security: orNull(Type.String()),
    commandSpans: Type.Optional(
      Type.Array(strictObject({ startIndex: Count, endIndex: Type.Integer({ minimum: 1 }) })),
    ),
    resolvedPath: orNull(Type.String()),
    sessionId: orNull(Type.String()),
    toolCallId: orNull(Type.String()),
    turnSourceChannel: orNull(Type.String()),
    turnSourceTo: orNull(Type.String()),
    turnSourceAccountId: orNull(Type.String()),
    turnSourceThreadId: orNull(Type.Union([Type.String(), Type.Number()])),
    approvalReviewerDeviceIds: Type.Optional(Type.Array(NonEmptyString)),
    requireDeliveryRoute: Type.Optional(Type.Boolean()),
    suppressDelivery: Type.Optional(Type.Boolean()),
    deliverToApprovalClientsOnly: Type.Optional(Type.Boolean()),
  }),
  result: ApprovalAnswer,
});

export const execApprovalWaitDecision = method({
  name: "exec.approval.waitDecision",
  scope: "operator.approvals",
  decides: false,
  params: strictObject({ id: NonEmptyString }),
  result: strictObject({
    id: NonEmptyString,
    decision: Type.Union([ApprovalDecision, Type.Null()]),
    createdAtMs: Timestamp,
    expiresAtMs: Timestamp,
    terminalReason: Type.Optional(NonEmptyString),
  }),
});

export const execApprovalResolve = method({
  name: "exec.approval.resolve",
  scope: "operator.approvals",
  params: strictObject({
    id: NonEmptyString,
    decision: ApprovalDecision,
    /** With `allow-always`: how far it reaches; left out, as short as can be. */
    scope: Type.Optional(AlwaysScope),
    /** Refused unless it is what was read: an "always" covers exactly that. */
    pattern: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    reviewer: Type.Optional(ApprovalReviewer),
  }),
  result: strictObject({ ok: Type.Literal(true) }),
});

export const approvalGet = method({
  name: "approval.get",
  scope: "operator.approvals",
  params: strictObject({ id: NonEmptyString }),
  result: strictObject({ approval: ApprovalSnapshot }),
});

/** `applied` is false when it had been decided before; the snapshot says what, and by whom. */
export const approvalResolve = method({
  name: "approval.resolve",
  scope: "operator.approvals",
  params: strictObject({
    id: NonEmptyString,
    kind: literals("exec", "plugin", "system-agent"),
    decision: ApprovalDecision,
    /** With `allow-always`: how far it reaches; left out, as short as can be. */
    scope: Type.Optional(AlwaysScope),
    /** Refused unless it is what was read: an "always" covers exactly that. */
    pattern: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    reviewer: Type.Optional(ApprovalReviewer),
  }),
  result: strictObject({ applied: Type.Boolean(), approval: ApprovalSnapshot }),
});

/** Atrium has no plugins, so nothing of theirs ever waits. */
export const pluginApprovalList = method({
  name: "plugin.approval.list",
  scope: "operator.approvals",
  params: strictObject({}),
  result: Type.Array(Type.Never()),
});

/** Its command line asks for this beside the other two, and for nothing when one of the three is unknown. */
export const openclawApprovalList = method({
  name: "openclaw.approval.list",
  scope: "operator.approvals",
  params: strictObject({}),
  result: Type.Array(Type.Never()),
});

export const execApprovalRequested = event({
  name: "exec.approval.requested",
  scope: "operator.approvals",
  payload: PendingApproval,
});

export const execApprovalResolved = event({
  name: "exec.approval.resolved",
  scope: "operator.approvals",
  payload: strictObject({
    id: NonEmptyString,
    /** Null: nobody decided in time. */
    decision: Type.Union([ApprovalDecision, Type.Null()]),
    resolvedBy: Type.Union([NonEmptyString, Type.Null()]),
    /** By which credential, and from where. */
    resolvedFrom: Type.Optional(NonEmptyString),
    ts: Timestamp,
    request: ApprovalRequest,
  }),
});
