import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { cutDepths, MAX_JSON_DEPTH, isDeeperThan, parseJson, readJson, TOO_DEEP } from "./json.ts";

const nested = (levels: number, inner = ""): string =>
  `${"[".repeat(levels)}${inner}${"]".repeat(levels)}`;

test("[GW-29] what is JSON and not too deep is read as it is, and what is not JSON is not", () => {
  const text = fc.oneof(fc.json({ maxDepth: 8 }), fc.json({ maxDepth: 200 }), fc.string());
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 90 }), (inner, levels) => {
      const given = nested(levels, inner);
      let value: unknown;
      try {
        value = JSON.parse(given);
      } catch {
        assert.equal(readJson(given).value, undefined);
        assert.equal(readJson(given).problem?.short, "not JSON");
        return;
      }
      if (isDeeperThan(MAX_JSON_DEPTH, value)) {
        assert.equal(readJson(given).problem?.short, TOO_DEEP);
      } else assert.deepEqual(readJson(given), { value });
    }),
  );
});

test("[GW-29] one level decides, and brackets in strings are no levels", () => {
  assert.equal(readJson(nested(MAX_JSON_DEPTH)).problem, undefined);
  assert.equal(readJson(nested(MAX_JSON_DEPTH + 1)).problem?.long, "nested deeper than 100 levels");
  const strings = JSON.stringify({ text: '[{"'.repeat(500), more: ['\\"['.repeat(500)] });
  assert.deepEqual(readJson(strings), { value: JSON.parse(strings) });
  assert.equal(parseJson(nested(MAX_JSON_DEPTH + 1)), undefined);
});

test("[GW-29] what goes too deep can be read above that, however deep it goes", () => {
  for (const levels of [101, 5_000, 3_000_000]) {
    const deep = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const { value, problem } = readJson(`{"id":"r1","params":${deep},"last":[${deep},"]"]}`);
    assert.equal(problem?.short, TOO_DEEP);
    const { id, last } = value as { id: string; last: readonly unknown[] };
    assert.deepEqual([id, last.length, last[1]], ["r1", 2, "]"]);
    assert.equal(isDeeperThan(MAX_JSON_DEPTH + 1, value), false);
  }
  // Neither what is never closed nor what is closed too often is made anything of.
  for (const broken of ["[".repeat(1_000_000), nested(101) + "]", `${nested(101)}${nested(101)}`]) {
    assert.deepEqual(
      [readJson(broken).value, readJson(broken).problem?.short],
      [undefined, TOO_DEEP],
    );
  }
});

test("a value is cut where it goes too deep, and is the same where it does not", () => {
  const deep: unknown = JSON.parse(nested(50_000));
  assert.equal(isDeeperThan(MAX_JSON_DEPTH, cutDepths(deep)), false);
  assert.match(JSON.stringify(cutDepths(deep)), /"\(nested deeper than 100 levels\)"/);
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.deepEqual(cutDepths(value), value)));
});
