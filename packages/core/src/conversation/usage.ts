/**
 * What a turn used, and what that cost. A cost is told by whoever knows it, or it is not there: nothing
 * here guesses. A sum of known and unknown is what is known, and says that it is not all.
 */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input, what a cache of the provider held. Left out: nobody says. */
  readonly cachedInputTokens?: number;
  /** In US dollars. Left out: nobody knows. 0: known to be free. */
  readonly cost?: number;
  /** Some of it was used at a cost nobody knows: `cost` is the least it can have been. */
  readonly isCostPartial?: true;
}

export const NOTHING_USED: Usage = { inputTokens: 0, outputTokens: 0 };

/** Sums of fractions drift; nobody is billed by the billionth of a dollar. */
const STEPS_PER_DOLLAR = 1e9;
/** As many tokens from a cache count as one. */
const CACHED_PER_TOKEN = 10;

export function tokensOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

/**
 * What a budget in tokens counts: input from a cache as a tenth, which is what providers ask for it. Counted in full, a
 * long run that reads the same beginning at every step would seem to cost ten times what it does.
 */
export function budgetTokensOf(usage: Usage): number {
  const cached = usage.cachedInputTokens ?? 0;
  return tokensOf(usage) - cached + Math.ceil(cached / CACHED_PER_TOKEN);
}

export function addUsage(a: Usage, b: Usage): Usage {
  const isCounted = a.cachedInputTokens !== undefined || b.cachedInputTokens !== undefined;
  const tokens = {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(isCounted && {
      cachedInputTokens: (a.cachedInputTokens ?? 0) + (b.cachedInputTokens ?? 0),
    }),
  };
  const costs = [a.cost, b.cost].filter((cost) => cost !== undefined);
  if (costs.length === 0) return tokens;
  const cost = roundCost(costs.reduce((sum, each) => sum + each));
  const isPartial = isUnpriced(a) || isUnpriced(b);
  return { ...tokens, cost, ...(isPartial && { isCostPartial: true }) };
}

export function roundCost(cost: number): number {
  return Math.round(cost * STEPS_PER_DOLLAR) / STEPS_PER_DOLLAR;
}

/** What has used nothing leaves no cost open. */
function isUnpriced(usage: Usage): boolean {
  if (usage.isCostPartial === true) return true;
  return usage.cost === undefined && tokensOf(usage) > 0;
}

/** For those who cannot be told that it is not all: the whole cost, or none. */
export function wholeCost({ cost, isCostPartial }: Usage): number | undefined {
  return isCostPartial === true ? undefined : cost;
}

/** In words for people: what it cost, as far as anyone knows. */
export function describeCost(usage: Usage): string {
  const { cost, isCostPartial } = usage;
  if (cost === undefined) return tokensOf(usage) === 0 ? dollars(0) : "cost unknown";
  return isCostPartial === true ? `at least ${dollars(cost)}` : dollars(cost);
}

/** Cents, and as much more as it takes to see what is small. */
export function dollars(cost: number): string {
  const digits = cost >= 1 ? 2 : cost >= 0.0001 ? 4 : 9;
  return `$${cost.toFixed(digits).replace(/(\.\d\d)(\d*?)0+$/, "$1$2")}`;
}
