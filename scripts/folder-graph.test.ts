import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { circlesIn, crowdedFolders, drawGraph, graphOf, importsIn } from "./folder-graph.ts";
import { nameProblems } from "./type-names.ts";

const file = (path: string, ...imports: readonly string[]) => ({
  path,
  text: imports.map((specifier) => `import { a } from "${specifier}";\n`).join(""),
});

describe("folders", () => {
  test("two that import each other are a circle, also by way of a third; tests do not count", () => {
    const files = [
      file("src/a/one.ts", "../b/two.ts"),
      file("src/b/two.ts", "../c/three.ts"),
      file("src/c/three.ts", "../a/one.ts"),
      file("src/d/four.ts", "../a/one.ts"),
      file("src/a/one.test.ts", "../d/four.ts"),
    ];
    const graph = graphOf("src", importsIn(files));
    assert.deepEqual(circlesIn(graph), ["a -> b -> c -> a"]);
    const [, ...open] = files;
    assert.deepEqual(circlesIn(graphOf("src", importsIn(open))), []);
  });

  test("a folder's own files are one of its parts; what only collects exports is not", () => {
    const files = [
      file("src/index.ts", "./a/one.ts"),
      file("src/base.ts"),
      file("src/a/one.ts", "../base.ts"),
    ];
    assert.equal(drawGraph(graphOf("src", importsIn(files))), ".\na  .");
    const back = [...files, file("src/more.ts", "./a/one.ts")];
    assert.deepEqual(circlesIn(graphOf("src", importsIn(back))), ["a -> . -> a"]);
  });

  test("more files than can be overseen are too many, without their tests", () => {
    const files = ["a", "b", "c"].flatMap((name) => [
      file(`src/${name}.ts`),
      file(`src/${name}.test.ts`),
    ]);
    assert.deepEqual(crowdedFolders(files, 3), []);
    assert.deepEqual(crowdedFolders(files, 2), ["src has 3 files; at most 2"]);
  });
});

describe("names", () => {
  const named = (path: string, text: string) => nameProblems([{ path, text }]);

  test("a participle is no type, and a superlative no limit", () => {
    assert.match(named("apps/cli/src/a.ts", "export interface Told {}").join(), /Told is no noun/);
    assert.match(named("apps/cli/src/a.ts", "const MOST_OPEN = 1;").join(), /MAX_ or MIN_/);
    assert.deepEqual(
      named("apps/cli/src/a.ts", "export type Teller = 1;\nconst MAX_OPEN = 1;"),
      [],
    );
    assert.deepEqual(named("apps/cli/src/a.test.ts", "export interface Told {}"), []);
  });

  test("a value is not called after what was done to it, except a field that is stored", () => {
    const odd = (text: string) => named("apps/cli/src/a.ts", text).length;
    const values = ["const told = 1;", "let heard = 1;", "function said(a: string) {}"];
    const members = ["this.#asked = 1;", "(saying: string) => 1", "list.map((telling) => 1)"];
    for (const text of [...values, ...members]) assert.equal(odd(text), 1, text);
    for (const text of ["readonly told: number;", "const { asked } = build;", "asked(set)"]) {
      assert.equal(odd(text), 0, text);
    }
  });

  test("two types of one name are told apart where one file could import both", () => {
    const text = "export interface Line {}";
    const both = (...paths: readonly string[]) =>
      nameProblems(paths.map((path) => ({ path, text }))).length;
    assert.equal(both("apps/server/src/a.ts", "packages/core/src/b.ts"), 1);
    assert.equal(both("apps/server/src/a.ts", "apps/web/src/b.ts"), 0);
  });
});
