/** Which folder imports which, at every depth of a tree: its circles, its sizes, and a drawing. */
import { posix } from "node:path";
import type { SourceFile } from "./source-files.ts";

/** Folders by name, each with those it imports; all of them stand in one folder. */
export type FolderGraph = ReadonlyMap<string, ReadonlySet<string>>;

const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*)"(\.{1,2}\/[^"\n]*)"/g;
const TEST_FILE = /\.(?:test|contract)\.tsx?$|\/testing\//;
/** They import everything below them, and nothing imports them. */
const ENTRY_POINTS = /\/(?:index|main)\.tsx?$/;

interface Import {
  readonly from: string;
  readonly to: string;
}

export function importsIn(files: readonly SourceFile[]): readonly Import[] {
  const known = new Set(files.map(({ path }) => path));
  return files
    .filter(({ path }) => !TEST_FILE.test(path) && !ENTRY_POINTS.test(path))
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(SPECIFIER), ([, specifier = ""]) => ({
        from: path,
        to: posix.join(posix.dirname(path), specifier),
      })),
    )
    .filter(({ to }) => known.has(to));
}

/** What stands directly in `folder`: its folders, and its own files as one node named ".". */
export function graphOf(folder: string, imports: readonly Import[]): FolderGraph {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [a, b] = [childOf(folder, from), childOf(folder, to)];
    if (a === undefined || b === undefined) continue;
    const targets = graph.get(a) ?? new Set();
    graph.set(a, a === b ? targets : targets.add(b));
    if (!graph.has(b)) graph.set(b, new Set());
  }
  return graph;
}

/** Every folder that reaches itself through another, once, with the way round. */
export function circlesIn(graph: FolderGraph): readonly string[] {
  const circles = new Map<string, string>();
  for (const start of graph.keys()) {
    const way = wayBack(graph, start);
    if (way === undefined) continue;
    const key = way.toSorted().join(" ");
    if (!circles.has(key)) circles.set(key, [...way, start].join(" -> "));
  }
  return [...circles.values()];
}

/** Folders with more source files than `max`, tests left out. */
export function crowdedFolders(files: readonly SourceFile[], max: number): readonly string[] {
  const sources = files.filter(({ path }) => !TEST_FILE.test(path));
  const byFolder = Map.groupBy(sources, ({ path }) => posix.dirname(path));
  return Array.from(byFolder, ([folder, { length }]) => ({ folder, length }))
    .filter(({ length }) => length > max)
    .map(({ folder, length }) => `${folder} has ${length} files; at most ${max}`);
}

/** As a list, the lowest folder first: each with the folders it imports. */
export function drawGraph(graph: FolderGraph): string {
  const width = Math.max(...Array.from(graph.keys(), (name) => name.length));
  const order = [...graph.keys()].toSorted(
    (a, b) => depthOf(graph, a) - depthOf(graph, b) || (a < b ? -1 : 1),
  );
  return order
    .map((name) => {
      const targets = order.filter((target) => graph.get(name)?.has(target));
      return `${name.padEnd(width)}  ${targets.join(" ")}`.trimEnd();
    })
    .join("\n");
}

function childOf(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined;
  const [first = "", ...rest] = path.slice(folder.length + 1).split("/");
  return rest.length === 0 ? "." : first;
}

function wayBack(graph: FolderGraph, start: string): readonly string[] | undefined {
  const ways: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? start) ?? []) {
      if (next === start) return way;
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

function depthOf(graph: FolderGraph, name: string, above: readonly string[] = []): number {
  const below = [...(graph.get(name) ?? [])].filter((next) => !above.includes(next));
  return Math.max(0, ...below.map((next) => 1 + depthOf(graph, next, [...above, name])));
}
