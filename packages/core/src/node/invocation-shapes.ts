import type { EventDeclarations } from "../engine/codec.ts";
import type { InvocationEvent } from "./invocation.ts";

const node = { nodeId: "string" } as const;

export const INVOCATION_EVENTS: EventDeclarations<InvocationEvent> = {
  "invocation.requested": { version: 1, shape: { ...node, invokeId: "string", command: "string" } },
  "invocation.settled": { version: 1, shape: { ...node, invokeId: "string", outcome: "object" } },
};
