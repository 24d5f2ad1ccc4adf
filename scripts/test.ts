/**
 * Runs the checks, then every test, each file in a process of its own; the last line is the count.
 *
 *   npm test                    everything
 *   npm test -- packages/log    the test files whose path contains this, and no checks
 *   npm test -- --only-tests    every test, and no checks
 *
 * The real clients in test/conformance/clients take minutes and run when named: `npm run conformance`.
 */
import { spawnSync } from "node:child_process";
import { glob } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { installPeer } from "./peers.ts";
import { runTestFile } from "./run-test-file.ts";

const FILE_LIMIT_MS = 5 * 60_000;
/** A command of a real client takes seconds to start, and there are many. */
const CLIENT_LIMIT_MS = 15 * 60_000;
const CLIENTS = "test/conformance/clients/";
const CLI_TEST = "test/conformance/openclaw-cli.test.ts";
const root = join(import.meta.dirname, "..");
const args = process.argv.slice(2);
const filters = args.filter((arg) => arg !== "--only-tests");

const total = { passed: 0, failed: 0, skipped: 0 };
const broken: string[] = [];
if (args.length === 0 && !isCheckOk()) {
  total.failed += 1;
  broken.push("npm run check");
}

const files = await findTestFiles();
// The one thing that is fetched, and before any test runs. Without it the test that needs it says so.
if (files.some((file) => file.endsWith(CLI_TEST))) {
  const problem = await installPeer("openclaw-2026.9.6");
  if (problem !== undefined) process.stdout.write(`${problem}\n`);
}
const waiting = files.values();
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const file of waiting) await runAndTell(file);
  }),
);

if (total.passed + total.failed === 0) {
  process.stdout.write(files.length === 0 ? "no test file matches\n" : "no test ran\n");
}
if (total.passed === 0 || total.failed > 0) process.exitCode = 1;
if (broken.length > 0) process.stdout.write(`\nfailed: ${broken.join(", ")}\n`);
const skipped = total.skipped === 0 ? "" : `, ${total.skipped} skipped`;
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);

function isCheckOk(): boolean {
  const check = spawnSync(process.execPath, [join(root, "scripts/check.ts")], { stdio: "inherit" });
  process.stdout.write("\n");
  return check.status === 0;
}

async function findTestFiles(): Promise<string[]> {
  const pattern = "{packages,apps,test,scripts,bench}/**/*.test.ts";
  const found = await Array.fromAsync(
    glob(pattern, { cwd: root, exclude: ["**/node_modules/**"] }),
  );
  const isNamed = (file: string): boolean => filters.some((filter) => file.includes(filter));
  const areClientsNamed = filters.some((filter) => filter.includes(CLIENTS));
  return found
    .filter((file) => filters.length === 0 || isNamed(file))
    .filter((file) => areClientsNamed || !file.startsWith(CLIENTS))
    .toSorted()
    .map((file) => join(root, file));
}

async function runAndTell(file: string): Promise<void> {
  const started = performance.now();
  const limitMs = file.includes(CLIENTS) ? CLIENT_LIMIT_MS : FILE_LIMIT_MS;
  const { passed, failures, skips, output } = await runTestFile(file, limitMs);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  total.passed += passed;
  total.failed += failures.length;
  total.skipped += skips.length;

  if (failures.length > 0) broken.push(relative(root, file));
  const verdict = failures.length === 0 ? "ok    " : "FAILED";
  const lines = [`${verdict} ${relative(root, file)}  ${passed} passed, ${seconds} s`];
  for (const skip of skips) lines.push(`  skipped: ${skip}`);
  for (const failure of failures) lines.push(`  failed: ${failure}`.replaceAll("\n", "\n    "));
  if (failures.length > 0 && output !== "") {
    lines.push(`  printed: ${output.trimEnd()}`.replaceAll("\n", "\n    "));
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}
