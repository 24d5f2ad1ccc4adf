/** Two texts line by line: what came, what went, and of what stayed only what stands beside it. Pure. */
import { diffLines } from "diff";

/** With the number of the line in the text it is from; of what stayed, in the later one. */
export type DiffRow =
  | { readonly type: "same" | "added" | "removed"; readonly text: string; readonly line: number }
  | { readonly type: "skipped"; readonly count: number };

const AROUND = 2;
/** Beyond, comparing takes longer than a person waits. */
const PATIENCE_MS = 1_500;

/** Undefined when the texts are too different to be compared in time. */
export function lineDiff(before: string, after: string): readonly DiffRow[] | undefined {
  const changes = diffLines(before, after, { timeout: PATIENCE_MS });
  const next = { before: 1, after: 1 };
  return changes?.flatMap(({ value, added, removed }, at) => {
    const lines = value.replace(/\n$/, "").split("\n");
    const [from, gone] = [next.after, next.before];
    if (!added) next.before += lines.length;
    if (!removed) next.after += lines.length;
    if (added) return numbered("added", lines, from);
    if (removed) return numbered("removed", lines, gone);
    return beside(numbered("same", lines, from), at === 0, at === changes.length - 1);
  });
}

export function isSame(rows: readonly DiffRow[]): boolean {
  return rows.every(({ type }) => type === "same" || type === "skipped");
}

function beside(lines: readonly DiffRow[], isFirst: boolean, isLast: boolean): readonly DiffRow[] {
  const head = isFirst ? 0 : AROUND;
  const tail = isLast ? 0 : AROUND;
  const count = lines.length - head - tail;
  if (count <= 1) return lines;
  return [...lines.slice(0, head), { type: "skipped", count }, ...lines.slice(lines.length - tail)];
}

function numbered(
  type: "same" | "added" | "removed",
  lines: readonly string[],
  first: number,
): readonly DiffRow[] {
  return lines.map((text, at) => ({ type, text, line: first + at }));
}
