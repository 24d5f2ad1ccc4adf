import assert from "node:assert/strict";
import { test } from "node:test";
import { cutInput } from "./cut-input.ts";

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

test("[RUN-19] what fits is kept as it is", () => {
  const input = { path: "a.ts", content: "x".repeat(60_000), more: [1, null, true] };
  assert.equal(cutInput(input), input);
  for (const small of [undefined, null, 1, "text", []]) assert.equal(cutInput(small), small);
});

test("[RUN-19] long texts are cut to their beginning, and the rest can be read", () => {
  const input = {
    path: "a.ts",
    content: `a${"😀".repeat(1_000_000)}`,
    edits: [{ old: "x", new: "y" }],
  };
  const cut = cutInput(input) as typeof input;
  assert.deepEqual([cut.path, cut.edits], ["a.ts", input.edits]);
  assert.match(cut.content, /^a😀{3999}… 1992002 characters left out$/u);
  assert.ok(cut.content.isWellFormed());
  assert.ok(sizeOf(cut) < 65_536);
  const text = cutInput("y".repeat(100_000));
  assert.equal(text, `${"y".repeat(8_000)}… 92000 characters left out`);
});

test("[RUN-19] many small parts, and long names, are cut as a whole", () => {
  const many = Array.from({ length: 50_000 }, (_, n) => `line ${n}`);
  const named = { ["k".repeat(100_000)]: 1 };
  const proto = JSON.parse(`{"__proto__": ${JSON.stringify(many)}}`) as unknown;
  for (const input of [many, named, proto]) {
    const cut = cutInput(input) as { beginning: string };
    assert.match(cut.beginning, /characters left out$/);
    assert.ok(sizeOf(cut) < 20_000);
  }
});
