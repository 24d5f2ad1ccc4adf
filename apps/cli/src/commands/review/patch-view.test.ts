import assert from "node:assert/strict";
import { test } from "node:test";
import { createPaint } from "../../terminal/paint.ts";
import { parsePatch, showPatch, showWholePatch } from "./patch-view.ts";

const PATCH = [
  "diff --git a/a.txt b/a.txt",
  "index 5626abf..814f4a4 100644",
  "--- a/a.txt",
  "+++ b/a.txt",
  "@@ -3,3 +3,4 @@ function main() {",
  " same",
  "--- looks like a name",
  "+\u001b[2J\u001b[31mred\u202etxt.exe\u0007",
  "+++ looks like one too",
  " \tindented\r",
  "\\ No newline at end of file",
  "",
].join("\n");

test("[CLI-33] each line of a patch has its numbers, whatever it looks like", () => {
  const lines = parsePatch(PATCH)
    .slice(1)
    .map(({ kind, old, new: now }) => [kind, old, now]);
  assert.deepEqual(lines, [
    ["hunk", null, null],
    ["same", 3, 3],
    ["removed", 4, null],
    ["added", null, 4],
    ["added", null, 5],
    ["same", 5, 6],
    ["note", null, null],
  ]);
});

test("[CLI-33] nothing in a patch moves the cursor, recolors the screen or turns the reading direction", () => {
  const plain = showPatch(PATCH, createPaint(false));
  // oxlint-disable-next-line no-control-regex -- these must not be there
  assert.doesNotMatch(plain, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  assert.match(plain, /‹U\+001B›\[2J‹U\+001B›\[31mred‹U\+202E›txt\.exe‹U\+0007›/);
  assert.match(plain, /^ {4}5 {5}6 {6}indented$/m);
  const colored = showPatch(PATCH, createPaint(true));
  assert.ok(colored.includes("\u001b[32m+++ looks like one too\u001b[39m"));
  assert.ok(showPatch(`@@ -1 +1 @@\n+${"x".repeat(100_000)}`, createPaint(false)).length < 1_000);
});

test("[CLI-33] a hunk ends where it says, and the next file begins", () => {
  const two = `${PATCH}diff --git a/b.txt b/b.txt\n--- a/b.txt\n+++ b/b.txt\n@@ -0,0 +1 @@\n+new\n`;
  const kinds = parsePatch(two).map(({ kind, new: now }) => `${kind} ${now ?? ""}`.trim());
  assert.deepEqual(kinds.slice(-3), ["file", "hunk", "added 1"]);
  assert.match(
    showWholePatch(two, createPaint(false)),
    /\n\nb\.txt\n@@ -0,0 \+1 @@\n {10}1 \+new\n$/,
  );
});

test("[CLI-33] a binary or renamed file says what became of it", () => {
  const renamed = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
  assert.equal(
    showPatch(renamed, createPaint(false)),
    "similarity index 100%\nrename from x\nrename to y\n",
  );
  const binary = "diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n";
  assert.equal(showPatch(binary, createPaint(false)), "Binary files a/x and b/x differ\n");
});
