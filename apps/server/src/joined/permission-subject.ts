/** What a joined session asks its user's permission for, as it is put to people. Pure. */
import { canonicalInput, type ApprovalSubject, type Outcome } from "@atrium/core";
import { permissionFor } from "../agents/process/tool-permission.ts";
import type { NewApproval } from "../human-input/approval-requests.ts";
import { approvalOf } from "../human-input/turn-permission.ts";
import type { ReportedTool } from "./hook-report.ts";

/** Refused where no person could read all of it. */
export function approvalFor(
  joinedId: string,
  { name: tool, input }: ReportedTool,
  folder: string | null,
): Outcome<NewApproval & { readonly subject: ApprovalSubject }> {
  const use = { tool, input: input ?? "", description: undefined };
  const request = permissionFor({ ...use, cwd: folder ?? undefined });
  const asker = { agent: "", conversationKey: "", runId: null };
  const readable = approvalOf({ ...request, ...asker, mayAlways: false });
  if (!readable.ok) return readable;
  // What is always allowed in a terminal is said in that terminal.
  const of = { conversationKey: null, agent: null, askedBy: "session", joinedId } as const;
  return { ok: true, value: { subject: { ...readable.value.subject, ...of } } };
}

/** Whether both would do the same. */
export function isSameUse(one: ApprovalSubject, other: ApprovalSubject): boolean {
  return one.tool === other.tool && canonicalInput(one) === canonicalInput(other);
}
