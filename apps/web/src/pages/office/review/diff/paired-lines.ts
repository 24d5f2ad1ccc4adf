/** Lines of a patch, with the line that each took the place of: one under the other, or side by side. Pure. */
import type { PatchLine, PatchRow } from "../../../../ui/workspace-files/patch-rows.ts";

/** What stands in one row: a line of both files, of one of them, or two that belong together. */
export interface LinePair {
  readonly type: "line";
  readonly old?: PatchLine;
  readonly new?: PatchLine;
  /** Of a line that stands alone in its row: the text that it replaced, or that replaced it. */
  readonly other?: string;
}

export type PairedRow = LinePair | Exclude<PatchRow, PatchLine>;

export type Layout = "unified" | "split";

export function pairLines(rows: readonly PatchRow[], layout: Layout): readonly PairedRow[] {
  const paired: PairedRow[] = [];
  let [removed, added]: [PatchLine[], PatchLine[]] = [[], []];
  const flush = (): void => {
    paired.push(...(layout === "split" ? beside(removed, added) : below(removed, added)));
    [removed, added] = [[], []];
  };
  for (const row of rows) {
    if (row.type === "removed") {
      if (added.length > 0) flush();
      removed.push(row);
    } else if (row.type === "added") added.push(row);
    else {
      flush();
      paired.push(isSame(row) ? { type: "line", old: row, new: row } : row);
    }
  }
  flush();
  return paired;
}

function isSame(row: Exclude<PatchRow, { type: "added" | "removed" }>): row is PatchLine {
  return row.type === "same";
}

function beside(removed: readonly PatchLine[], added: readonly PatchLine[]): readonly LinePair[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, at) => {
    const [before, after] = [removed[at], added[at]];
    return {
      type: "line",
      ...(before !== undefined && { old: before }),
      ...(after !== undefined && { new: after }),
    };
  });
}

function below(removed: readonly PatchLine[], added: readonly PatchLine[]): readonly LinePair[] {
  return [
    ...removed.map((old, at) => ({ type: "line" as const, old, ...otherOf(added[at]) })),
    ...added.map((line, at) => ({ type: "line" as const, new: line, ...otherOf(removed[at]) })),
  ];
}

function otherOf(line: PatchLine | undefined): Pick<LinePair, "other"> {
  return line === undefined ? {} : { other: line.text };
}

/** Whether it is part of what changed. */
export function isChange({ old: before, new: after }: LinePair): boolean {
  return before !== after;
}
