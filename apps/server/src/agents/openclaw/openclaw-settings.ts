/** Settings of an upstream gateway as the runtime uses them. */
import type { SettingsOf } from "../settings/runtime-settings.ts";

export type OpenClawSettings = Omit<SettingsOf<"openclaw">, "tokenEnv"> & {
  readonly token?: string | undefined;
};

const DEFAULTS = {
  agentId: "main",
  connectTimeoutMs: 30_000,
  // A gateway that restarts may take half a minute, and one that is updated several.
  reconnectTimeoutMs: 5 * 60_000,
  contextTokens: 200_000,
};

export type CompleteOpenClawSettings = OpenClawSettings & typeof DEFAULTS;

export function withDefaults(given: OpenClawSettings): CompleteOpenClawSettings {
  return { ...DEFAULTS, ...given };
}
