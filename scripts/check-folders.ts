/**
 * Folders import one another in one direction only, and none is crowded.
 *
 *   node scripts/check-folders.ts            compares docs/folders.md with what is imported
 *   node scripts/check-folders.ts --write    writes it
 */
import { readFile, writeFile } from "node:fs/promises";
import { circlesIn, crowdedFolders, drawGraph, graphOf, importsIn } from "./folder-graph.ts";
import { LAYERS } from "./lint/layers.ts";
import { report } from "./report.ts";
import { readFiles } from "./source-files.ts";

const PAGE = "docs/folders.md";
const MAX_FILES = 20;

const files = await readFiles("{packages,apps}/*/src/**/*.{ts,tsx}");
const imports = importsIn(files);
const problems = [...crowdedFolders(files, MAX_FILES)];
for (const folder of foldersOf(files.map(({ path }) => path))) {
  const circles = circlesIn(graphOf(folder, imports));
  problems.push(...circles.map((circle) => `${folder}: ${circle} is a circle`));
}
const page = drawPage();
if (process.argv.includes("--write")) await writeFile(PAGE, page);
else if ((await readFile(PAGE, "utf8").catch(() => "")) !== page) {
  problems.push(`${PAGE} is not as drawn; run: node scripts/check-folders.ts --write`);
}
report(`${files.length} files in folders`, problems);

/** Every folder from `src` down. */
function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    const parts = path.split("/");
    for (let end = 3; end < parts.length; end++) folders.add(parts.slice(0, end).join("/"));
  }
  return folders;
}

function drawPage(): string {
  const drawings = LAYERS.map(({ folder }) => {
    const drawing = drawGraph(graphOf(folder, imports));
    return `## ${folder}\n\n\`\`\`text\n${drawing}\n\`\`\`\n`;
  });
  return [
    "# Folders\n",
    "Each folder with the folders it imports, the lowest first; `.` is the folder's own files.",
    "Made by `node scripts/check-folders.ts --write`; `npm run check` compares it with the imports,",
    "and fails on a circle. `scripts/lint/layers.ts` says what may be imported.\n",
    ...drawings,
  ].join("\n");
}
