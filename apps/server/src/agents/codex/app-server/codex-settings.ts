/** Settings of the Codex runtime as it uses them. */
import type { EquippedServer } from "../../settings/mcp-server-settings.ts";
import type { SettingsOf } from "../../settings/runtime-settings.ts";

export type CodexSettings = Omit<SettingsOf<"codex">, "cwd" | "env" | "mcpServers"> & {
  /** An absolute path. */
  readonly cwd: string;
  /** All of the server's environment that the program is given. */
  readonly env: Readonly<Record<string, string>>;
  /** Besides ours, and those that its user has configured in Codex. */
  readonly mcpServers?: readonly EquippedServer[];
};

type Optional = "model" | "price" | "ownSettings";

export type CompleteCodexSettings = Required<Omit<CodexSettings, Optional>> &
  Pick<CodexSettings, Optional>;

/** The mode that every thread begins in. */
export const DEFAULT_MODE = "default";

const DEFAULTS = {
  command: "codex",
  // With any other policy, Codex decides by itself about commands that change something.
  approvalPolicy: "untrusted",
  sandboxMode: "workspace-write",
  mode: DEFAULT_MODE,
  startTimeoutMs: 30_000,
  idleMs: 10 * 60_000,
  maxProcesses: 8,
  maxOutputBytes: 8 * 1024 * 1024,
  contextTokens: 200_000,
} as const;

export function withDefaults(given: CodexSettings): CompleteCodexSettings {
  return { ...DEFAULTS, extraArgs: [], mcpServers: [], ...given };
}
