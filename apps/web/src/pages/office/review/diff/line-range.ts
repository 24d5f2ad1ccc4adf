/** Lines of one file, on one side. Pure. */
import type { Side } from "../change/review-http.ts";
import type { DiffItem } from "./diff-items.ts";

export interface LineRange {
  readonly path: string;
  readonly side: Side;
  readonly line: number;
  readonly endLine: number;
}

/** The lines from one item on, as far as they are of one file and side. */
export function rangeOf(
  items: readonly DiffItem[],
  at: number,
  extent: number,
): LineRange | undefined {
  const first = items[at];
  if (first?.kind !== "line") return undefined;
  const side = first.new === undefined ? "old" : "new";
  const start = first[side]?.[side];
  if (start === undefined) return undefined;
  const end = start + extent;
  const isThere = items.some(
    (item) => item.kind === "line" && item.file === first.file && item[side]?.[side] === end,
  );
  if (extent !== 0 && !isThere) return undefined;
  const [line, endLine] = [Math.min(start, end), Math.max(start, end)];
  return { path: first.file.path, side, line, endLine };
}

export function isIn(item: DiffItem, range: LineRange | undefined): boolean {
  if (range === undefined || item.kind !== "line" || item.file.path !== range.path) return false;
  const line = item[range.side]?.[range.side];
  return line !== undefined && line >= range.line && line <= range.endLine;
}
