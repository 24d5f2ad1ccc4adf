import type { EventDeclarations } from "../engine/codec.ts";
import type { NodeEvent } from "./node.ts";

const node = { nodeId: "string" } as const;

export const NODE_EVENTS: EventDeclarations<NodeEvent> = {
  "node.requested": {
    version: 1,
    shape: {
      ...node,
      requestId: "string",
      surface: "object",
      info: "object",
      isSilent: "boolean",
    },
  },
  "node.withdrawn": { version: 1, shape: { ...node, requestId: "string" } },
  "node.approved": { version: 1, shape: { ...node, requestId: "string" } },
  "node.rejected": { version: 1, shape: { ...node, requestId: "string" } },
  "node.renamed": { version: 1, shape: { ...node, displayName: "string" } },
  "node.removed": { version: 1, shape: node },
};
