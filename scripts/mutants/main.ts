/**
 * Breaks the code on purpose, in a copy, and tells which rules' tests notice.
 *
 *   npm run check:mutants                            20 rules by a new seed
 *   npm run check:mutants -- --seed 7 --count 40     40 rules, the same each time
 *   npm run check:mutants -- --rules GW-7,LOG-2      these rules
 *   … --mutants 12 --minutes 30                      mutants of each rule, and the time for all
 *
 * A rule is proven when at least one mutant was noticed. A survivor is no fault by itself: it may
 * be in code that the test runs on its way to something else.
 */
import { parseArgs } from "node:util";
import { readFiles } from "../source-files.ts";
import { citedRules } from "./citing-tests.ts";
import { judgeRule, type Verdict } from "./judge-rule.ts";
import { openScratchCopy } from "./scratch-copy.ts";

const { values } = parseArgs({
  options: {
    rules: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 100_000) },
    count: { type: "string", default: "20" },
    mutants: { type: "string", default: "8" },
    minutes: { type: "string", default: "10" },
  },
});
const random = createRandom(Number(values.seed));
const ends = performance.now() + Number(values.minutes) * 60_000;

const rules = citedRules(
  await readFiles("{packages,apps,test}/**/SPEC.md"),
  await readFiles("{packages,apps,test,scripts}/**/*.{test,contract}.ts"),
);
const wanted = values.rules?.split(",");
const unknown = wanted?.filter((id) => rules.every((rule) => rule.id !== id)) ?? [];
const chosen =
  wanted === undefined
    ? shuffle(rules).slice(0, Number(values.count))
    : rules.filter((rule) => wanted.includes(rule.id));
process.stdout.write(`${chosen.length} of ${rules.length} rules, seed ${values.seed}\n`);
const verdicts = await judgeAll();

const isProven = ({ tried, survivors }: Verdict): boolean => survivors.length < tried;
const unproven = verdicts.filter((each) => each.skipped === undefined && !isProven(each));
const left = chosen.slice(verdicts.length).map(({ id }) => id);
for (const id of unknown) process.stdout.write(`no SPEC.md promises ${id}\n`);
if (left.length > 0) process.stdout.write(`no time for: ${left.join(", ")}\n`);
process.stdout.write(`not proven: ${unproven.map(({ rule }) => rule).join(", ") || "none"}\n`);
process.exitCode = unproven.length + unknown.length === 0 ? 0 : 1;

async function judgeAll(): Promise<readonly Verdict[]> {
  await using copy = await openScratchCopy(process.cwd());
  const trial = { folder: copy.folder, mutants: Number(values.mutants), shuffle, isOver };
  const done: Verdict[] = [];
  for (const rule of chosen) {
    if (isOver()) break;
    const verdict = await judgeRule(rule, trial);
    const { tried, survivors, skipped } = verdict;
    const noticed = `noticed ${tried - survivors.length} of ${tried}`;
    const lines = [skipped === undefined ? noticed : `skipped: ${skipped}`, ...survivors];
    process.stdout.write(`${rule.id} ${lines.join("\n  ")}\n`);
    done.push(verdict);
  }
  return done;
}

function isOver(): boolean {
  return performance.now() > ends;
}

function shuffle<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((first, second) => first.at - second.at)
    .map(({ item }) => item);
}

/** The same seed gives the same numbers (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
