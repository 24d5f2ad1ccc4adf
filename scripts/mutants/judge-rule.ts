/**
 * Whether the tests that cite a rule notice when the code is broken.
 *
 * The tests run once as things are. What they ran of the sources they are about is then broken in
 * one place at a time, and the tests run again.
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { isSource, subjectsOf, type CitedRule } from "./citing-tests.ts";
import { mutationsIn, type Mutation } from "./mutations.ts";
import { readCoverage, runTests, type RunFiles, type TestRun } from "./run-tests.ts";

export interface Verdict {
  readonly rule: string;
  readonly tried: number;
  readonly survivors: readonly string[];
  /** Why nothing was tried. */
  readonly skipped?: string;
}

export interface Trial {
  /** A copy of the project, which is broken and mended. */
  readonly folder: string;
  readonly mutants: number;
  shuffle<T>(items: readonly T[]): readonly T[];
  isOver(): boolean;
}

interface Mutant extends Mutation {
  readonly file: string;
  readonly source: string;
}

const FIRST_RUN_LIMIT_MS = 120_000;
/** A broken program may be slower before it fails; one that hangs is noticed too. */
const LIMIT_FACTOR = 3;
const SPARE_MS = 5_000;
const MAX_TEST_FILES = 4;

export async function judgeRule(cited: CitedRule, trial: Trial): Promise<Verdict> {
  const rule = { ...cited, tests: cited.tests.slice(0, MAX_TEST_FILES) };
  const survivors: string[] = [];
  const skip = (skipped: string): Verdict => ({ rule: rule.id, tried: 0, survivors, skipped });
  if (rule.tests.length === 0) return skip("only tests with others' clients cite it");

  const runs: TestRun[] = [];
  const coverage = join(trial.folder, "coverage-of-tests");
  for (const { path } of rule.tests) {
    const run = { folder: trial.folder, file: path, rule: rule.id, limitMs: FIRST_RUN_LIMIT_MS };
    const started = performance.now();
    const { isPassed, passed } = await runTests(run, coverage);
    if (!isPassed || passed === 0) return skip(`${path} does not pass as things are`);
    runs.push({ ...run, limitMs: (performance.now() - started) * LIMIT_FACTOR + SPARE_MS });
  }
  const mutants = await chooseMutants(rule, await readCoverage(coverage), trial);
  await rm(coverage, { recursive: true, force: true });
  if (mutants.length === 0) return skip("its tests run none of our sources");

  let tried = 0;
  for (const mutant of mutants) {
    if (trial.isOver()) break;
    tried += 1;
    if (!(await isNoticed(mutant, runs, trial.folder))) survivors.push(described(mutant));
  }
  return { rule: rule.id, tried, survivors };
}

/** Of each kind in turn, so that a few show what many would. */
async function chooseMutants(
  rule: CitedRule,
  runFiles: RunFiles,
  trial: Trial,
): Promise<readonly Mutant[]> {
  const files = [...runFiles]
    .map(([path, { isCalled }]) => {
      return { path: relative(trial.folder, path).replaceAll("\\", "/"), isCalled };
    })
    .filter(({ path }) => isSource(path));
  const paths = files.map(({ path }) => path);
  const nearby = paths.filter((path) => path.startsWith(`${rule.folder}/`));
  // Where nothing is called, the rule may be about what a table says.
  for (const wantsCalled of [true, false]) {
    for (const subjects of [...subjectsOf(rule.tests, paths), nearby]) {
      const found = await mutantsIn(
        files.filter(({ path, isCalled }) => subjects.includes(path) && (isCalled || !wantsCalled)),
        runFiles,
        trial,
      );
      const kinds = [...Map.groupBy(trial.shuffle(found), ({ kind }) => kind).values()];
      const turns = Array.from({ length: trial.mutants }, (_, turn) => turn);
      const mixed = turns.flatMap((turn) => kinds.flatMap((kind) => kind.slice(turn, turn + 1)));
      if (mixed.length > 0) return mixed.slice(0, trial.mutants);
    }
  }
  return [];
}

async function mutantsIn(
  files: readonly { readonly path: string }[],
  runFiles: RunFiles,
  { folder }: Trial,
): Promise<readonly Mutant[]> {
  const found: Mutant[] = [];
  for (const { path: file } of files) {
    const source = await readFile(join(folder, file), "utf8");
    for (const mutation of mutationsIn(source)) {
      if (runFiles.get(join(folder, file))?.isRun(mutation.start) === true) {
        found.push({ ...mutation, file, source });
      }
    }
  }
  return found;
}

async function isNoticed(
  { file, source, start, end, text }: Mutant,
  runs: readonly TestRun[],
  folder: string,
): Promise<boolean> {
  await writeFile(join(folder, file), source.slice(0, start) + text + source.slice(end));
  try {
    for (const run of runs) if (!(await runTests(run)).isPassed) return true;
    return false;
  } finally {
    await writeFile(join(folder, file), source);
  }
}

function described({ file, source, start, kind }: Mutant): string {
  const line = source.slice(0, start).split("\n").length;
  return `${file}:${line} ${kind}: ${(source.split("\n")[line - 1] ?? "").trim()}`;
}
