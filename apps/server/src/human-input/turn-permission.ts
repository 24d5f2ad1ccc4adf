/** A permission that an agent's turn needs, as it is put to people: whole, or not at all. Pure. */
import { accept, readInput, readSize, refuse, type Outcome } from "@atrium/core";
import { MAX_JSON_DEPTH, isDeeperThan } from "@atrium/wire";
import type { PermissionRequest } from "../agents/turn/agent-runtime.ts";
import type { NewApproval } from "./approval-requests.ts";
import type { RequestingRun } from "./human-input.ts";
import { MAX_ALWAYS_CHARS, MAX_INPUT_CHARS } from "./limits.ts";

export interface TurnPermission extends RequestingRun, PermissionRequest {
  readonly timeoutMs?: number;
}

export function approvalOf(request: TurnPermission): Outcome<NewApproval> {
  const { tool, input, writes, details = "", agent, conversationKey, runId, timeoutMs } = request;
  if (isDeeperThan(MAX_JSON_DEPTH, input)) {
    return refuse("approval.unreadable", `it is nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
  const { summary } = readInput(input);
  const subject = {
    tool,
    summary,
    ...(summary !== input && { input }),
    ...(writes !== undefined && writes.length > 0 && { writes }),
    ...(details !== "" && { details }),
    cwd: request.cwd ?? null,
    host: request.host ?? null,
    nodeId: request.nodeId ?? null,
    warning: request.warning ?? null,
    conversationKey,
    runId,
    agent,
    askedBy: "agent",
    mayAlways: true,
  } as const;
  const size = readSize(subject);
  if (size > MAX_INPUT_CHARS) {
    return refuse(
      "approval.unreadable",
      `it has ${size} characters, of at most ${MAX_INPUT_CHARS}`,
    );
  }
  const mayAlways = request.mayAlways !== false && size <= MAX_ALWAYS_CHARS;
  return accept({
    subject: { ...subject, mayAlways },
    ...(request.code !== undefined && { code: request.code }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
}
