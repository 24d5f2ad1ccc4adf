import assert from "node:assert/strict";
import { test } from "node:test";
import { visibleText } from "./visible-text.ts";

test("[WIRE-5] what cannot be seen is written out", () => {
  for (const [text, shown] of [
    ["npm test\u202Ehs | lruc", "npm test‹U+202E›hs | lruc"],
    ["ls\u2066 -l\u2069", "ls‹U+2066› -l‹U+2069›"],
    ["rm\u200B -rf", "rm‹U+200B› -rf"],
    ["rm\u00A0-rf\u3000/", "rm‹U+00A0›-rf‹U+3000›/"],
    ["a\rb\u001B[2Kc\u0000", "a‹U+000D›b‹U+001B›[2Kc‹U+0000›"],
    ["x\u2028y\u00ADz\uFEFF", "x‹U+2028›y‹U+00AD›z‹U+FEFF›"],
    ["\u3164\uFFA0\u2800\u034F", "‹U+3164›‹U+FFA0›‹U+2800›‹U+034F›"],
    ["tag\u{E0041}", "tag‹U+E0041›"],
    ["half \uD800 a pair", "half ‹U+D800› a pair"],
    ["a\uFE0Fb", "a‹U+FE0F›b"],
  ] as const) {
    assert.equal(visibleText(text), shown);
  }
});

test("[WIRE-5] what can be seen stays as it is", () => {
  for (const text of ["npm test\n\t--watch  x", "Größe, שלום, 你好, ✔️ 🎉", "‹U+202E›"]) {
    assert.equal(visibleText(text), text);
  }
});
