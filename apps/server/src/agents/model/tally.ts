/** What a whole turn uses. Where a provider does not count, we estimate: a budget must see something. */
import { addUsage, NOTHING_USED, roundCost } from "@atrium/core";
import type { LanguageModelUsage, ModelMessage } from "ai";
import type { TurnEvent, TurnUsage } from "../turn/agent-runtime.ts";
import { costAt, type CountedUsage, type Price } from "../turn/usage/price.ts";

const CHARACTERS_PER_TOKEN = 4;

export interface UsageTally {
  /** Of one step; the input tokens it took. */
  add(
    usage: LanguageModelUsage | undefined,
    sent: readonly ModelMessage[],
    received: number,
  ): number;
  reading(): TurnEvent;
}

export function createTally(price: Price | undefined): UsageTally {
  let whole: TurnUsage = NOTHING_USED;
  return {
    add(usage, sent, received) {
      const inputTokens = counted(usage?.inputTokens) ?? estimate(JSON.stringify(sent).length);
      const cached = counted(usage?.inputTokenDetails.cacheReadTokens);
      const step = {
        inputTokens,
        outputTokens: counted(usage?.outputTokens) ?? estimate(received),
        ...(cached !== undefined && { cachedInputTokens: Math.min(inputTokens, cached) }),
      };
      const cacheWriteTokens = usage?.inputTokenDetails.cacheWriteTokens ?? 0;
      const cost = costOf({ ...step, cacheWriteTokens }, usage?.raw?.["cost"], price);
      whole = addUsage(whole, cost === undefined ? step : { ...step, cost });
      return step.inputTokens;
    },
    reading: () => ({ type: "usage", usage: whole }),
  };
}

/** What the provider says, else the tokens at the price. */
function costOf(used: CountedUsage, stated: unknown, price: Price | undefined): number | undefined {
  if (typeof stated === "number" && stated >= 0) return roundCost(stated);
  return price === undefined ? undefined : costAt(price, used);
}

/** Zero is what servers say that do not count. */
function counted(tokens: number | undefined): number | undefined {
  return tokens === undefined || !(tokens > 0) ? undefined : Math.round(tokens);
}

function estimate(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
