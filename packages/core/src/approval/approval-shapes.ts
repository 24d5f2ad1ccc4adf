import type { EventDeclarations } from "../engine/codec.ts";
import type { ApprovalEvent } from "./approval.ts";

export const APPROVAL_EVENTS: EventDeclarations<ApprovalEvent> = {
  "approval.requested": {
    version: 1,
    shape: { id: "string", code: "string", subject: "object", expiresAt: "number" },
  },
  "approval.allowed": { version: 1, shape: { how: "string", by: "object" } },
  "approval.denied": { version: 1, shape: { by: "object" } },
  "approval.expired": { version: 1, shape: { why: "string" } },
  "approval.revoked": { version: 1, shape: { by: "object" } },
};
