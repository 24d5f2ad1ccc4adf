/** What was spent, as the world tells it: tokens, and dollars as far as they are known. */
import { tokensOf, type Usage } from "@atrium/core";
import { omitEmpty } from "./omit-empty.ts";

interface Spent {
  readonly tokens: number;
  readonly cost?: number;
  readonly is_cost_partial?: true;
}

export function usageOnWire(usage: Usage): Spent {
  const { cost, isCostPartial } = usage;
  return { tokens: tokensOf(usage), ...omitEmpty({ cost, is_cost_partial: isCostPartial }) };
}
