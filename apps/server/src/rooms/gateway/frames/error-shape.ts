/**
 * Refusals as the error shapes of the gateway: its codes, message texts and details.
 */
import { describeRefusal, REFUSALS, type Refusal, type RefusalCode } from "@atrium/core";
import type { ErrorCode, ErrorShape } from "@atrium/wire/gateway";

const RETRY_AFTER_MS = 250;
/** Servers choose a leader, or a node takes over: that takes seconds. */
const SLOW_RETRY_MS = 1_000;
const SLOW = /^(?:cluster\.|log\.unavailable$)/;

type Wording = (method: string, detail: string | undefined) => ErrorShape;

/** Texts and details that clients of the original gateway recognize. */
const WORDINGS: { readonly [Code in RefusalCode]?: Wording } = {
  "frame.malformed": (_method, problem) => invalid(problem ?? ""),
  "method.unknown": (method) => invalid(`unknown method: ${method}`),
  "params.invalid": (method, detail) =>
    invalid(`invalid ${method} params${detail === undefined ? "" : `: ${detail}`}`),
  "scope.missing": (_method, scope) => ({
    code: "FORBIDDEN",
    message: `missing scope: ${scope ?? ""}`,
    details: { code: "MISSING_SCOPE", missingScope: scope, requiredScopes: [scope] },
  }),
  "conversation.main": (_method, key) =>
    invalid(`Cannot delete the main session (${key ?? ""}). Reset it instead.`),
  "key.reused": () => ({
    ...invalid(
      "This message ID was already used for different input; use a new idempotencyKey for a new request.",
    ),
    details: { reason: "chat-request-conflict", code: "key.reused" },
  }),
  "conversation.missing": (_method, key) => ({
    ...invalid(`session not found: ${key ?? ""}`),
    details: { reason: "conversation.missing" },
  }),

  "approval.missing": () => withReason("unknown or expired approval id", "APPROVAL_NOT_FOUND"),
  "approval.settled": (_method, outcome) =>
    withReason(`approval already resolved: ${outcome ?? ""}`, "APPROVAL_ALREADY_RESOLVED"),
  "approval.taken": () => withReason("approval id already pending", "approval.taken"),
  "approval.limited": () =>
    withReason("allow-always is unavailable for this command", "APPROVAL_ALLOW_ALWAYS_UNAVAILABLE"),
  "question.missing": (_method, id) =>
    withReason(`question '${id ?? ""}' was not found`, "QUESTION_NOT_FOUND"),
  "question.settled": (_method, outcome) =>
    withReason(`question is already ${outcome ?? "settled"}`, "QUESTION_ALREADY_TERMINAL"),
  "question.taken": (_method, id) =>
    withReason(`question '${id ?? ""}' already exists`, "QUESTION_ID_IN_USE"),
  "question.misanswered": (_method, why) => withReason(why ?? "", "QUESTION_INVALID_ANSWER"),
  "channel.unknown": (_method, channel) =>
    withReason(`unsupported channel: ${channel ?? ""}`, "channel.unknown"),
  "role.wrong": (_method, role) => invalid(`unauthorized role: ${role ?? ""}`),
  "request.unknown": () => invalid("unknown requestId"),
  "device.unknown": () => invalid("unknown deviceId"),
  "node.unknown": () => ({ ...invalid("unknown nodeId"), details: { reason: "node.unknown" } }),
  "node.offline": () => ({
    code: "UNAVAILABLE",
    message: "node not connected",
    details: { code: "NOT_CONNECTED", reason: "node.offline" },
    retryable: true,
    retryAfterMs: RETRY_AFTER_MS,
  }),
  "command.unapproved": (_method, command) => ({
    ...invalid(
      `node command not allowed: "${command ?? ""}" waits for approval; see node.pair.list, then node.pair.approve`,
    ),
    details: { reason: "command not approved", command },
  }),
  "command.unoffered": (_method, command) => ({
    ...invalid(`node command not allowed: the node does not offer "${command ?? ""}"`),
    details: { reason: "command not declared by node", command },
  }),
};

/** An error that clients recognize by its reason. */
function withReason(message: string, reason: string): ErrorShape {
  return { ...invalid(message), details: { reason } };
}

export function errorShape(method: string, refusal: Refusal): ErrorShape {
  const { code, detail } = refusal;
  const wording = WORDINGS[code];
  if (wording !== undefined) return wording(method, detail);
  const isWorthRetrying = REFUSALS[code].retry === "soon";
  return {
    code: (isWorthRetrying ? "UNAVAILABLE" : "INVALID_REQUEST") satisfies ErrorCode,
    message: describeRefusal(refusal),
    details: { reason: code },
    ...(isWorthRetrying && {
      retryable: true,
      retryAfterMs: SLOW.test(code) ? SLOW_RETRY_MS : RETRY_AFTER_MS,
    }),
  };
}

export function invalid(message: string): ErrorShape {
  return { code: "INVALID_REQUEST" satisfies ErrorCode, message };
}
