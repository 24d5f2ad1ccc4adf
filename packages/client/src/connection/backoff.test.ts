import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { backoffMs } from "./backoff.ts";

test("[CLIENT-7] waits a second, twice as long after each failure, half a minute at most", () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 5_000].map((failures) => backoffMs(failures, 1));
  assert.deepEqual(longest, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test("[CLIENT-7] jitter takes off at most half", () => {
  assert.equal(backoffMs(1, 0), 500);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), roll(), (failures, rolled) => {
      const delayMs = backoffMs(failures, rolled);
      assert.ok(delayMs >= backoffMs(failures, 1) / 2 && delayMs <= backoffMs(failures, 1));
    }),
  );
});

test("[CLIENT-7] never comes back sooner than the server asked, nor in a hot loop, nor after hours", () => {
  assert.equal(backoffMs(9, 0, 500), 500);
  assert.equal(backoffMs(1, 0, 0), 100);
  fc.assert(
    fc.property(fc.nat({ max: 3_600_000 }), roll(), (askedMs, rolled) => {
      assert.ok(backoffMs(1, rolled, askedMs) >= askedMs);
    }),
  );
  assert.ok(backoffMs(1, 1, Number.MAX_SAFE_INTEGER) <= 2 * 3_600_000);
});

function roll(): fc.Arbitrary<number> {
  return fc.double({ min: 0, max: 1, noNaN: true });
}
