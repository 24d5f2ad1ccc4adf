/** Settings of an ACP agent as the runtime uses them. Its folder is all of the file system it may reach through us. */
import type { ProgramSettings } from "../settings/runtime-settings.ts";

export type AcpSettings = ProgramSettings<"acp">;

type Chosen = "program" | "model" | "price" | "mode" | "ownSettings";
export type CompleteAcpSettings = Required<Omit<AcpSettings, Chosen>> & Pick<AcpSettings, Chosen>;

const DEFAULTS = {
  // Some are fetched from the network before they first start.
  startTimeoutMs: 120_000,
  idleMs: 10 * 60_000,
  maxProcesses: 8,
  maxOutputBytes: 8 * 1024 * 1024,
  contextTokens: 200_000,
  sandbox: {},
  mcpServers: [],
};

export function withDefaults(given: AcpSettings): CompleteAcpSettings {
  return { ...DEFAULTS, ...given };
}
