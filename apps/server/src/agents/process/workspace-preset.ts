/**
 * What an agent may do in its workspace without asking, by its preset; one answer for every runtime and for our own tools:
 *
 *   ask      nothing: every change of a file and every command is put to a person
 *   edit     changes of files
 *   sandbox  changes of files, and whatever a sandbox keeps in the workspace
 *
 * Never what leaves the workspace. Nobody is asked about what it allows, so that it is no person's decision.
 */
import { realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { isInside } from "../../confinement/place.ts";
import { locate } from "../../platform/folder-files.ts";
import type { WorkspacePermissions } from "../settings/agent-settings.ts";
import type { Turn } from "../turn/agent-runtime.ts";

/** Undefined: the agent has no preset. */
export type PermissionsOf = (agentId: string) => WorkspacePermissions | undefined;

/** Of files of the workspace; or whatever is confined. */
export type UnaskedDeed = "change" | "confined";

const UNASKED: Readonly<Record<WorkspacePermissions, readonly UnaskedDeed[]>> = {
  ask: [],
  edit: ["change"],
  sandbox: ["change", "confined"],
};

/** Where a preset holds. */
export interface PresetPlace {
  readonly folder: string;
  readonly preset: WorkspacePermissions;
}

type Whereabouts = Pick<Turn, "workspace" | "agent">;

/** Undefined: the agent has none, or the turn no workspace. Then the runtime's own settings hold. */
export function presetOf(
  turn: Whereabouts,
  permissionsOf: PermissionsOf | undefined,
): WorkspacePermissions | undefined {
  return presetPlaceOf(turn, permissionsOf)?.preset;
}

export function presetPlaceOf(
  { workspace, agent }: Whereabouts,
  permissionsOf: PermissionsOf | undefined,
): PresetPlace | undefined {
  const preset = workspace && permissionsOf?.(agent.id);
  return preset && { folder: workspace.folder, preset };
}

export function allows(preset: WorkspacePermissions | undefined, deed: UnaskedDeed): boolean {
  return preset !== undefined && UNASKED[preset].includes(deed);
}

/** Whether these paths are of the workspace, all of them, and none of them git's data. */
export async function staysIn(folder: string, paths: readonly string[]): Promise<boolean> {
  if (paths.length === 0) return false;
  try {
    // An agent may know its folder by its real path.
    const real = await realpath(folder);
    for (const path of paths) {
      await locate(folder, isInside(path, real) ? join(folder, relative(real, path)) : path);
    }
    return true;
  } catch {
    // What leads elsewhere is for people to see.
    return false;
  }
}
