import type { EventDeclarations } from "../engine/codec.ts";
import type { WorkspaceEvent } from "./workspace.ts";

const check = {
  checkId: "string",
  name: "string",
  command: "string",
  isRequired: "boolean",
  checkedTree: "string",
} as const;

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
  "workspace.sealed": {
    version: 1,
    shape: {
      commit: "string",
      tree: "string",
      base: "string",
      runId: "string?",
      by: "object?",
    },
  },
  "workspace.rebased": { version: 1, shape: { base: "string", tree: "string", paths: "array" } },
  "workspace.check_started": { version: 1, shape: { ...check, commit: "string" } },
  "workspace.check_finished": {
    version: 1,
    shape: {
      ...check,
      verdict: "string",
      exitCode: "number?",
      ms: "number",
      output: "object?",
    },
  },
  "workspace.discarded": { version: 1, shape: { by: "object?" } },
};
