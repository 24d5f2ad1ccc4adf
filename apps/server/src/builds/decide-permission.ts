/** Deciding about what a build's agent waits to be allowed: by its build, so that nothing else is reached that way. */
import {
  accept,
  refuse,
  type Answerer,
  type ApprovalRow,
  type Approvals,
  type Outcome,
} from "@atrium/core";
import type { ParamsOf } from "@atrium/wire";
import type { buildDecide } from "@atrium/wire/build";
import type { ApprovalRequests, ApprovalAnswer } from "../human-input/approval-requests.ts";
import { wasRead } from "../human-input/permission-on-wire.ts";
import type { Done } from "./build-commands.ts";
import type { ReadBuilds } from "./read-builds.ts";

export interface DecidePermissionDeps {
  readonly read: Pick<ReadBuilds, "find">;
  readonly approvals: Pick<Approvals, "get">;
  readonly humanInput: Pick<ApprovalRequests, "resolveApproval">;
}

type PermissionDecision = Omit<ParamsOf<typeof buildDecide>, "idempotencyKey">;

export type DecidePermission = (
  request: PermissionDecision,
  by: Answerer,
) => Promise<Outcome<Done>>;

export function createDecidePermission(deps: DecidePermissionDeps): DecidePermission {
  const { read, approvals, humanInput } = deps;
  return async (request, by) => {
    const { id, permission, seen } = request;
    const row = await read.find(id);
    if (row === undefined) return refuse("build.missing", id);
    const approval = approvals.get(permission);
    if (approval?.subject.conversationKey !== row.build.conversationKey) {
      return refuse("approval.missing", permission);
    }
    const verdict = verdictIn(request);
    const done = { seq: row.lastSeq, isChanged: false };
    // The same again, as after an answer that was lost on the way.
    if (isDecidedSo(approval, verdict)) return accept(done);
    if (verdict.type === "allow" && !wasRead(approval.subject, seen)) {
      return refuse("approval.unread", "read_at of the permission names the place");
    }
    const decided = await humanInput.resolveApproval(permission, verdict, by);
    return decided.ok ? accept({ ...done, isChanged: true }) : decided;
  };
}

function verdictIn({ decision, scope, note }: PermissionDecision): ApprovalAnswer {
  const noted = note === undefined || note.trim() === "" ? {} : { note: note.trim() };
  if (decision === "deny") return { type: "deny", ...noted };
  const how = decision === "allow-always" ? "always" : "once";
  return { type: "allow", how, ...(scope !== undefined && { scope }), ...noted };
}

function isDecidedSo({ settled }: ApprovalRow, verdict: ApprovalAnswer): boolean {
  const outcome = settled?.outcome;
  if (verdict.type === "deny") return outcome?.type === "approval.denied";
  return outcome?.type === "approval.allowed" && outcome.how === verdict.how;
}
