import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanText, titleOf } from "./clean-text.ts";

test("[WORLD-9] control characters and marks that turn the reading direction go, markup stays as text", () => {
  assert.equal(
    cleanText("  a\u0000b\u001b[31mc\r\nd\te\u202Ef\u2066g\u200F \n"),
    "ab[31mc\nd\tefg",
  );
  assert.equal(cleanText("<script>alert(1)</script> & **b**"), "<script>alert(1)</script> & **b**");
  assert.equal(cleanText("\u0007\u202E"), "");
  assert.equal(cleanText("half \ud83d"), "half \ufffd");
});

test("[WORLD-9] a title is the first line, cut between characters where it gets long", () => {
  assert.equal(titleOf("One\ntwo"), "One");
  assert.equal(titleOf("x".repeat(120)), "x".repeat(120));
  assert.equal(titleOf("x".repeat(121)).length, 120);
  const cut = titleOf("🌍".repeat(100));
  assert.ok(cut.isWellFormed() && cut.endsWith("…") && cut.length <= 120);
});
