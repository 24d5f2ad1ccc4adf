/** What the core says no with, in the protocol's few words. */
import { describeRefusal, type Refusal, type RefusalCode } from "@atrium/core";
import type { WorldErrorCode } from "@atrium/wire/world";
import type { CommandProblem } from "./message.ts";

const CODES: Readonly<Partial<Record<RefusalCode, WorldErrorCode>>> = {
  "params.invalid": "VALIDATION_FAILED",
  "frame.malformed": "VALIDATION_FAILED",
  "log.oversize": "VALIDATION_FAILED",
  "request.empty": "VALIDATION_FAILED",
  "message.empty": "VALIDATION_FAILED",
  "plan.malformed": "VALIDATION_FAILED",
  "attachment.refused": "VALIDATION_FAILED",
  "question.misanswered": "VALIDATION_FAILED",
  "build.misanswered": "VALIDATION_FAILED",
  "place.unreachable": "VALIDATION_FAILED",
  "approval.unfitting": "VALIDATION_FAILED",
  "approval.limited": "NOT_ALLOWED",
  "approval.unread": "NOT_ALLOWED",
  "scope.missing": "NOT_ALLOWED",
  "credential.run": "NOT_ALLOWED",
  "credential.elsewhere": "NOT_ALLOWED",
  "log.busy": "RATE_LIMITED",
  "log.unavailable": "RATE_LIMITED",
  "log.contended": "RATE_LIMITED",
  "cluster.leaderless": "RATE_LIMITED",
  "cluster.silent": "RATE_LIMITED",
  "cluster.outdated": "RATE_LIMITED",
  "asking.crowded": "RATE_LIMITED",
  "conversation.full": "RATE_LIMITED",
  internal: "INTERNAL",
};

const MISSING = /\.(?:missing|unknown)$/;

export function problemOf(refusal: Refusal): CommandProblem {
  const { code } = refusal;
  return { code: codeOf(code), message: describeRefusal(refusal), reason: code };
}

/** What remains is about how things stand: they are not as whoever asks believes. */
function codeOf(code: RefusalCode): WorldErrorCode {
  return CODES[code] ?? (MISSING.test(code) ? "NOT_FOUND" : "CONFLICT");
}

/**
 * A problem in the world's own words, as the answer to a call. What is refused without one comes from
 * the pipeline itself, and is worded by the protocol.
 */
export class ProblemReply {
  readonly problem: CommandProblem;

  constructor(problem: CommandProblem) {
    this.problem = problem;
  }
}
