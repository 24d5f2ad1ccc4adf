import { dollarsOf } from "../../../i18n/dollars.ts";
/** What something cost, in dollars as the reader's language writes them, or that nobody knows. Pure. */
import type { Texts } from "../../../i18n/texts.ts";

export interface Spent {
  readonly tokens: number;
  readonly cost?: number;
  readonly is_cost_partial?: true;
}

/** Tokens, and what they cost. */
export function spentOf(spent: Spent, words: Texts, language: string): string {
  const tokens = words.tokensUsed(spent.tokens.toLocaleString(language));
  const cost = costOf(spent, words, language);
  return cost === undefined ? tokens : `${tokens} · ${cost}`;
}

/** Undefined: nothing was used yet, so there is nothing to tell. */
function costOf(spent: Spent, words: Texts, language: string): string | undefined {
  const { tokens, cost, is_cost_partial: isPartial } = spent;
  if (cost === undefined) return tokens === 0 ? undefined : words.costUnknown;
  const text = dollarsOf(cost, language);
  return isPartial === true ? words.costAtLeast(text) : text;
}
