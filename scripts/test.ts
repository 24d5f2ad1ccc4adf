/**
 * Runs the checks, then every test, each file in a process of its own; the last line is the count.
 *
 *   npm test                    everything
 *   npm test -- --quick         the checks, unit and contract tests
 *   npm test -- packages/log    the test files whose path contains this, and no checks
 *   npm test -- --only-tests    every test, and no checks
 *
 * What the tests need from the system is brought before the first of them runs (test-programs.ts).
 *
 * Files share the processor, and some wait for browsers and elections. So of a whole run a few files that failed
 * run once more, alone: the report shows both results and names them as unsteady, because each is a race to find.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { glob } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { chooseTests, CLIENTS } from "./choose-tests.ts";
import { installPeer } from "./peers.ts";
import { runTestFile, type FileResult } from "./run-test-file.ts";
import { installProgram, isOptional } from "./system-programs.ts";
import { programsFor } from "./test-programs.ts";

const FILE_LIMIT_MS = 5 * 60_000;
/** A command of a real client takes seconds to start, and there are many. */
const CLIENT_LIMIT_MS = 15 * 60_000;
const CLI_TEST = "test/conformance/openclaw-cli.test.ts";
/** Most files wait for processes, sockets and clocks more than they compute: so many for each core keep it busy. */
const FILES_PER_CORE = 2.5;
/** More than these is no accident of a busy machine. */
const MAX_REPEATED_FILES = 3;
const root = join(import.meta.dirname, "..");
const started = performance.now();
// Most files load the same modules: whoever is first compiles them for all.
process.env["NODE_COMPILE_CACHE"] ??= join(root, "node_modules/.cache/compile");
const args = process.argv.slice(2);
const filters = args.filter((arg) => !arg.startsWith("--"));
const isQuick = args.includes("--quick");

const total = { passed: 0, failed: 0, skipped: 0 };
const broken: string[] = [];
const unsteady: string[] = [];
const { chosen, leftOut } = chooseTests(await findTestFiles(), { filters, isQuick });
await bringPrograms();
const checked = filters.length === 0 && !args.includes("--only-tests") ? runChecks() : undefined;
// Quick tests mostly wait, so checks and tests share the processor; browsers and killed servers want it for themselves.
if (!isQuick) await checked;
const waiting = chosen.values();
const suspects = new Map<string, FileResult>();
await Promise.all(
  Array.from({ length: Math.ceil(availableParallelism() * FILES_PER_CORE) }, async () => {
    for (const file of waiting) {
      const result = await runAndTell(file);
      if (result.failures.length === 0) count(result);
      else suspects.set(file, result);
    }
  }),
);
await checked;
const isRepeated = filters.length === 0 && suspects.size <= MAX_REPEATED_FILES;
for (const [file, first] of suspects) {
  const last = isRepeated ? await runAndTell(file) : first;
  count(last);
  (last.failures.length === 0 ? unsteady : broken).push(file);
}
tellOutcome();

async function runChecks(): Promise<void> {
  const check = spawn(process.execPath, [join(root, "scripts/check.ts")], { stdio: "inherit" });
  await once(check, "close");
  if (check.exitCode === 0) return;
  total.failed += 1;
  broken.push("npm run check");
}

async function findTestFiles(): Promise<readonly string[]> {
  const pattern = "{packages,apps,test,scripts,bench}/**/*.test.ts";
  return Array.fromAsync(glob(pattern, { cwd: root, exclude: ["**/node_modules/**"] }));
}

/** With CI=true a missing program, unless it is optional, is one failure now, not one for every test that needs it. */
async function bringPrograms(): Promise<void> {
  const names = [...programsFor(chosen)];
  const lacking = names.filter(isOptional).map((name) => installProgram(name));
  for (const problem of lacking) if (problem !== undefined) process.stdout.write(`${problem}\n`);
  const problems = names.filter((name) => !isOptional(name)).map((name) => installProgram(name));
  if (chosen.includes(CLI_TEST)) problems.push(await installPeer("openclaw-2026.9.6"));
  const missing = problems.filter((problem) => problem !== undefined);
  if (missing.length === 0) return;
  if (process.env["CI"] === "true") {
    process.stdout.write(`cannot run the tests: ${missing.join("\n")}\n\n0 passed, 1 failed\n`);
    process.exit(1);
  }
  process.stdout.write(`${missing.join("\n")}\n`);
}

function count({ passed, failures, skips }: FileResult): void {
  total.passed += passed;
  total.failed += failures.length;
  total.skipped += skips.length;
}

async function runAndTell(file: string): Promise<FileResult> {
  const began = performance.now();
  const limitMs = file.startsWith(CLIENTS) ? CLIENT_LIMIT_MS : FILE_LIMIT_MS;
  const result = await runTestFile(join(root, file), limitMs);
  const { passed, failures, skips, output } = result;
  const verdict = failures.length === 0 ? "ok    " : "FAILED";
  const lines = [`${verdict} ${file}  ${passed} passed, ${secondsSince(began)} s`];
  for (const skip of skips) lines.push(`  skipped: ${skip}`);
  for (const failure of failures) lines.push(`  failed: ${failure}`.replaceAll("\n", "\n    "));
  if (failures.length > 0 && output !== "") {
    lines.push(`  printed: ${output.trimEnd()}`.replaceAll("\n", "\n    "));
  }
  process.stdout.write(`${lines.join("\n")}\n`);
  return result;
}

function tellOutcome(): void {
  const { passed, failed, skipped } = total;
  const lines: string[] = [];
  if (passed + failed === 0) {
    lines.push(chosen.length === 0 ? "no test file matches" : "no test ran");
  }
  if (passed === 0 || failed > 0) process.exitCode = 1;
  if (broken.length > 0) lines.push(`failed: ${broken.join(", ")}`);
  if (unsteady.length > 0) {
    lines.push(`unsteady, failed beside other files and passed alone: ${unsteady.join(", ")}`);
  }
  if (leftOut.length > 0) lines.push(`left out: ${leftOut.join(", ")}`);
  lines.push(`took ${secondsSince(started)} s`, "");
  lines.push(`${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`);
  process.stdout.write(`\n${lines.join("\n")}\n`);
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}
