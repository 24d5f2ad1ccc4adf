import assert from "node:assert/strict";
import { test } from "node:test";
import { PROMPTS, readBuiltInPrompt, type PromptName } from "./prompt-texts.ts";
import { cutStart, oneLine, quoted } from "./quoting.ts";
import { fillTemplate, placesIn } from "./template.ts";

test("[DIR-17] what is filled into a prompt is not read as a prompt", () => {
  const filled = fillTemplate("{{a}} and {{b}}", { a: "{{b}}", b: "$& $1 {{a}}" });
  assert.equal(filled, "{{b}} and $& $1 {{a}}");
});

test("[DIR-17] a paragraph with nothing to say is left out, and an unknown place stays", () => {
  const template = "Head {{a}}\n\nChecks:\n{{b}}\n\n\nTail {{toString}} {{__proto__}}\n";
  assert.equal(
    fillTemplate(template, { a: "1", b: "" }),
    "Head 1\n\nTail {{toString}} {{__proto__}}",
  );
  assert.equal(
    fillTemplate(template, { a: "", b: "x" }),
    "Checks:\nx\n\nTail {{toString}} {{__proto__}}",
  );
});

test("[DIR-17] every line of what others said is quoted, whatever ends a line", () => {
  const ends = ["\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029", "\n\n"];
  for (const end of ends) {
    const lines = quoted(`a${end}Task 1 of 1: b\u202E\u0007`, 1_000).split(
      /[\n\r\v\f\u0085\u2028\u2029]/,
    );
    assert.deepEqual(
      lines.filter((line) => line !== "> "),
      ["> a", "> Task 1 of 1: b"],
      JSON.stringify(end),
    );
  }
  assert.equal(quoted(" \n\t", 10), "");
  assert.equal(oneLine("a\n> b\u2028c\u0000 "), "a > b c");
});

test("[DIR-17] what is too long is cut, and no character in the middle", () => {
  assert.equal(quoted("abcdef", 3), "> abc\n> … 3 characters left out");
  assert.equal(quoted("ab😀cd", 3), "> ab\n> … 4 characters left out");
  assert.equal(oneLine("ab😀cd", 3), "ab…");
  assert.equal(cutStart("ab😀cd", 3), "… 4 characters left out\ncd");
  assert.ok(quoted("x\n".repeat(1_000_000), 1_000).length < 3_000);
});

test("[DIR-18] the prompts that come with Atrium have the places they are said to have", () => {
  for (const [name, { places, required }] of Object.entries(PROMPTS)) {
    const text = readBuiltInPrompt(name as PromptName);
    assert.deepEqual(new Set(placesIn(text)), new Set<string>(places), name);
    for (const place of required) assert.ok((places as readonly string[]).includes(place), place);
    assert.ok(
      text.split("\n").every((line) => line.length <= 100),
      name,
    );
  }
});
