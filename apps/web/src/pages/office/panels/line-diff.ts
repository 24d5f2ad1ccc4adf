/** Two texts line by line: what came, what went, and of what stayed only what stands beside it. Pure. */
import { diffLines } from "diff";

export type DiffRow =
  | { readonly type: "same" | "added" | "removed"; readonly text: string }
  | { readonly type: "skipped"; readonly count: number };

const AROUND = 2;
/** Beyond, comparing takes longer than a person waits. */
const PATIENCE_MS = 1_500;

/** Undefined when the texts are too different to be compared in time. */
export function lineDiff(before: string, after: string): readonly DiffRow[] | undefined {
  const changes = diffLines(before, after, { timeout: PATIENCE_MS });
  return changes?.flatMap(({ value, added, removed }, at) => {
    const lines = value.replace(/\n$/, "").split("\n");
    if (added) return lines.map((text) => ({ type: "added" as const, text }));
    if (removed) return lines.map((text) => ({ type: "removed" as const, text }));
    return beside(lines, at === 0, at === changes.length - 1);
  });
}

export function isSame(rows: readonly DiffRow[]): boolean {
  return rows.every(({ type }) => type === "same" || type === "skipped");
}

function beside(lines: readonly string[], isFirst: boolean, isLast: boolean): readonly DiffRow[] {
  const head = isFirst ? 0 : AROUND;
  const tail = isLast ? 0 : AROUND;
  const count = lines.length - head - tail;
  if (count <= 1) return same(lines);
  return [
    ...same(lines.slice(0, head)),
    { type: "skipped", count },
    ...same(lines.slice(lines.length - tail)),
  ];
}

function same(lines: readonly string[]): readonly DiffRow[] {
  return lines.map((text) => ({ type: "same", text }));
}
