import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import type { FileResult } from "./run-test-file.ts";

describe("run a test file", () => {
  test("counts leaves, neither suites nor tests that hold others", async () => {
    const result = await resultOf(`
      describe("suite", () => {
        test("a", () => {});
        test("b", async (t) => {
          await t.test("c", () => {});
          await t.test("d", () => {});
        });
      });
    `);
    assert.deepEqual(result, { passed: 3, failures: [], skips: [], output: "" });
  });

  test("tells each failure once, under its whole title, with what the file printed", async () => {
    const { passed, failures, output } = await resultOf(`
      describe("suite", () => {
        test("a", () => {});
        test("b", () => {
          console.log("looking");
          assert.deepEqual({ a: 1 }, { a: 2 });
        });
      });
    `);
    assert.equal(passed, 1);
    assert.equal(failures.length, 1);
    assert.match(failures[0] ?? "", /^suite > b\nAssertionError.*\+ {3}a: 1\n- {3}a: 2/s);
    assert.equal(output, "looking\n");
  });

  test("a failing hook is a failure", async () => {
    const { failures } = await resultOf(`
      describe("suite", () => {
        before(() => { throw new Error("not ready"); });
        test("a", () => {});
      });
    `);
    assert.ok(failures.some((failure) => failure.includes("not ready")));
  });

  test("skipped and unwritten tests are named with their reasons", async () => {
    const { passed, skips } = await resultOf(`
      test("a", { skip: "no network" }, () => {});
      test.todo("b");
      describe.skip("suite", () => { test("c", () => {}); });
    `);
    assert.equal(passed, 0);
    assert.deepEqual(skips, ["a (no network)", "b (to do)", "suite (skipped)"]);
  });

  test("a file that defines no test, or breaks outside of its tests, fails", async () => {
    assert.deepEqual((await resultOf("")).failures, ["defines no tests"]);
    const broken = await resultOf(`throw new Error("at load");`);
    assert.deepEqual(broken.failures, ["the process failed"]);
    assert.match(broken.output, /at load/);
  });

  test("a file that does not end is ended, and the unfinished test named", async () => {
    const { passed, failures } = await resultOf(
      `test("a", () => {}); test("b", () => new Promise(() => setInterval(() => {}, 1000)));`,
      1500,
    );
    assert.equal(passed, 1);
    assert.deepEqual(failures, ["did not end within 1.5 s; unfinished: b"]);
  });

  test("a file that does not end when it is asked to is killed", async () => {
    // As a browser's driver does, to close the browser first.
    const { passed, failures } = await resultOf(
      `process.on("SIGTERM", () => {}); test("a", () => new Promise(() => setInterval(() => {}, 1000)));`,
      1500,
    );
    assert.equal(passed, 0);
    assert.deepEqual(failures, ["did not end within 1.5 s; unfinished: a"]);
  });
});

/** In a process of its own, because a run inside a test file is ignored. */
async function resultOf(body: string, limitMs = 60_000): Promise<FileResult> {
  await using dir = await mkdtempDisposable(join(tmpdir(), "atrium-test-file-"));
  const file = join(dir.path, "probe.test.mjs");
  const runner = join(dir.path, "runner.mjs");
  await writeFile(
    file,
    `import assert from "node:assert/strict";
     import { before, describe, test } from "node:test";
     ${body}`,
  );
  await writeFile(
    runner,
    `import { runTestFile } from "${new URL("run-test-file.ts", import.meta.url).href}";
     console.log(JSON.stringify(await runTestFile(process.argv[2], ${limitMs})));`,
  );
  const { NODE_TEST_CONTEXT: _inside, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [runner, file], { env });
  return JSON.parse(stdout) as FileResult;
}
