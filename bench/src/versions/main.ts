/**
 * `npm run bench:versions -- FOLDER [duel…]`: this version beside another one, whose checkout is in that folder
 * with its dependencies installed.
 *
 * The load is ours for both, each repetition takes both, and the ratio is ours to theirs. What either has kept of
 * the repetitions before is the same.
 */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Finding } from "../report/finding.ts";
import { machineFacts, watchHost } from "../report/machine.ts";
import { tableOf } from "../report/table.ts";
import { DUELS } from "./duels.ts";

const [folder, ...names] = process.argv.slice(2);
const unknown = names.filter((name) => !DUELS.some((duel) => duel.name === name));
if (folder === undefined || unknown.length > 0) {
  console.error(
    `usage: npm run bench:versions -- FOLDER [duel…]; there are ${DUELS.map(({ name }) => name).join(", ")}`,
  );
  process.exit(1);
}
const checkout = pathToFileURL(`${resolve(folder)}/`);
await stat(new URL("node_modules", checkout));
process.once("SIGTERM", () => process.exit(143));
process.once("SIGINT", () => process.exit(130));

const facts = machineFacts();
const host = watchHost();
const findings: Finding[] = [];
for (const duel of DUELS) {
  if (names.length > 0 && !names.includes(duel.name)) continue;
  const found = await duel.run(checkout);
  console.log(`\n${duel.name}\n\n${tableOf(found)}`);
  findings.push(...found);
}
console.log("\nAll of it, to paste:\n");
console.log([...facts, host()].map((fact) => `- ${fact}`).join("\n"));
console.log(`\n${tableOf(findings)}`);
