import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { LeaseEvent } from "./lease.ts";

export const LEASE_EVENTS: EventDeclarations<LeaseEvent> = {
  "lease.granted": v1({ node: "string", life: "string" }),
  "lease.released": v1({ life: "string" }),
};
