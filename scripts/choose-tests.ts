/** Which test files a run of test.ts is about, in which order, and which it leaves out. */
import { programsFor } from "./test-programs.ts";

export interface TestChoice {
  readonly chosen: readonly string[];
  /** What a green run says nothing about: by folder, with how it is run. */
  readonly leftOut: readonly string[];
}

/** Real clients of OpenClaw and others: they take minutes, and run when they are named. */
export const CLIENTS = "test/conformance/clients/";
/** What a quick run leaves out: whole servers, real browsers, killed processes; and every exported schema against its declaration. */
const LONG = ["test/", "scripts/protocol/"];
/** Those that take longest begin, so that none is left running alone at the end. */
const SLOWEST_FIRST = [
  // They mostly wait for servers to elect: beside browsers they cost little.
  "test/faults/cluster/",
  "test/e2e/web/office",
  "test/e2e/web/permissions",
  "test/e2e/web/",
  "test/faults/",
  "test/conformance/",
  "apps/server/src/workspaces/",
  "scripts/protocol/agreement",
  "apps/server/src/agents/",
  "apps/server/src/projects/",
  "packages/log/",
  "apps/web/src/office/",
  "test/",
];

export function chooseTests(
  found: readonly string[],
  { filters, isQuick }: { readonly filters: readonly string[]; readonly isQuick: boolean },
): TestChoice {
  const isNamed = (file: string): boolean => filters.some((filter) => file.includes(filter));
  const areClientsNamed = filters.some((filter) => filter.includes(CLIENTS));
  const isChosen = (file: string): boolean => {
    if (filters.length > 0 && !isNamed(file)) return false;
    if (file.startsWith(CLIENTS)) return areClientsNamed;
    const isLong = LONG.some((start) => file.startsWith(start)) || programsFor([file]).size > 0;
    return !isQuick || !isLong;
  };
  const { chosen = [], left = [] } = Object.groupBy(found, (file) =>
    isChosen(file) ? "chosen" : "left",
  );
  return {
    chosen: chosen.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)),
    leftOut: filters.length > 0 ? [] : describeFolders(left),
  };
}

function rank(file: string): number {
  const at = SLOWEST_FIRST.findIndex((start) => file.startsWith(start));
  return at === -1 ? SLOWEST_FIRST.length : at;
}

function describeFolders(files: readonly string[]): readonly string[] {
  const folders = Map.groupBy(files, (file) =>
    file.startsWith(CLIENTS) ? CLIENTS : file.split("/").slice(0, 2).join("/"),
  );
  return Array.from(folders, ([folder, { length }]) => {
    const count = `${length} ${length === 1 ? "file" : "files"} of ${folder}`;
    return `${count} (${folder === CLIENTS ? "npm run conformance" : "npm test"})`;
  }).toSorted();
}
