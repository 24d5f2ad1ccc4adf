import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { indexProblems, lengthProblems, linkProblems, pathProblems } from "./doc-problems.ts";

const tree = {
  files: new Set([
    "README.md",
    "docs/errors.md",
    "docs/glossary.md",
    "dist/protocol.schema.json",
    "apps/server/src/compose/compose.ts",
    "apps/server/src/pipeline/method-router.ts",
  ]),
  folders: new Set([
    "docs",
    "dist",
    "apps",
    "apps/server",
    "apps/server/src",
    "apps/server/src/rooms",
  ]),
};

describe("paths in documents", () => {
  test("a path that exists is fine: from the root, from the document, or its end", () => {
    const text =
      "`apps/server/src/compose/compose.ts` `./glossary.md` `pipeline/method-router.ts` `compose.ts` `rooms/`";
    assert.deepEqual(pathsGone(text), []);
  });

  test("a path that does not exist is named", () => {
    const text = "`compose.js` `docs/gone` `dist/gone.json` `wall.ts` `gone/` `rooms/room.mjs`";
    const gone = ["docs/gone", "dist/gone.json", "wall.ts", "gone/", "rooms/room.mjs"];
    assert.deepEqual(pathsGone(text), gone);
  });

  test("what is no path of ours is left alone", () => {
    const text = [
      "`text/event-stream` `GET /api/x` `/healthz` `@atrium/log` `node:fs/promises` `HTTP/1.1`",
      "`packages/<name>/src` `docs/*.md` `docs/…` `rooms/...` `atrium.config.json` `~/.atrium/a.md`",
      "```sh\nless `docs/gone.md`\n```",
      "`node_modules/.bin/node` `.ts` `.test.ts`",
    ];
    assert.deepEqual(pathsGone(text.join("\n")), []);
  });

  test("a superseded decision may name what is gone", () => {
    assert.deepEqual(pathsGone("Status: superseded by 0009\n\n`docs/gone.md`"), []);
  });
});

describe("links in documents", () => {
  const texts = new Map([
    ["docs/errors.md", "# Errors\n\n## Come back, or not?\n\n## Again\n## Again\n"],
  ]);
  const broken = (text: string): string[] =>
    linkProblems({ path: "docs/glossary.md", text }, tree, (path) => texts.get(path) ?? "");

  test("files, folders and headings are found", () => {
    const text = [
      "[a](errors.md) [b](errors.md#come-back-or-not) [c](../apps/server/) [d](/README.md)",
      '[e](errors.md#again-1) [f](https://example.com/gone) ![g](errors.md "title")',
      "[h]: errors.md#errors",
      "`[i](gone.md)`",
    ];
    assert.deepEqual(broken(text.join("\n")), []);
  });

  test("a missing file and a missing heading are problems", () => {
    assert.deepEqual(broken("[a](gone.md) [b](errors.md#gone)\n[c]: ../gone.md"), [
      "docs/glossary.md links to gone.md, which does not exist",
      "docs/glossary.md links to errors.md#gone, but docs/errors.md has no such heading",
      "docs/glossary.md links to ../gone.md, which does not exist",
    ]);
  });

  test("a bare anchor is looked for in the document itself", () => {
    const path = "docs/errors.md";
    const text = "# Errors\n[a](#errors) [b](#gone)";
    assert.deepEqual(
      linkProblems({ path, text }, tree, () => text),
      ["docs/errors.md links to #gone, but docs/errors.md has no such heading"],
    );
  });
});

describe("lines of documents", () => {
  const problemsIn = (text: string): string[] => lengthProblems({ path: "docs/errors.md", text });
  const long = "word ".repeat(21);

  test("prose of more than 100 columns is a problem, also in a list or a heading", () => {
    assert.deepEqual(problemsIn(`short\n${long}\n- ${long}\n# ${long}`), [
      "docs/errors.md:2 has 105 columns of prose",
      "docs/errors.md:3 has 107 columns of prose",
      "docs/errors.md:4 has 107 columns of prose",
    ]);
    assert.deepEqual(problemsIn("x".repeat(50) + " ".repeat(1) + "y".repeat(49)), []);
  });

  test("tables, code, pictures and what cannot be broken may be longer", () => {
    const text = [
      `| ${long} |`,
      `    ${long}`,
      `\`\`\`\n${long}\n\`\`\``,
      `![a](${"b".repeat(101)})`,
      `\`${long}\``,
      `https://example.com/${"b".repeat(101)}`,
    ];
    assert.deepEqual(problemsIn(text.join("\n")), []);
  });
});

test("an index lists every page of its folder, and need not list others", () => {
  const index = { path: "docs/README.md", text: "[a](errors.md) [b](../README.md)" };
  const pages = ["README.md", "docs/README.md", "docs/errors.md", "docs/decisions/0001-a.md"];
  assert.deepEqual(indexProblems(index, pages), []);
  assert.deepEqual(indexProblems(index, [...pages, "docs/glossary.md"]), [
    "docs/README.md does not list docs/glossary.md",
  ]);
});

function pathsGone(text: string): string[] {
  const problems = pathProblems({ path: "docs/errors.md", text }, tree);
  return problems.map((problem) => problem.split("`")[1] ?? problem);
}
