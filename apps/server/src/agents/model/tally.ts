/** What a whole turn uses. Where a provider does not count, we estimate: a budget must see something. */
import { addUsage, NOTHING_USED } from "@atrium/core";
import type { LanguageModelUsage, ModelMessage } from "ai";
import type { TurnEvent, TurnUsage } from "../turn/agent-runtime.ts";
import { costOf, type Price } from "./price.ts";

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
      const cost = costOf(step, usage, price);
      whole = addUsage(whole, cost === undefined ? step : { ...step, cost });
      return step.inputTokens;
    },
    reading: () => ({ type: "usage", usage: whole }),
  };
}

/** Zero is what servers say that do not count. */
function counted(tokens: number | undefined): number | undefined {
  return tokens === undefined || !(tokens > 0) ? undefined : Math.round(tokens);
}

function estimate(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
