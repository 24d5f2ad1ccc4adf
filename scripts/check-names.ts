/** Exported types are nouns, and no two that can meet in one file have the same name. */
import { report } from "./report.ts";
import { readFiles } from "./source-files.ts";
import { nameProblems } from "./type-names.ts";

const files = await readFiles("{packages,apps}/*/src/**/*.{ts,tsx}");
report(`${files.length} files with names`, nameProblems(files));
