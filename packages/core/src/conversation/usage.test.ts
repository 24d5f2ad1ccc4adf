import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  addUsage,
  budgetTokensOf,
  describeCost,
  dollars,
  NOTHING_USED,
  tokensOf,
  type Usage,
} from "./usage.ts";

const used = (inputTokens: number, cost?: number): Usage => ({
  inputTokens,
  outputTokens: 0,
  ...(cost !== undefined && { cost }),
});

test("[CORE-22] a cost is known, known to be nothing, or unknown", () => {
  assert.equal(describeCost(used(5, 0.0123)), "$0.0123");
  assert.equal(describeCost(used(5, 0)), "$0.00");
  assert.equal(describeCost(used(5)), "cost unknown");
  assert.equal(describeCost(NOTHING_USED), "$0.00");
  for (const [cost, text] of [
    [12, "$12.00"],
    [1.256, "$1.26"],
    [0.5, "$0.50"],
    [0.0004, "$0.0004"],
    [0.00000012, "$0.00000012"],
  ] as const) {
    assert.equal(dollars(cost), text);
  }
});

test("[CORE-22] a sum is what is known of it, and says when that is not all", () => {
  assert.deepEqual(addUsage(used(1, 0.1), used(2, 0.2)), used(3, 0.3));
  assert.deepEqual(addUsage(used(1), used(2)), used(3));
  const partly = addUsage(used(1, 0.1), used(2));
  assert.deepEqual(partly, { ...used(3, 0.1), isCostPartial: true });
  assert.deepEqual(addUsage(partly, used(1, 0.1)), { ...used(4, 0.2), isCostPartial: true });
  assert.equal(describeCost(partly), "at least $0.10");
});

test("[CORE-22] what used nothing leaves nothing open, and the order does not matter", () => {
  const usage = fc.record({
    inputTokens: fc.nat(1_000),
    outputTokens: fc.nat(1_000),
    cached: fc.option(fc.nat(1_000), { nil: undefined }),
    price: fc.option(fc.nat(1_000_000), { nil: undefined }),
  });
  const made = usage.map(({ price, cached, ...tokens }): Usage => {
    return {
      ...tokens,
      ...(cached !== undefined && { cachedInputTokens: Math.min(cached, tokens.inputTokens) }),
      ...(price !== undefined && { cost: price / 1e6 }),
    };
  });
  fc.assert(
    fc.property(fc.array(made, { maxLength: 8 }), (all) => {
      const sum = all.reduce(addUsage, NOTHING_USED);
      assert.deepEqual(all.toReversed().reduce(addUsage, NOTHING_USED), sum);
      assert.deepEqual(addUsage(sum, NOTHING_USED), sum);
      const open = all.filter((each) => each.cost === undefined && tokensOf(each) > 0);
      assert.equal(
        sum.isCostPartial === true || sum.cost === undefined,
        open.length > 0 || sum.cost === undefined,
      );
    }),
  );
});

test("[CORE-22] input from a cache is summed as such, and a budget counts a tenth of it", () => {
  const cached = { ...used(1_000), cachedInputTokens: 905 };
  assert.equal(tokensOf(cached), 1_000);
  assert.equal(budgetTokensOf(cached), 95 + 91);
  assert.deepEqual(addUsage(cached, used(10)), { ...used(1_010), cachedInputTokens: 905 });
  assert.deepEqual(addUsage(cached, cached), { ...used(2_000), cachedInputTokens: 1_810 });
  assert.equal("cachedInputTokens" in addUsage(used(1), used(2)), false);
});
