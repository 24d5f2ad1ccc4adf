/** What a model runtime is made from, after the settings file and the environment have been read. */
import type { SettingsOf } from "../settings/runtime-settings.ts";

export type ModelSettings = Omit<SettingsOf<"model">, "apiKeyEnv" | "baseUrl"> & {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
};

const CONTEXT_TOKENS = { "openai-compatible": 131_072, anthropic: 200_000 } as const;
const DEFAULTS = {
  // Far beyond what most work takes; what a turn may use is for its budgets to say.
  maxSteps: 200,
  maxRetries: 2,
  // A model that must be loaded from disk first takes its time.
  firstByteTimeoutMs: 120_000,
  idleTimeoutMs: 60_000,
};

export type CompleteModelSettings = ModelSettings &
  typeof DEFAULTS & { readonly contextTokens: number };

export function withDefaults(settings: ModelSettings): CompleteModelSettings {
  return { contextTokens: CONTEXT_TOKENS[settings.provider], ...DEFAULTS, ...settings };
}
