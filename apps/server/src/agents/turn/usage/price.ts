/** What tokens cost at the price of a model. Where a price or a count is missing, nobody makes one up. */
import { roundCost } from "@atrium/core";
import type { TurnUsage } from "../agent-runtime.ts";

/** In US dollars. */
export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** Left out: as other input. */
  readonly cachedInputPerMillion?: number;
  readonly cacheWritePerMillion?: number;
}

export interface CountedUsage extends TurnUsage {
  /** Of the input, what the provider has put into its cache. */
  readonly cacheWriteTokens?: number;
}

const MILLION = 1_000_000;

export function costAt(price: Price, used: CountedUsage): number {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = used;
  const { inputPerMillion, outputPerMillion } = price;
  const { cachedInputPerMillion = inputPerMillion, cacheWritePerMillion = inputPerMillion } = price;
  const cached = Math.min(inputTokens, cachedInputTokens);
  const written = Math.min(inputTokens - cached, cacheWriteTokens);
  const input =
    (inputTokens - cached - written) * inputPerMillion +
    cached * cachedInputPerMillion +
    written * cacheWritePerMillion;
  return roundCost((input + outputTokens * outputPerMillion) / MILLION);
}

/** A price is that of the model of the settings; what another costs that a conversation wishes for, nobody knows. */
export function priceFor(
  { model, price }: { readonly model?: string; readonly price?: Price },
  wished: string | undefined,
): Price | undefined {
  return wished === undefined || wished === model ? price : undefined;
}
