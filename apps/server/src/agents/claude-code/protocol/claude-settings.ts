/** What a Claude Code runtime is made from, after the settings file and the environment have been read. */
import { envNamesIn, type McpServers } from "../../settings/mcp-server-settings.ts";
import type { SettingsOf } from "../../settings/runtime-settings.ts";

export type TransportName = "headless" | "interactive" | "channel" | "bridge";

export interface ClaudeSettings {
  readonly command: string;
  /** Nobody starts it here: someone else does, and it finds its own way to the bridge. */
  readonly isByHand: boolean;
  readonly transport: TransportName | "auto";
  readonly cwd: string;
  /** Whether the settings name the folder; who names it, trusts it. */
  readonly isFolderNamed: boolean;
  /** What the process is given of the server's environment, and nothing else of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly model?: string | undefined;
  readonly permissionMode: string;
  readonly idleStopMs: number;
  readonly maxProcesses: number;
  readonly extraArgs: readonly string[];
  /** Besides Atrium's own. */
  readonly mcpServers: McpServers;
  /** Those that its user has configured in it stay in force. */
  readonly ownSettings: boolean;
}

export type WrittenClaudeSettings = {
  readonly [Key in keyof SettingsOf<"claude-code">]: SettingsOf<"claude-code">[Key] | undefined;
};

/** What every program needs to run at all. None of these is a secret. */
const ALWAYS = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TMPDIR", "SHELL", "USER"];

/** Whether messages are typed, or as good as typed: text only. */
export function isTerminal(transport: TransportName): boolean {
  return transport === "interactive" || transport === "channel";
}

/** A bridge without a program to start is for programs that others start. */
export function isByHand({ transport, command }: WrittenClaudeSettings): boolean {
  return transport === "bridge" && command === undefined;
}

export function withDefaults(
  written: WrittenClaudeSettings,
  workingFolder: string,
  readEnv: (name: string) => string | undefined,
): ClaudeSettings {
  const { mcpServers = {} } = written;
  // It hands them to its servers, whose settings name them.
  const names = [...ALWAYS, ...(written.env ?? []), ...envNamesIn(mcpServers)];
  const found = names.flatMap((name) => {
    const value = readEnv(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    command: written.command ?? "claude",
    isByHand: isByHand(written),
    transport: written.transport ?? "auto",
    cwd: written.cwd ?? workingFolder,
    isFolderNamed: written.cwd !== undefined,
    env: Object.fromEntries(found),
    model: written.model,
    // Anything else and Claude Code may decide for itself, so that nobody is asked.
    permissionMode: written.permissionMode ?? "manual",
    // What someone else has started is not ours to end.
    idleStopMs: isByHand(written) ? Infinity : (written.idleStopMs ?? 15 * 60_000),
    maxProcesses: isByHand(written) ? Infinity : (written.maxProcesses ?? 8),
    extraArgs: written.extraArgs ?? [],
    mcpServers,
    ownSettings: written.ownSettings ?? true,
  };
}
