import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { InvocationEvent } from "./invocation.ts";

const node = { nodeId: "string" } as const;

export const INVOCATION_EVENTS: EventDeclarations<InvocationEvent> = {
  "invocation.requested": v1({ ...node, invokeId: "string", command: "string" }),
  "invocation.settled": v1({ ...node, invokeId: "string", outcome: "object" }),
};
