/** What the tools that work on files have in common: the folder of the call, and refusals as results. */
import { Type, type Static, type TObject, type TProperties } from "@atrium/schema";
import type { ToolResult, TurnWorkspace } from "../../agents/turn/agent-runtime.ts";
import { PathRefused } from "../../platform/folder-files.ts";
import type { ToolCallContext } from "../../runs/agent-policy.ts";
import { defineToolFor, objection, type ToolDefinition } from "../define-tool.ts";
import type { Tool } from "../toolbox.ts";

export interface WorkspaceCall extends ToolCallContext {
  readonly workspace: TurnWorkspace;
  readonly runId: string;
}

export interface WorkspaceToolDefinition<Members extends TProperties> extends Omit<
  ToolDefinition<Static<TObject<Members>>>,
  "call" | "needsWorkspace"
> {
  readonly input: Members;
  readonly call: (input: Static<TObject<Members>>, context: WorkspaceCall) => Promise<ToolResult>;
}

/** Members that its input does not have are an error. */
export function defineWorkspaceTool<Members extends TProperties>(
  definition: WorkspaceToolDefinition<Members>,
): Tool {
  const { input: members, call, ...about } = definition;
  const input: TObject<Members> = Type.Object(members, { additionalProperties: false });
  return defineToolFor<TObject<Members>>(input, {
    ...about,
    needsWorkspace: true,
    async call(given, context) {
      const { workspace, runId } = context;
      if (workspace === undefined || runId === null) {
        return objection(`${about.name} works in a run that has a workspace only.`);
      }
      try {
        return await call(given, { ...context, workspace, runId });
      } catch (cause) {
        if (cause instanceof PathRefused) return objection(cause.message);
        throw cause;
      }
    },
  });
}

export function plainResult(text: string, wrote: readonly string[] = []): ToolResult {
  return { text, isError: false, wrote };
}
