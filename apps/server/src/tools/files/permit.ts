import { allows } from "../../agents/process/workspace-preset.ts";
/**
 * Asks people about what an agent's preset does not allow. Whatever the preset, the network and commands without a
 * sandbox are asked each time.
 */
import type { WorkspacePermissions } from "../../agents/settings/agent-settings.ts";
import type { PermissionAnswer, PermissionRequest } from "../../agents/turn/agent-runtime.ts";
import type { TurnHumanInput } from "../../runs/run-driver.ts";
import type { WorkspaceCall } from "./workspace-tool.ts";

export interface PermitDeps {
  readonly humanInput: Pick<TurnHumanInput, "requestPermission">;
  readonly permissionsOf: (agentId: string) => WorkspacePermissions;
}

export interface EditRequest {
  readonly path: string;
  /** What would be written. */
  readonly text: string;
  /** What it would replace; left out: the whole file. */
  readonly old?: string;
}

/** Why not, for the agent; undefined when it may. */
export type PermitEdit = (
  call: WorkspaceCall,
  tool: string,
  edit: EditRequest,
) => Promise<string | undefined>;

export type AskPerson = (
  call: WorkspaceCall,
  request: PermissionRequest,
) => Promise<string | undefined>;

export function createAskPerson({ humanInput }: Pick<PermitDeps, "humanInput">): AskPerson {
  return async ({ key, runId, agentId, workspace, signal }, request) => {
    const about = { key, runId, agentId };
    const wholeRequest = { cwd: workspace.folder, ...request };
    return reasonIn(await humanInput.requestPermission(about, wholeRequest, signal));
  };
}

export function createPermitEdit(deps: PermitDeps): PermitEdit {
  const ask = createAskPerson(deps);
  return async (call, tool, { path, text, old }) => {
    if (allows(deps.permissionsOf(call.agentId), "change")) return undefined;
    const input = { path, ...(old !== undefined && { old }) };
    return ask(call, { tool, input, writes: [{ path, text }] });
  };
}

function reasonIn(answer: PermissionAnswer): string | undefined {
  if (answer === "allowed") return undefined;
  if (answer === "expired") return "Nobody answered in time, so it was not done.";
  return answer === "denied" ? "A person said no." : `A person said no: ${answer.note}`;
}
