import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { PROGRAMS } from "./system-programs.ts";
import { TEST_PROGRAMS, usedPrograms, type Sources } from "./test-programs.ts";

const root = join(import.meta.dirname, "..");

function read(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return undefined;
  }
}

const tree: Sources = { source: read, document: (name) => read(`docs/${name}`) };

test("every test file that uses a program is in the table, and no other", async () => {
  const pattern = "{packages,apps,test,bench}/**/*.test.ts";
  const files = await Array.fromAsync(
    glob(pattern, { cwd: root, exclude: ["**/node_modules/**"] }),
  );
  const used = files
    .map((file): [string, string[]] => [file, [...usedPrograms(file, tree)]])
    .filter(([, programs]) => programs.length > 0);
  assert.deepEqual(new Map(used), TEST_PROGRAMS);
});

test("a browser is seen behind any number of imports, types are not one, and examples are looked into", () => {
  const files = new Map([
    ["test/a.test.ts", 'import { open } from "./kit/b.ts";'],
    ["test/kit/b.ts", 'import { look } from "./c.ts";\nimport { open } from "../a.test.ts";'],
    ["test/kit/c.ts", 'import { chromium, type Page } from "playwright-core";'],
    ["test/typed.test.ts", 'import type { Page } from "playwright-core";'],
    ["test/docs.test.ts", 'run("sh", ["-c", code]); read("../docs/signals.md")'],
    ["test/terminal.test.ts", "startCliInTerminal([])"],
    ["test/named.test.ts", 'skipWithout("script")'],
    ["test/sandbox.test.ts", "skipWithoutSandbox()"],
  ]);
  const sources: Sources = {
    source: (path) => files.get(path),
    document: (name) => (name === "signals.md" ? "Ask:\n\ncurl -s x" : undefined),
  };
  const found = ["a", "typed", "docs", "terminal", "named", "sandbox"].map((name) => [
    ...usedPrograms(`test/${name}.test.ts`, sources),
  ]);
  assert.deepEqual(found, [["chromium"], [], ["curl"], ["script"], ["script"], ["bwrap"]]);
});

for (const [ci, sees] of [
  ["true", { status: 1, line: /^cannot run the tests: chromium is missing/m, ran: false }],
  ["", { status: 1, line: /skipped: .*chromium is missing.*ATRIUM_CHROMIUM/, ran: true }],
] as const) {
  test(`without a browser, ${ci === "true" ? "CI fails once before any test" : "tests are skipped by name"}`, () => {
    const { variable } = PROGRAMS.chromium;
    // A run that finds itself inside another runs nothing.
    const { NODE_TEST_CONTEXT: _inside, ...env } = process.env;
    const run = spawnSync(process.execPath, ["scripts/test.ts", "test/e2e/web/chat-page"], {
      cwd: root,
      env: { ...env, CI: ci, [variable]: "/nowhere/chromium" },
      encoding: "utf8",
    });
    assert.equal(run.status, sees.status);
    assert.match(run.stdout, sees.line);
    assert.equal(run.stdout.includes("test/e2e/web/chat-page.test.ts  "), sees.ran);
  });
}
