/**
 * What every event that this version knows looks like: which members it must have, and of which kind. One table, held against
 * the types of the events by the compiler, so that an entry can be judged before anyone folds it.
 *
 * Members that may be left out are not listed. What is inside of an object or a list is not looked at: whoever folds it and
 * fails has the entry set aside (quarantine.ts).
 */
import type { ApprovalEvent } from "../approval/approval.ts";
import type { BuildEvent } from "../build/events.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import type { DeviceEvent } from "../device/device.ts";
import type { LoginEvent } from "../login/login.ts";
import type { InvocationEvent } from "../node/invocation.ts";
import type { NodeEvent } from "../node/node.ts";
import type { OfficeSaid } from "../office/chat.ts";
import type { OfficeEvent } from "../office/office-events.ts";
import type { PollEvent } from "../poll/poll.ts";
import type { ProjectEvent } from "../project/events.ts";
import type { QuestionEvent } from "../question/question.ts";
import type { SignalsReceived } from "../signal/signal-source.ts";
import type { ToolCallEvent } from "../tool-call/tool-call.ts";

type BareKind = "string" | "number" | "boolean" | "array" | "object";
/** With a question mark: or null. */
export type Kind = BareKind | `${BareKind}?` | "any";

type BareKindOf<Value> = Value extends string
  ? "string"
  : Value extends number
    ? "number"
    : Value extends boolean
      ? "boolean"
      : Value extends readonly unknown[]
        ? "array"
        : "object";

type KindOf<Value> = unknown extends Value
  ? "any"
  : null extends Value
    ? `${BareKindOf<NonNullable<Value>>}?`
    : BareKindOf<Value>;

type RequiredName<Event> = {
  [Name in keyof Event]-?: Event extends Record<Name, unknown> ? Name : never;
}[keyof Event];

type ShapeOf<Event> = {
  readonly [Name in Exclude<RequiredName<Event>, "type">]: KindOf<Event[Name]>;
};

type ShapesOf<Event extends { readonly type: string }> = {
  readonly [Type in Event["type"]]: ShapeOf<Extract<Event, { readonly type: Type }>>;
};

export type EventShape = Readonly<Record<string, Kind>>;

const file = { name: "string", mediaType: "string", bytes: "number", digest: "string" } as const;
const turn = { runId: "string", messageId: "string", text: "string", usage: "object" } as const;
const call = { runId: "string", messageId: "string", callId: "string", name: "string" } as const;

export const CONVERSATION_EVENTS: ShapesOf<ConversationEvent> = {
  "conversation.opened": {
    key: "string",
    agentId: "string",
    handle: "string",
    isMain: "boolean",
    sessionId: "string",
  },
  "conversation.patched": { changes: "object" },
  "conversation.reset": { sessionId: "string", reason: "string" },
  "conversation.deleted": {},
  "message.injected": { messageId: "string", text: "string", label: "string?" },
  "run.requested": {
    runId: "string",
    messageId: "string",
    text: "string",
    attachments: "array",
    mode: "string",
    isCommand: "boolean",
    from: "object",
    model: "string?",
    thinking: "string?",
    instructions: "string?",
    timeoutMs: "number?",
  },
  "run.started": { runId: "string", model: "object", collects: "array" },
  "run.tool.called": { ...call, input: "any" },
  "run.tool.returned": { ...call, text: "string", isError: "boolean" },
  "run.delivered": { runId: "string", artifactId: "string", ...file },
  "run.stopping": { runId: "string", reason: "string" },
  "run.completed": { ...turn, stopReason: "string" },
  "run.failed": { ...turn, kind: "string", reason: "string" },
  "run.aborted": { ...turn, reason: "string" },
  "run.merged": { runId: "string", into: "string" },
};

export const APPROVAL_EVENTS: ShapesOf<ApprovalEvent> = {
  "approval.requested": { id: "string", code: "string", subject: "object", expiresAt: "number" },
  "approval.allowed": { how: "string", by: "object" },
  "approval.denied": { by: "object" },
  "approval.expired": { why: "string" },
  "approval.revoked": { by: "object" },
};

export const QUESTION_EVENTS: ShapesOf<QuestionEvent> = {
  "question.asked": { id: "string", items: "array", source: "object", expiresAt: "number" },
  "question.answered": { answers: "object", by: "object" },
  "question.withdrawn": { by: "object" },
  "question.expired": { why: "string" },
};

export const POLL_EVENTS: ShapesOf<PollEvent> = {
  "poll.opened": { id: "string", subject: "object" },
  "poll.voted": { choices: "array", by: "object" },
  "poll.closed": { by: "object?" },
};

const login = { loginId: "string" } as const;

export const LOGIN_EVENTS: ShapesOf<LoginEvent> = {
  "login.opened": {
    ...login,
    cookieDigest: "string",
    pageDigest: "string",
    name: "string",
    userAgent: "string",
    address: "string",
    expiresAt: "number",
  },
  "login.renamed": { ...login, name: "string" },
  "login.seen": { ...login, address: "string" },
  "login.approved": { ...login, by: "object", expiresAt: "number" },
  "login.rejected": { ...login, by: "object" },
  "login.ended": { ...login, why: "string" },
};

const device = { deviceId: "string" } as const;
const request = { ...device, requestId: "string" } as const;
const role = { ...device, role: "string" } as const;
const client = {
  clientId: "string",
  clientMode: "string",
  platform: "string",
  displayName: "string?",
} as const;

export const DEVICE_EVENTS: ShapesOf<DeviceEvent> = {
  "device.requested": {
    ...request,
    ...role,
    ...client,
    publicKey: "string",
    scopes: "array",
    address: "string",
    expiresAt: "number",
  },
  "device.approved": request,
  "device.rejected": request,
  "device.expired": request,
  "device.paired": { ...device, ...client, publicKey: "string", approvedVia: "string" },
  "device.granted": { ...role, scopes: "array" },
  "device.revoked": role,
  "device.token.rotated": { ...role, scopes: "array" },
  "device.token.revoked": role,
  "device.removed": device,
};

const node = { nodeId: "string" } as const;

export const NODE_EVENTS: ShapesOf<NodeEvent> = {
  "node.requested": {
    ...node,
    requestId: "string",
    surface: "object",
    info: "object",
    isSilent: "boolean",
  },
  "node.withdrawn": { ...node, requestId: "string" },
  "node.approved": { ...node, requestId: "string" },
  "node.rejected": { ...node, requestId: "string" },
  "node.renamed": { ...node, displayName: "string" },
  "node.removed": node,
};

export const INVOCATION_EVENTS: ShapesOf<InvocationEvent> = {
  "invocation.requested": { ...node, invokeId: "string", command: "string" },
  "invocation.settled": { ...node, invokeId: "string", outcome: "object" },
};

export const SIGNAL_EVENTS: ShapesOf<SignalsReceived> = {
  "signals.received": { signals: "array", passed: "array", merged: "array" },
};

export const TOOL_CALL_EVENTS: ShapesOf<ToolCallEvent> = {
  "tool-call.begun": { tool: "string", digest: "string" },
  "tool-call.finished": { text: "string", isError: "boolean" },
};

export const BUILD_EVENTS: ShapesOf<BuildEvent> = {
  "build.started": {
    id: "string",
    prompt: "string",
    agentId: "string",
    handle: "string",
    conversationKey: "string",
    sessionId: "string",
    steps: "array",
  },
  "build.told": { telling: "object", origin: "object?" },
  "build.turn.wanted": { turn: "object" },
  "build.repaired": { why: "string", text: "string", origin: "object?" },
  "build.rejected": { why: "string", text: "string", origin: "object?" },
  "build.cancelled": { by: "object" },
};

const walk = { path: "array", facing: "array", speedMps: "number", at: "number" } as const;

/** Of both kinds of streams whose names begin with `office`. */
export const OFFICE_EVENTS: ShapesOf<OfficeEvent | OfficeSaid> = {
  "office.created": { sceneId: "string", playerPos: "array", playerFacing: "array", at: "number" },
  "office.said": { messageId: "string", from: "string", to: "string", text: "string" },
  "agent.joined": {
    agentId: "string",
    homePoiId: "string?",
    seatId: "string?",
    pos: "array",
    facing: "array",
    at: "number",
  },
  "agent.left": { agentId: "string" },
  "agent.goal_set": {
    ...walk,
    agentId: "string",
    goal: "object",
    seatId: "string?",
    arrivalRadius: "number",
    because: "string",
  },
  "player.goal_set": walk,
  "decor.unlocked": { decorId: "string", anchorId: "string", projectId: "string" },
};

const timed = { at: "number" } as const;
const task = { ...timed, taskId: "string" } as const;
const work = { ...task, agentId: "string?" } as const;
const review = { ...task, artifactId: "string", by: "object" } as const;

export const PROJECT_EVENTS: ShapesOf<ProjectEvent> = {
  "project.request_submitted": {
    ...timed,
    projectId: "string",
    title: "string",
    text: "string",
    constraints: "object",
    attachments: "array",
    by: "object",
  },
  "project.request_accepted": timed,
  "project.kickoff_started": { ...timed, poiId: "string", participants: "array" },
  "project.planning_started": { ...timed, runId: "string" },
  "project.tasks_created": { ...timed, title: "string?", tasks: "array", artifactId: "string?" },
  "project.plan_drafted": {
    ...timed,
    title: "string?",
    summary: "string",
    tasks: "array",
    tellAt: "number",
  },
  "project.kickoff_finished": { ...timed, summary: "string" },
  "project.task_assigned": { ...task, agentId: "string", previous: "string?", by: "object?" },
  "project.task_started": { ...task, agentId: "string", runId: "string", attempt: "number" },
  "project.task_progress": { ...task, agentId: "string", kind: "string", preview: "string" },
  "project.decision_requested": {
    ...timed,
    decisionId: "string",
    ref: "string",
    kind: "string",
    taskId: "string?",
    agentId: "string?",
    prompt: "string",
    options: "array",
  },
  "project.task_blocked": { ...work, decisionId: "string" },
  "project.decision_resolved": {
    ...timed,
    decisionId: "string",
    taskId: "string?",
    choice: "string?",
    note: "string?",
    by: "object?",
  },
  "project.artifact_created": {
    ...work,
    ...file,
    artifactId: "string",
    version: "number",
    kind: "string",
    runId: "string?",
  },
  "project.work_finished": { ...task, runId: "string", usage: "object" },
  "project.usage_counted": { ...timed, taskId: "string?", runId: "string", usage: "object" },
  "project.artifact_delivered": {
    ...work,
    artifactId: "string",
    version: "number",
    poiId: "string",
  },
  "project.review_requested": { ...task, artifactIds: "array" },
  "project.review_approved": review,
  "project.review_changes_requested": { ...review, instructions: "string" },
  "project.review_split": review,
  "project.task_done": task,
  "project.task_failed": { ...work, runId: "string?", reason: "string" },
  "project.task_cancelled": { ...work, runId: "string?", by: "object" },
  "project.task_rerun": { ...work, by: "object" },
  "project.paused": { ...timed, by: "object?", reason: "string" },
  "project.resumed": { ...timed, by: "object" },
  "project.failed": { ...timed, reason: "string" },
  "project.cancelled": { ...timed, by: "object?" },
  "project.completed": { ...timed, reviewer: "object?" },
  "project.bd_said": { ...timed, text: "string", actions: "array" },
};
