import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SourceFile } from "./source-files.ts";
import { citationsIn, rulesIn, specProblems } from "./spec-rules.ts";

describe("spec rules", () => {
  test("a rule is an id and a number in bold", () => {
    const text = "**LOG-1** numbers entries.\n- **L0G-22** holds; see LOG-3 and **note**.";
    assert.deepEqual(rulesIn(text), ["LOG-1", "L0G-22"]);
  });

  test("a title cites by opening with ids, in one bracket or several", () => {
    const source = [
      testCiting(`"`, "A-1"),
      testCiting("`", "A-2", "A-3"),
      testCiting("'", "A-4, B-1"),
    ];
    assert.deepEqual(citationsIn(source.join("\n")), ["A-1", "A-2", "A-3", "A-4", "B-1"]);
  });

  test("an id further into a title, or in a comment, cites nothing", () => {
    const source = `test("keeps [A-1] in mind"); // [A-2] is proven elsewhere`;
    assert.deepEqual(citationsIn(source), []);
  });

  test("a rule and its test agree", () => {
    assert.deepEqual(specProblems([spec("**A-1** holds")], [suite("A-1")]), []);
  });

  test("an unproven rule, an unpromised citation and a number given twice are problems", () => {
    const specs = [spec("**A-1** holds **A-2** holds"), spec("**A-1** again", "b/SPEC.md")];
    assert.deepEqual(specProblems(specs, [suite("A-1"), suite("A-9")]), [
      "b/SPEC.md and a/SPEC.md share the prefix A",
      "A-1 is promised 2 times: a/SPEC.md, b/SPEC.md",
      "A-2 is promised in a/SPEC.md, but no test cites it",
      "A-9 is cited in a/a.test.ts, but no SPEC.md promises it",
    ]);
  });

  test("a second prefix in a file and numbers out of order are problems", () => {
    const specs = [spec("- **A-2** holds.\n- **A-1** holds.\n- **B-3** holds.")];
    assert.deepEqual(specProblems(specs, ["A-1", "A-2", "B-3"].map(suite)), [
      "a/SPEC.md has several prefixes: A, B",
      "A-1 is out of order in a/SPEC.md",
    ]);
  });

  test("a rule that is long over its lines and a file with many rules are problems", () => {
    const long = `- **A-61** ${"word ".repeat(20)}\n  ${"word ".repeat(21)}`;
    const ids = Array.from({ length: 61 }, (_, index) => `A-${index + 1}`);
    const short = ids.slice(0, 60).map((id) => `- **${id}** ${"x".repeat(200)}`);
    assert.deepEqual(specProblems([spec([...short, long].join("\n"))], ids.map(suite)), [
      "a/SPEC.md has 61 rules of 60",
      "A-61 has 204 characters of 200",
    ]);
  });

  test("a file without rules is a problem", () => {
    assert.deepEqual(specProblems([spec("# Nothing")], []), ["a/SPEC.md promises nothing"]);
  });
});

/** The brackets are added here, so that check-spec does not see titles in this file. */
function testCiting(quote: string, ...ids: readonly string[]): string {
  const title = [...ids.map((id) => `[${id}]`), "holds"].join(" ");
  return `test(${quote}${title}${quote}, () => {});`;
}

function spec(text: string, path = "a/SPEC.md"): SourceFile {
  return { path, text };
}

function suite(id: string): SourceFile {
  return { path: "a/a.test.ts", text: testCiting(`"`, id) };
}
