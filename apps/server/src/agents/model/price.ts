/** What a step of a model costs: what the provider says, else tokens at the price that was set, else unknown. */
import { roundCost } from "@atrium/core";
import type { LanguageModelUsage } from "ai";
import type { TurnUsage } from "../turn/agent-runtime.ts";
import type { ModelSettings } from "./model-settings.ts";

/** In US dollars. */
export type Price = NonNullable<ModelSettings["price"]>;

const MILLION = 1_000_000;

export function costOf(
  { inputTokens, outputTokens, cachedInputTokens: cached = 0 }: TurnUsage,
  reported: LanguageModelUsage | undefined,
  price: Price | undefined,
): number | undefined {
  const stated = reported?.raw?.["cost"];
  if (typeof stated === "number" && stated >= 0) return roundCost(stated);
  if (price === undefined) return undefined;
  const { inputPerMillion, outputPerMillion } = price;
  const { cachedInputPerMillion = inputPerMillion, cacheWritePerMillion = inputPerMillion } = price;
  const stored = reported?.inputTokenDetails.cacheWriteTokens ?? 0;
  const written = Math.max(0, Math.min(inputTokens - cached, stored));
  const input =
    (inputTokens - cached - written) * inputPerMillion +
    cached * cachedInputPerMillion +
    written * cacheWritePerMillion;
  return roundCost((input + outputTokens * outputPerMillion) / MILLION);
}
