import assert from "node:assert/strict";
import { test } from "node:test";
import { columns } from "./columns.ts";
import { ago, count, duration, size } from "./measures.ts";
import { createPaint } from "./paint.ts";
import { plainLine, plainText } from "./plain-text.ts";

test("columns line up whatever is in them", () => {
  const { bad } = createPaint(true);
  const text = columns([
    ["a", "1", "end"],
    [bad("red"), "22", "end"],
    ["漢字", "3", "end"],
    ["🙂", "", "end"],
    ["short"],
  ]);
  assert.equal(
    text,
    [
      "  a      1   end",
      `  ${bad("red")}    22  end`,
      "  漢字   3   end",
      "  🙂         end",
      "  short",
      "",
    ].join("\n"),
  );
});

test("times, sizes and counts read as a person would say them", () => {
  const minute = 60_000;
  assert.deepEqual(
    [340, 42_000, 3 * minute, 192 * minute, 120 * minute, 52 * 60 * minute].map(duration),
    ["340 ms", "42 s", "3 min", "3 h 12 min", "2 h", "2 d 4 h"],
  );
  assert.deepEqual([ago(5_000), ago(2 * minute)], ["just now", "2 min ago"]);
  assert.deepEqual([0, 512, 37_000, 1_500_000, 79e9].map(size), [
    "0 B",
    "512 B",
    "37 kB",
    "1.5 MB",
    "79 GB",
  ]);
  assert.deepEqual([count(1, "run"), count(1204, "run")], ["1 run", "1,204 runs"]);
});

test("[CLI-5] control characters are taken out, lines and tabs stay", () => {
  assert.equal(plainText("a\u001b[2J\u009b31m\rb\n\tc\u0007"), "a[2J31mb\n\tc");
  assert.equal(plainLine("two\n  lines \u001b and more", 12), "two lines a…");
});
