import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { NodeEvent } from "./node.ts";

const node = { nodeId: "string" } as const;

export const NODE_EVENTS: EventDeclarations<NodeEvent> = {
  "node.requested": v1({
    ...node,
    requestId: "string",
    surface: "object",
    info: "object",
    isSilent: "boolean",
  }),
  "node.withdrawn": v1({ ...node, requestId: "string" }),
  "node.approved": v1({ ...node, requestId: "string" }),
  "node.rejected": v1({ ...node, requestId: "string" }),
  "node.renamed": v1({ ...node, displayName: "string" }),
  "node.removed": v1(node),
};
