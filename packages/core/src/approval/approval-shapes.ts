import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { ApprovalEvent } from "./approval.ts";

export const APPROVAL_EVENTS: EventDeclarations<ApprovalEvent> = {
  "approval.requested": v1({
    id: "string",
    code: "string",
    subject: "object",
    expiresAt: "number",
  }),
  "approval.allowed": v1({ how: "string", by: "object" }),
  "approval.denied": v1({ by: "object" }),
  "approval.expired": v1({ why: "string" }),
  "approval.revoked": v1({ by: "object" }),
};
