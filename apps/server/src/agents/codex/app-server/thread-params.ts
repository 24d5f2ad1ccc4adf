/** What a thread of Codex is started or resumed with, and the name by which it is found again. */
import { createHash } from "node:crypto";
import type { Turn } from "../../turn/agent-runtime.ts";
import type { CompleteCodexSettings } from "./codex-settings.ts";
import { workspaceProfile } from "./workspace-profile.ts";

export interface ThreadSpec {
  readonly params: object;
  /** Computed and not kept, so that a server that was started again finds the thread of the conversation. */
  readonly name: string;
  readonly instructions: string;
  /** Whether something was said before, so that there may be a thread. */
  readonly hasHistory: boolean;
}

interface Around {
  readonly secretFolders: readonly string[];
  /** Codex's configuration of MCP servers, ours among them. */
  readonly servers: Readonly<Record<string, unknown>>;
}

const PROFILE = "atrium";

export async function threadSpec(
  settings: CompleteCodexSettings,
  turn: Turn,
  { secretFolders, servers }: Around,
): Promise<ThreadSpec> {
  const { approvalPolicy, sandboxMode, model } = settings;
  const { workspace, instructions } = turn;
  const cwd = workspace?.folder ?? settings.cwd;
  const confined =
    workspace === undefined
      ? undefined
      : await workspaceProfile(workspace, secretFolders, sandboxMode);
  const config =
    confined === undefined
      ? servers
      : {
          ...servers,
          [`permissions.${PROFILE}`]: confined,
          // Whatever Codex would read of its settings there was made by agents.
          projects: { [cwd]: { trust_level: "untrusted" } },
        };
  // Without the folder, which is the process's own: where one is named, Codex notes in its settings that it is trusted.
  const params = {
    approvalPolicy,
    approvalsReviewer: "user",
    ...(confined === undefined ? { sandbox: sandboxMode } : { permissions: PROFILE }),
    ...(model !== undefined && { model }),
    developerInstructions: instructions,
    config,
  };
  return {
    params,
    name: nameOf(turn.conversation, cwd),
    instructions,
    hasHistory: turn.history.length > 0,
  };
}

function nameOf({ key, sessionId }: Turn["conversation"], cwd: string): string {
  const digest = createHash("sha256").update(JSON.stringify(["atrium", key, sessionId, cwd]));
  return `Atrium ${digest.digest("hex").slice(0, 32)}`;
}
