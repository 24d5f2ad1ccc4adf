/**
 * What a turn uses. What an agent reports is believed; until then tokens are plausible: about four
 * characters each, and whatever is added. A cost is what was reported, else that of the tokens which were counted at
 * the price of the model, else unknown. Tokens never fall.
 */
import { NOTHING_USED } from "@atrium/core";
import type { Turn, TurnEvent, TurnUsage } from "../agent-runtime.ts";
import { costAt, type CountedUsage, type Price } from "./price.ts";

const CHARACTERS_PER_TOKEN = 4;

export interface Meter {
  readonly hasWritten: boolean;
  wrote(text: string): void;
  spent(tokens: number): void;
  /** The whole turn's usage so far, from someone who has counted; whether that is news. */
  counted(usage: CountedUsage): boolean;
  /** The whole turn's cost so far, in dollars. */
  charged(cost: number): void;
  /** Something may have been used that nobody has counted, such as a call of the model that was cut off. */
  missed(): void;
  reading(): TurnEvent;
}

/** `price`: of the model that is used, where what is counted is all of its tokens. */
export function createMeter(turn: Turn, price?: Price): Meter {
  const read = [turn.instructions, turn.prompt, ...turn.history.map(({ text }) => text)];
  return createPromptMeter(
    read.reduce((sum, text) => sum + text.length, 0),
    price,
  );
}

/** For whoever is given no more of the turn than a prompt of so many characters. */
export function createPromptMeter(promptCharacters: number, price?: Price): Meter {
  const estimatedInput = tokensOf(promptCharacters);
  let characters = 0;
  let extra = 0;
  let shown: TurnUsage = NOTHING_USED;
  let counted: TurnUsage = NOTHING_USED;
  let cost: number | undefined;
  let priced: number | undefined;
  let hasMissed = false;
  const charged = (whole: number): void => void (cost = Math.max(cost ?? 0, whole));
  return {
    get hasWritten() {
      return characters > 0;
    },
    wrote: (text) => void (characters += text.length),
    spent: (tokens) => void (extra += tokens),
    counted(usage) {
      const isNews =
        usage.inputTokens !== counted.inputTokens ||
        usage.outputTokens !== counted.outputTokens ||
        usage.cachedInputTokens !== counted.cachedInputTokens ||
        usage.cost !== counted.cost;
      counted = usage;
      if (usage.cost !== undefined) charged(usage.cost);
      if (price !== undefined && usage.inputTokens + usage.outputTokens > 0) {
        priced = Math.max(priced ?? 0, costAt(price, usage));
      }
      return isNews;
    },
    charged,
    missed: () => void (hasMissed = true),
    reading() {
      // Zero is what those say who do not count, or not yet.
      const inputTokens = counted.inputTokens || estimatedInput;
      const outputTokens = counted.outputTokens || tokensOf(characters) + extra;
      const cached = Math.max(shown.cachedInputTokens ?? 0, counted.cachedInputTokens ?? 0);
      shown = {
        inputTokens: Math.max(shown.inputTokens, inputTokens),
        outputTokens: Math.max(shown.outputTokens, outputTokens),
        ...(cached > 0 && { cachedInputTokens: cached }),
        ...(cost === undefined ? costOf(priced, hasMissed) : { cost }),
      };
      return { type: "usage", usage: shown };
    },
  };
}

/** What is free is so whatever was missed. */
function costOf(
  priced: number | undefined,
  hasMissed: boolean,
): Pick<TurnUsage, "cost" | "isCostPartial"> {
  if (priced === undefined) return {};
  return { cost: priced, ...(hasMissed && priced > 0 && { isCostPartial: true }) };
}

function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
