import type { Price } from "./price.ts";

/** What a model runtime is made from, after the settings file and the environment have been read. */
export interface ModelSettings {
  readonly provider: "openai-compatible" | "anthropic";
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  /** Of `model`; what another one costs is unknown. */
  readonly price?: Price | undefined;
  readonly contextTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** How often the model may be called in one turn. */
  readonly maxSteps?: number | undefined;
  /** How often one call is tried again. */
  readonly maxRetries?: number | undefined;
  readonly firstByteTimeoutMs?: number | undefined;
  readonly idleTimeoutMs?: number | undefined;
}

export type CompleteModelSettings = {
  readonly [Key in keyof ModelSettings]-?: Key extends "apiKey" | "maxOutputTokens" | "price"
    ? ModelSettings[Key]
    : NonNullable<ModelSettings[Key]>;
};

const CONTEXT_TOKENS = { "openai-compatible": 32_768, anthropic: 200_000 } as const;

export function withDefaults(settings: ModelSettings): CompleteModelSettings {
  return {
    ...settings,
    price: settings.price,
    contextTokens: settings.contextTokens ?? CONTEXT_TOKENS[settings.provider],
    maxOutputTokens: settings.maxOutputTokens,
    maxSteps: settings.maxSteps ?? 16,
    maxRetries: settings.maxRetries ?? 2,
    // A model that must be loaded from disk first takes its time.
    firstByteTimeoutMs: settings.firstByteTimeoutMs ?? 120_000,
    idleTimeoutMs: settings.idleTimeoutMs ?? 60_000,
  };
}
