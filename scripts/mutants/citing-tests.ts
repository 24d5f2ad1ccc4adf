/** The tests that cite a rule, and the source files they are about. */
import { dirname, join } from "node:path";
import type { SourceFile } from "../source-files.ts";
import { citationsIn, rulesIn } from "../spec-rules.ts";

export interface CitedRule {
  readonly id: string;
  /** The folder whose SPEC.md promises it. */
  readonly folder: string;
  /** Those next to sources first. */
  readonly tests: readonly SourceFile[];
}

/** Others' clients take minutes a run, and have to be there. */
const NOT_RUN = "test/conformance/";
const IMPORT = /\bfrom "(\.[^"]+\.ts)"/g;
const isTest = ({ path }: SourceFile): boolean => path.endsWith(".test.ts");

export function citedRules(
  specs: readonly SourceFile[],
  tests: readonly SourceFile[],
): readonly CitedRule[] {
  const citing = new Map<string, Set<SourceFile>>();
  for (const test of tests) {
    const runners = runnersOf(test, tests).filter(({ path }) => !path.startsWith(NOT_RUN));
    for (const id of citationsIn(test.text)) {
      citing.set(id, (citing.get(id) ?? new Set()).union(new Set(runners)));
    }
  }
  return specs.flatMap(({ path, text }) =>
    rulesIn(text).map((id) => {
      const [unit, whole] = [false, true].map((isWhole) =>
        [...(citing.get(id) ?? [])].filter((test) => test.path.startsWith("test/") === isWhole),
      );
      return { id, folder: dirname(path), tests: [...(unit ?? []), ...(whole ?? [])] };
    }),
  );
}

/** Of these sources, the modules of the same name as the tests; failing that, those beside them, then what they import. */
export function subjectsOf(
  tests: readonly SourceFile[],
  sources: readonly string[],
): readonly (readonly string[])[] {
  const folders = new Set(tests.map(({ path }) => dirname(path)));
  return [
    tests.map(({ path }) => path.replace(/\.test\.ts$/, ".ts")),
    sources.filter((path) => folders.has(dirname(path))),
    tests.flatMap(importsOf),
  ];
}

export function isSource(path: string): boolean {
  return (
    /^(?:packages|apps|scripts)\/.*\.tsx?$/.test(path) &&
    !/\.(?:test|contract)\.ts$|\/(?:testing|node_modules|dist)\//.test(path)
  );
}

/** A suite for every implementation of a port is run by the tests that import it, or a suite of it. */
function runnersOf(test: SourceFile, tests: readonly SourceFile[]): readonly SourceFile[] {
  if (isTest(test)) return [test];
  return tests
    .filter((each) => importsOf(each).includes(test.path))
    .flatMap((each) => runnersOf(each, tests));
}

function importsOf({ path, text }: SourceFile): readonly string[] {
  return [...text.matchAll(IMPORT)].map((match) =>
    join(dirname(path), match[1] ?? "").replaceAll("\\", "/"),
  );
}
