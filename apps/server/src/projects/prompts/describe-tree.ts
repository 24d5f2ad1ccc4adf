/** A tree as whoever is new to it is shown it: its outline, and how it begins to describe itself. */
import type { TreeEntry, Workspaces } from "../../workspaces/port/workspaces.ts";
import { oneLine, quoted } from "./quoting.ts";

export interface TreePlace {
  readonly git: Pick<Workspaces, "listFolder" | "readFile">;
  readonly repositoryId: string;
  readonly tree: string;
}

const MAX_OUTLINE_CHARS = 4_000;
const MAX_TOP_ENTRIES = 60;
const MAX_ENTRIES = 20;
const MAX_NAME_CHARS = 100;

/** Two levels; of what does not fit, how much it is. */
export async function describeOutline({ git, repositoryId, tree }: TreePlace): Promise<string> {
  const top = await git.listFolder(repositoryId, tree, "");
  if (!top.ok || top.value.length === 0) return "";
  const shown = top.value.slice(0, MAX_TOP_ENTRIES);
  let room = MAX_OUTLINE_CHARS - shown.reduce((sum, { name }) => sum + name.length, 0);
  const lines: string[] = [];
  for (const entry of shown) {
    lines.push(lineOf(entry));
    if (entry.type !== "folder" || room <= 0) continue;
    const inside = await git.listFolder(repositoryId, tree, entry.name);
    const more = inside.ok ? listed(inside.value, MAX_ENTRIES).map((line) => `  ${line}`) : [];
    room -= more.join("\n").length;
    if (room > 0) lines.push(...more);
  }
  if (top.value.length > shown.length) lines.push(`… ${top.value.length - shown.length} more`);
  return quoted(lines.join("\n"), MAX_OUTLINE_CHARS * 2);
}

function listed(entries: readonly TreeEntry[], most: number): readonly string[] {
  const lines = entries.slice(0, most).map(lineOf);
  return entries.length > most ? [...lines, `… ${entries.length - most} more`] : lines;
}

function lineOf({ name, type }: TreeEntry): string {
  return `${oneLine(name, MAX_NAME_CHARS)}${type === "folder" ? "/" : ""}`;
}

export interface Conventions {
  readonly file: string;
  readonly text: string;
}

const NO_CONVENTIONS: Conventions = { file: "", text: "" };
/** The first of them that is there. */
const CONVENTION_FILES = ["agents.md", "claude.md", "readme.md", "readme", "readme.txt"];
const MAX_CONVENTION_CHARS = 8_000;
const MAX_READ_BYTES = 1024 * 1024;

export async function readConventions({
  git,
  repositoryId,
  tree,
}: TreePlace): Promise<Conventions> {
  const top = await git.listFolder(repositoryId, tree, "");
  if (!top.ok) return NO_CONVENTIONS;
  const files = top.value.filter(({ type }) => type === "file");
  const name = CONVENTION_FILES.map(
    (wanted) => files.find((each) => each.name.toLowerCase() === wanted)?.name,
  ).find((found) => found !== undefined);
  if (name === undefined) return NO_CONVENTIONS;
  const read = await git.readFile(repositoryId, tree, name, MAX_READ_BYTES);
  const content = read.ok ? read.value.content : null;
  if (content === null || content.includes(0)) return NO_CONVENTIONS;
  const text = quoted(content.toString("utf8"), MAX_CONVENTION_CHARS);
  return text === "" ? NO_CONVENTIONS : { file: oneLine(name), text };
}
