/** What a patch leaves out, put back from the file: one place, or all of them. Pure. */
import {
  shownLine,
  type PatchLine,
  type PatchRow,
} from "../../../../ui/workspace-files/patch-rows.ts";

/** Places by the number of the line after them, in the new file; the end of the file is Infinity. */
export type OpenGaps = ReadonlySet<number> | "all";

export const END_GAP = Number.POSITIVE_INFINITY;

/** `lines` is the new file. */
export function unfoldRows(
  rows: readonly PatchRow[],
  lines: readonly string[],
  gaps: OpenGaps,
): readonly PatchRow[] {
  const isOpen = (gap: number): boolean => gaps === "all" || gaps.has(gap);
  const unfolded: PatchRow[] = [];
  const next = { old: 1, new: 1 };
  const fill = (end: number): void => {
    while (next.new < end) {
      const text = shownLine(lines[next.new - 1] ?? "");
      unfolded.push({ type: "same", text, old: next.old++, new: next.new++ });
    }
  };
  for (const row of rows) {
    if (row.type === "gap" && isOpen(row.new)) {
      // A patch without context counts an insertion from the line before it.
      fill(row.new);
      continue;
    }
    unfolded.push(row);
    if (row.type === "gap") [next.old, next.new] = [row.old, row.new];
    else if (row.type !== "note") step(next, row);
  }
  if (isOpen(END_GAP)) fill(lines.length + 1);
  return unfolded;
}

function step(next: { old: number; new: number }, row: PatchLine): void {
  if (row.old !== undefined) next.old = row.old + 1;
  if (row.new !== undefined) next.new = row.new + 1;
}
