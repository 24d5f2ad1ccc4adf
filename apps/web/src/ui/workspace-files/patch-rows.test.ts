import assert from "node:assert/strict";
import { test } from "node:test";
import { freshRows, patchRows } from "./patch-rows.ts";

test("[WEB-43] a patch is read as lines with their numbers, and nothing in a file is taken for its heading", () => {
  const patch = [
    "diff --git a/a.sql b/a.sql",
    "index 1..2 100644",
    "--- a/a.sql",
    "+++ b/a.sql",
    "@@ -3,3 +3,3 @@ begin",
    " one",
    "+++ three",
    "--- two",
    " four",
    "\\ No newline at end of file",
    "",
  ].join("\n");
  assert.deepEqual(patchRows(patch), [
    { type: "gap", text: "begin", old: 3, new: 3 },
    { type: "same", text: "one", old: 3, new: 3 },
    { type: "added", text: "++ three", new: 4 },
    { type: "removed", text: "-- two", old: 4 },
    { type: "same", text: "four", old: 5, new: 5 },
    { type: "note", text: "No newline at end of file" },
  ]);
});

test("[WEB-43] other line ends and signs that would not be seen are seen; what is no text says so", () => {
  const rows = patchRows("@@ -1 +1 @@\n-a\n+a\r\n+b\u202Ec\n");
  assert.deepEqual(
    rows.map(({ text }) => text),
    ["a", "a␍", "b‹U+202E›c"],
  );
  assert.deepEqual(patchRows("diff --git a/x b/x\nBinary files a/x and b/x differ\n"), [
    { type: "note", text: "Binary files a/x and b/x differ" },
  ]);
});

test("[WEB-60] what a patch has that the one before had not is told, also where lines have moved", () => {
  const before = patchRows("@@ -1,2 +1,3 @@\n one\n+two\n three\n");
  const after = patchRows("@@ -1,3 +1,4 @@\n zero\n-one\n+two\n+four\n three\n");
  assert.deepEqual(
    freshRows(before, after).map(({ type, text }) => [type, text]),
    [
      ["removed", "one"],
      ["added", "four"],
    ],
  );
});
