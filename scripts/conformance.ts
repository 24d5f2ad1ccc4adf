/**
 * Runs the real clients against our server: brings what they need, then every test in test/conformance,
 * and says at the end what a client asked for in vain.
 *
 *   npm run conformance              all of them
 *   npm run conformance -- tui acp   the files whose name contains one of these
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempDisposableSync, readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPeer, peerNames } from "./peers.ts";
import { installProgram } from "./system-programs.ts";

interface Refusal {
  readonly client: string;
  readonly method: string;
  readonly message: string;
}

const root = join(import.meta.dirname, "..");
const filters = process.argv.slice(2);

const problems = (await Promise.all(peerNames().map((name) => installPeer(name)))).concat(
  installProgram("chromium"),
);
for (const problem of problems) if (problem !== undefined) process.stderr.write(`${problem}\n`);
const isIncomplete = problems.some((problem) => problem !== undefined);
if (isIncomplete && process.env["CI"] === "true") process.exit(1);

const found = await Array.fromAsync(glob("test/conformance/**/*.test.ts", { cwd: root }));
const files = found.filter(
  (file) => filters.length === 0 || filters.some((filter) => file.includes(filter)),
);
if (files.length === 0) {
  process.stderr.write(`no conformance test is called ${filters.join(" or ")}\n`);
  process.exit(1);
}

using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-conformance-report-"));
const report = join(folder.path, "refusals.jsonl");
const tests = spawnSync(process.execPath, [join(root, "scripts/test.ts"), ...files], {
  stdio: "inherit",
  env: { ...process.env, ATRIUM_CONFORMANCE_REPORT: report },
});
if (existsSync(report)) tellRefusals(readFileSync(report, "utf8"));
process.exitCode = tests.status ?? 1;

/** Each kind once per client. */
function tellRefusals(lines: string): void {
  const told = new Set<string>();
  for (const line of lines.trim().split("\n")) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own tests wrote it
    const { client, method, message } = JSON.parse(line) as Refusal;
    told.add(`${client.padEnd(16)} ${method.padEnd(32)} ${message}`);
  }
  process.stdout.write("\nAsked for in vain:\n");
  for (const refusal of [...told].toSorted()) process.stdout.write(`  ${refusal}\n`);
}
