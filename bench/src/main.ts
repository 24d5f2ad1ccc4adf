/**
 * `npm run bench [suite…]`: Atrium beside something simpler or better known, measured in the same run.
 *
 * It prints and never fails on a figure: absolute numbers are this machine's at this hour, the ratios
 * are the findings, and goals are for a reader to hold against them.
 */
import type { Finding, Suite } from "./report/finding.ts";
import { machineFacts, watchHost } from "./report/machine.ts";
import { tableOf } from "./report/table.ts";
import { appends } from "./suites/appends.ts";
import { browser } from "./suites/browser.ts";
import { builds } from "./suites/builds.ts";
import { chat } from "./suites/chat.ts";
import { cluster } from "./suites/cluster.ts";
import { commands } from "./suites/commands.ts";
import { fanout } from "./suites/fanout.ts";
import { flood } from "./suites/flood.ts";
import { memory } from "./suites/memory.ts";
import { office } from "./suites/office.ts";
import { reviews } from "./suites/reviews.ts";
import { roundtrips } from "./suites/roundtrips.ts";
import { signals } from "./suites/signals.ts";
import { start } from "./suites/start.ts";
import { worktrees } from "./suites/worktrees.ts";
import { world } from "./suites/world.ts";

const SUITES: readonly Suite[] = [
  roundtrips,
  flood,
  appends,
  cluster,
  chat,
  builds,
  fanout,
  signals,
  commands,
  start,
  memory,
  worktrees,
  world,
  office,
  browser,
  reviews,
];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !SUITES.some((suite) => suite.name === name));
if (unknown.length > 0) {
  console.error(
    `no such suite: ${unknown.join(", ")}; there are ${SUITES.map(({ name }) => name).join(", ")}`,
  );
  process.exit(1);
}
// Leaving this way, and not by the signal, ends the servers too.
process.once("SIGTERM", () => process.exit(143));
process.once("SIGINT", () => process.exit(130));

const facts = machineFacts();
const host = watchHost();
const findings: Finding[] = [];
const notes: string[] = [];
for (const suite of SUITES) {
  if (names.length > 0 && !names.includes(suite.name)) continue;
  console.log(`\n${suite.name}: ${suite.question}\n`);
  const report = await suite.run();
  console.log([tableOf(report.findings), ...report.notes.map((note) => `- ${note}`)].join("\n"));
  findings.push(...report.findings);
  notes.push(...report.notes);
}

console.log("\nAll of it, to paste:\n");
console.log([...facts, host()].map((fact) => `- ${fact}`).join("\n"));
console.log(`\n${tableOf(findings)}\n`);
console.log(notes.map((note) => `- ${note}`).join("\n"));
