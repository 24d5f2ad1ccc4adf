/** Tokens of a whole turn. Where a provider does not count, we estimate: a budget must see something. */
import type { LanguageModelUsage, ModelMessage } from "ai";
import type { TurnEvent } from "../agent-runtime.ts";

const CHARACTERS_PER_TOKEN = 4;

export interface Tally {
  add(usage: LanguageModelUsage | undefined, sent: readonly ModelMessage[], received: number): void;
  reading(): TurnEvent;
}

export function createTally(): Tally {
  let inputTokens = 0;
  let outputTokens = 0;
  return {
    add(usage, sent, received) {
      inputTokens += counted(usage?.inputTokens) ?? estimate(JSON.stringify(sent).length);
      outputTokens += counted(usage?.outputTokens) ?? estimate(received);
    },
    reading: () => ({ type: "usage", usage: { inputTokens, outputTokens } }),
  };
}

/** Zero is what servers say that do not count. */
function counted(tokens: number | undefined): number | undefined {
  return tokens === undefined || !(tokens > 0) ? undefined : Math.round(tokens);
}

function estimate(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
