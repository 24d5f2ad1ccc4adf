/**
 * Codex's own sandbox for a turn that has a workspace, as one of its permission profiles.
 *
 * Commands and patches write in the folder, not in git's data, and reach nothing of the server's home. Codex cannot open
 * to reading again what lies in a folder that is denied, so that what lies beside the workspace is denied instead.
 */
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import type { TurnWorkspace } from "../../turn/agent-runtime.ts";
import type { CompleteCodexSettings } from "./codex-settings.ts";

export interface WorkspaceProfile {
  readonly filesystem: Readonly<Record<string, "read" | "write" | "deny">>;
}

/** Made while the server runs, so that they may come later. */
const IN_HOME = ["token", "device-secret", "holder.json", "atrium.db", "atrium.log"];

export async function workspaceProfile(
  { folder, store }: TurnWorkspace,
  secretFolders: readonly string[],
  sandboxMode: CompleteCodexSettings["sandboxMode"],
): Promise<WorkspaceProfile> {
  const own = store === null ? [folder] : [folder, store];
  const beside = await Promise.all(secretFolders.map((secret) => entriesBeside(secret, own)));
  const later = secretFolders.flatMap((secret) => IN_HOME.map((name) => join(secret, name)));
  const denied = [...beside.flat(), ...later].map((path) => [path, "deny"] as const);
  return {
    filesystem: {
      ":root": "read",
      ":tmpdir": "write",
      ":slash_tmp": "write",
      ...Object.fromEntries(denied),
      [folder]: sandboxMode === "read-only" ? "read" : "write",
      [join(folder, ".git")]: "read",
    },
  };
}

/** The folder, or what is in it but for what leads to these. */
async function entriesBeside(folder: string, own: readonly string[]): Promise<readonly string[]> {
  if (own.includes(folder)) return [];
  if (!own.some((path) => path.startsWith(folder + sep))) return [folder];
  const names = await readdir(folder).catch(() => []);
  const below = await Promise.all(names.map((name) => entriesBeside(join(folder, name), own)));
  return below.flat();
}
