/**
 * Claude Code's own sandbox, for a turn that has a workspace: https://code.claude.com/docs/en/sandboxing
 *
 * Its commands write in the folder and see nothing of the server's home; none of them runs outside. Where
 * the sandbox cannot run, people are asked about every command, whatever the agent's preset. Its file tools are not
 * in the sandbox, so that they are denied the same by rules.
 */
import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { allows } from "../../process/workspace-preset.ts";
import type { WorkspacePermissions } from "../../settings/agent-settings.ts";
import type { TurnWorkspace } from "../../turn/agent-runtime.ts";

export interface ClaudeConfinement {
  readonly workspace: TurnWorkspace;
  /** Folders of the server's; the workspace may be in one of them. */
  readonly secretFolders: readonly string[];
  /** What it may do there without asking; undefined: as Claude Code asks by itself. */
  readonly preset: WorkspacePermissions | undefined;
}

/** Made while the server runs, so that they may come later. */
const IN_HOME = ["token", "device-secret", "holder.json", "atrium.db*", "atrium.log*"];

export function sandboxSettings({ workspace, secretFolders, preset }: ClaudeConfinement): object {
  const { folder, store } = workspace;
  const own = store === null ? [folder] : [folder, store];
  const kept = store === null ? [join(folder, ".git")] : [join(folder, ".git"), store];
  const denied = secretFolders.flatMap((secret) => [
    ...entriesBeside(secret, own),
    ...IN_HOME.map((name) => join(secret, name)),
  ]);
  return {
    sandbox: {
      enabled: true,
      // Else the model could ask for a command to be run outside.
      allowUnsandboxedCommands: false,
      autoAllowBashIfSandboxed: allows(preset, "confined"),
      filesystem: { denyRead: [...secretFolders], allowRead: own, denyWrite: kept },
    },
    permissions: {
      deny: [
        ...[...new Set(denied)].flatMap((path) => [
          ...rulesFor("Read", path),
          ...rulesFor("Edit", path),
        ]),
        ...kept.flatMap((path) => rulesFor("Edit", path)),
      ],
    },
  };
}

/** What is in a folder, but for what leads to these. */
function entriesBeside(folder: string, own: readonly string[]): readonly string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((entry) => !own.some((path) => path === entry || path.startsWith(entry + sep)));
}

/** A path from the root has two slashes there. */
function rulesFor(tool: "Read" | "Edit", path: string): readonly string[] {
  return [`${tool}(/${path})`, `${tool}(/${path}/**)`];
}
