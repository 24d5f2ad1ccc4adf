/**
 * The small program that a rehearsal writes, with its test: it prints what was asked and the steps to it, and it really
 * runs. As it is first written it has a mistake, which its test finds.
 */
export interface ProgramSubject {
  /** Of the files, without an ending. */
  readonly name: string;
  readonly title: string;
  readonly points: readonly string[];
}

export interface Replacement {
  readonly old: string;
  readonly new: string;
}

export interface Program {
  readonly file: ProgramFile;
  readonly test: ProgramFile;
  readonly runTest: string;
  readonly runAll: string;
  readonly repair: Replacement;
  /** What a person wishes becomes the first of the points. */
  addPoint(text: string): Replacement;
}

export interface ProgramFile {
  readonly path: string;
  readonly content: string;
}

const LABEL = "A rehearsal wrote this without a model, to show how work is done here. It runs:";
const TEST_LABEL = "A rehearsal wrote this test without a model.";
const FIRST_TEST = "it begins with what was asked";
const SECOND_TEST = "it counts the points from 1";

export function nodeProgram({ name, title, points }: ProgramSubject): Program {
  const [path, testPath] = [`${name}.mjs`, `${name}.test.mjs`];
  const runTest = `node --test-reporter=spec ${testPath}`;
  const opening = "export const points = [\n";
  const content = `// ${LABEL} node ${path}
export const title = ${literal(title)};
${opening}${points.map((point) => `  ${literal(point)},\n`).join("")}];

export function outline() {
  const lines = points.map((point, at) => \`\${at}. \${point}\`);
  return [title, ...lines].join("\\n");
}

if (process.argv[1].endsWith(${literal(`/${path}`)})) console.log(outline());
`;
  const test = `// ${TEST_LABEL}
import assert from "node:assert/strict";
import { test } from "node:test";
import { outline, points, title } from "./${path}";

test(${literal(FIRST_TEST)}, () => {
  assert.equal(outline().split("\\n")[0], title);
});

test(${literal(SECOND_TEST)}, () => {
  const expected = points.map((point, at) => \`\${at + 1}. \${point}\`);
  assert.deepEqual(outline().split("\\n").slice(1), expected);
});
`;
  return {
    file: { path, content },
    test: { path: testPath, content: test },
    runTest,
    runAll: `${runTest} && node ${path}`,
    repair: { old: "`${at}. ", new: "`${at + 1}. " },
    addPoint: (text) => ({ old: opening, new: `${opening}  ${literal(text)},\n` }),
  };
}

/** The test of either kind of program, as a command that can be known before it is written. */
export function checkOf(name: string): string {
  const [node, shell] = [`${name}.test.mjs`, `${name}.test.sh`];
  return `if [ -e ${shell} ]; then sh ${shell}; else node ${node}; fi`;
}

/** The same for where there is no Node. */
export function shellProgram({ name, title, points }: ProgramSubject): Program {
  const [path, testPath] = [`${name}.sh`, `${name}.test.sh`];
  const opening = "points() {\n";
  const content = `# ${LABEL} sh ${path}
title=${quoted(title)}

${opening}${points.map((point) => `  echo ${quoted(point)}\n`).join("")}}

outline() {
  printf '%s\\n' "$title"
  at=0
  points | while IFS= read -r point; do
    printf '%s. %s\\n' "$at" "$point"
    at=$((at + 1))
  done
}

outline
`;
  const test = `# ${TEST_LABEL}
out=$(sh ./${path})
failed=0
check() {
  if [ "$2" = "$3" ]; then echo "ok - $1"; else echo "not ok - $1: $2, expected $3"; failed=1; fi
}
check ${quoted(FIRST_TEST)} "$(printf '%s\\n' "$out" | head -n 1)" ${quoted(title)}
check ${quoted(SECOND_TEST)} "$(printf '%s\\n' "$out" | sed -n '2s/ .*//p')" '1.'
exit $failed
`;
  return {
    file: { path, content },
    test: { path: testPath, content: test },
    runTest: `sh ${testPath}`,
    runAll: `sh ${testPath} && sh ${path}`,
    repair: { old: "  at=0\n", new: "  at=1\n" },
    addPoint: (text) => ({ old: opening, new: `${opening}  echo ${quoted(text)}\n` }),
  };
}

function literal(text: string): string {
  return JSON.stringify(oneLine(text));
}

function quoted(text: string): string {
  return `'${oneLine(text).replaceAll("'", String.raw`'\''`)}'`;
}

/** What people wrote is shown in terminals, where control characters do things. */
function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/ +/g, " ")
    .trim();
}
