/** What was spent, as the world tells it: tokens, and dollars as far as they are known. */
import { tokensOf, type Usage } from "@atrium/core";
import { known } from "./omit-empty.ts";

interface Spent {
  readonly tokens: number;
  readonly cost?: number;
  readonly is_cost_partial?: true;
}

export function spentOnWire(usage: Usage): Spent {
  const { cost, isCostPartial } = usage;
  return { tokens: tokensOf(usage), ...known({ cost, is_cost_partial: isCostPartial }) };
}
