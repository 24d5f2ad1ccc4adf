/** Changed files as lines of text, for agents. */
import type { FileChange, TreeComparison } from "../../workspaces/port/workspaces.ts";

const MAX_LINES = 300;

export function describeFiles({ files, isCut }: TreeComparison): string {
  if (files.length === 0) return "Nothing has changed.";
  const added = sum(files.map((file) => file.added));
  const removed = sum(files.map((file) => file.removed));
  const count = `${files.length}${isCut ? " or more" : ""} ${files.length === 1 ? "file" : "files"}`;
  const lines = files.slice(0, MAX_LINES).map(describeFile);
  const rest = files.length - lines.length;
  return [
    `${count} changed, +${added} −${removed} lines:`,
    ...lines,
    ...(rest > 0 ? [`… ${rest} more`] : []),
  ].join("\n");
}

function describeFile({ path, from, how, added, removed }: FileChange): string {
  const counts = added === null || removed === null ? "not text" : `+${added} −${removed}`;
  // A name may hold anything, line breaks too.
  const name = from === null ? shown(path) : `${shown(from)} → ${shown(path)}`;
  return `${how} ${name} (${counts})`;
}

function shown(path: string): string {
  return /[\p{Cc}\p{Bidi_Control}]/u.test(path) ? JSON.stringify(path) : path;
}

function sum(counts: readonly (number | null)[]): number {
  return counts.reduce((total: number, count) => total + (count ?? 0), 0);
}
