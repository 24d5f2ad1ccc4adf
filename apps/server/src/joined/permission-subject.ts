/** What a joined session asks its user's permission for, as it is put to people. Pure. */
import { canonicalInput, type ApprovalSubject, type Outcome } from "@atrium/core";
import { permissionFor } from "../agents/process/tool-permission.ts";
import type { PermissionRequest } from "../agents/turn/agent-runtime.ts";
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
  return approvalOfSession(joinedId, permissionFor({ ...use, cwd: folder ?? undefined }));
}

/** The same, for a request in our words. */
export function approvalOfSession(
  joinedId: string,
  request: PermissionRequest,
): Outcome<NewApproval & { readonly subject: ApprovalSubject }> {
  const asker = { agent: "", conversationKey: "", runId: null };
  const readable = approvalOf({ ...request, ...asker, mayAlways: false });
  if (!readable.ok) return readable;
  // What is always allowed in a terminal is said in that terminal.
  const of = { conversationKey: null, agent: null, askedBy: "session", joinedId } as const;
  return { ok: true, value: { subject: { ...readable.value.subject, ...of } } };
}

/** The same without what the server keeps secret. */
export function maskRequest(
  request: PermissionRequest,
  mask: (value: unknown) => unknown,
): PermissionRequest {
  const { input, details, writes } = request;
  return {
    ...request,
    input: mask(input),
    ...(details !== undefined && { details: String(mask(details)) }),
    ...(writes !== undefined && {
      writes: writes.map(({ path, text }) => ({ path, text: String(mask(text)) })),
    }),
  };
}

/** Whether both would do the same. */
export function isSameUse(one: ApprovalSubject, other: ApprovalSubject): boolean {
  return one.tool === other.tool && canonicalInput(one) === canonicalInput(other);
}
