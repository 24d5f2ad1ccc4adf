/**
 * Keeps SPEC.md files and tests honest with each other.
 *
 * Every rule (in bold: an id, a dash, a number) is cited by the title of a test, every cited rule
 * exists, and no number is given twice. Wording may differ; what is promised may not. A file has a
 * prefix of its own, ascending numbers, and few and short rules.
 */
import { report } from "./report.ts";
import { readFiles } from "./source-files.ts";
import { rulesIn, specProblems } from "./spec-rules.ts";

const specs = await readFiles("{packages,apps,test}/**/SPEC.md");
const tests = await readFiles("{packages,apps,test,scripts}/**/*.{test,contract}.ts");
const rules = specs.flatMap((spec) => rulesIn(spec.text));
report(`${rules.length} rules in ${specs.length} specs`, specProblems(specs, tests));
