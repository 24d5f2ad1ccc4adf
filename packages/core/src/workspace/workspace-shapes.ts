import type { EventDeclarations } from "../engine/codec.ts";
import type { WorkspaceEvent } from "./workspace.ts";

export const WORKSPACE_EVENTS: EventDeclarations<WorkspaceEvent> = {
  "workspace.opened": {
    version: 1,
    shape: {
      workspaceId: "string",
      repositoryId: "string",
      purpose: "object",
      forkedFrom: "object?",
    },
  },
  "workspace.ready": { version: 1, shape: { base: "string", tree: "string", ms: "number" } },
  "workspace.failed": { version: 1, shape: { reason: "string" } },
  "workspace.moment": { version: 1, shape: { tree: "string", cause: "string", runId: "string?" } },
  "workspace.restored": { version: 1, shape: { tree: "string", fromSeq: "number", by: "object" } },
  "workspace.discarded": { version: 1, shape: { by: "object?" } },
};
