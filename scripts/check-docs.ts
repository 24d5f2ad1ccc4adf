/**
 * Keeps prose honest with the tree.
 *
 * Paths in backticks exist, links and anchors resolve, lines of prose have at most 100 columns, the
 * index lists every page, decisions are numbered without gaps and have a status, and every runtime
 * dependency was decided on.
 */
import { readdir } from "node:fs/promises";
import { decisionProblems, unexplainedDependencies, type Manifest } from "./decisions.ts";
import {
  indexProblems,
  lengthProblems,
  linkProblems,
  pathProblems,
  type Tree,
} from "./doc-problems.ts";
import { report } from "./report.ts";
import { readFiles } from "./source-files.ts";

const INDEX = "docs/README.md";
const docs = await readFiles("{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md", "docs/**/*.md");
const decisions = docs.filter(({ path }) => path.startsWith("docs/decisions/"));
const markdown = new Map((await readFiles("**/*.md")).map(({ path, text }) => [path, text]));
const manifests = await readFiles("{packages,apps}/*/package.json", "{bench/,}package.json");
const tree = await readTree();
/** Records keep the lines they were written in. */
const isHistory = (path: string): boolean => path.startsWith("docs/decisions/");

report(`${docs.length} documents, ${decisions.length} decisions`, [
  ...docs.flatMap((doc) => [
    ...pathProblems(doc, tree),
    ...linkProblems(doc, tree, (path) => markdown.get(path) ?? ""),
    ...(isHistory(doc.path) ? [] : lengthProblems(doc)),
  ]),
  ...indexProblems(
    { path: INDEX, text: markdown.get(INDEX) ?? "" },
    docs.map(({ path }) => path),
  ),
  ...decisionProblems(decisions),
  ...unexplainedDependencies(
    manifests.map(({ text }) => manifestIn(text)),
    decisions,
  ),
]);

function manifestIn(text: string): Manifest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- npm has read these before us
  return JSON.parse(text) as Manifest;
}

async function readTree(): Promise<Tree> {
  const files = new Set<string>();
  const folders = new Set<string>();
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder === "" ? "." : folder, { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) files.add(path);
      else if (![".git", ".cache", "node_modules"].includes(entry.name)) {
        folders.add(path);
        await walk(path);
      }
    }
  };
  await walk("");
  return { files, folders };
}
