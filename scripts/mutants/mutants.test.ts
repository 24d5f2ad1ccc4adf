import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { mutationsIn } from "./mutations.ts";

const MAIN = join(import.meta.dirname, "main.ts");
const SOURCE = `export function isAdult(age: number): boolean {
  return age >= 18;
}
export function greeting(name: string): string {
  return name === "" ? "hello" : "hello " + name;
}
`;
/** The brackets are added here, so that check-spec sees no titles in this file. */
const TESTS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { greeting, isAdult } from "./people.ts";
test("${cite("AGE-1")} an adult is 18", () => {
  assert.deepEqual([17, 18].map(isAdult), [false, true]);
});
test("${cite("AGE-2")} a greeting has the name", () => {
  greeting("you");
});
`;

describe("mutants", () => {
  test("a rule whose test notices is proven, one whose test looks at nothing is listed", () => {
    using home = mkdtempDisposableSync(join(tmpdir(), "mutants-test-"));
    const project = join(home.path, "project");
    write(project, "packages/people/SPEC.md", "- **AGE-1** holds.\n- **AGE-2** holds.\n");
    write(project, "packages/people/src/people.ts", SOURCE);
    write(project, "packages/people/src/people.test.ts", TESTS);
    write(project, "package.json", `{ "type": "module" }`);

    const { status, stdout } = runMutants(project, home.path, "--rules", "AGE-1,AGE-2");

    assert.match(stdout, /^AGE-1 noticed [1-9]\d* of \d+$/m, stdout);
    assert.match(stdout, /^AGE-2 noticed 0 of \d+$/m, stdout);
    assert.match(stdout, /^ {2}packages\/people\/src\/people\.ts:5 negate: return name ===/m);
    assert.match(stdout, /^not proven: AGE-2$/m);
    assert.equal(status, 1);
    assert.deepEqual(readdirSync(home.path), ["project"], "the copy is gone");
  });

  test("what is only loaded, or comes from another folder, is not what a test is about", () => {
    using home = mkdtempDisposableSync(join(tmpdir(), "mutants-test-"));
    const project = join(home.path, "project");
    write(project, "packages/people/SPEC.md", "- **AGE-1** holds.\n");
    write(project, "packages/people/src/people.ts", SOURCE);
    // The module next to the test says how long a year is; nobody asks.
    write(project, "packages/people/src/ages.ts", "export const YEAR_DAYS = 365;\n");
    write(project, "packages/other/src/help.ts", "export const help = () => 1;\n");
    const tests = TESTS.slice(0, TESTS.indexOf(`test("${cite("AGE-2")}`));
    const imports = `import "./ages.ts";\nimport { help } from "../../other/src/help.ts";\nhelp();\n`;
    write(project, "packages/people/src/ages.test.ts", imports + tests);
    write(project, "package.json", `{ "type": "module" }`);
    const { status, stdout } = runMutants(project, home.path, "--rules", "AGE-1");
    assert.match(stdout, /^AGE-1 noticed [1-9]/m, stdout);
    assert.doesNotMatch(stdout, /ages\.ts|help\.ts/);
    assert.equal(status, 0);
  });

  test("a rule that nobody promises is named", () => {
    using home = mkdtempDisposableSync(join(tmpdir(), "mutants-test-"));
    const project = join(home.path, "project");
    write(project, "packages/people/SPEC.md", "- **AGE-1** holds.\n");
    const { status, stdout } = runMutants(project, home.path, "--rules", "AGE-9");
    assert.match(stdout, /^no SPEC.md promises AGE-9$/m);
    assert.equal(status, 1);
  });

  test("conditions, operators, calls, bodies and constants are changed, types and names are not", () => {
    const source = `import type { A } from "./a.ts";
      if (a) { await b(); }
      const c = (d: "x" | 2): A => { return d < 1 && e as never; };
      const f = { "g": "h" };`;
    const changed = mutationsIn(source).map(
      ({ start, end, text }) => `${source.slice(start, end)} -> ${text}`,
    );
    assert.deepEqual(changed, [
      "a -> !(a)",
      "await b(); -> ;",
      " ->  return;",
      "&& -> ||",
      "< -> >=",
      "1 -> (1 + 1)",
      `"h" -> "h (changed)"`,
    ]);
  });
});

function cite(rule: string): string {
  return `[${rule}]`;
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function runMutants(
  cwd: string,
  temporary: string,
  ...args: readonly string[]
): { readonly status: number | null; readonly stdout: string } {
  const env = { ...process.env, TMPDIR: temporary };
  return spawnSync(process.execPath, [MAIN, ...args], { cwd, env, encoding: "utf8" });
}
