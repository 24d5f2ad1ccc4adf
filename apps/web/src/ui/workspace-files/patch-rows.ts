/** A patch of one file as rows to be read, each with its place in the file. Pure. */
import { visibleText } from "@atrium/wire";

/** Its numbers in the file before and after; one of them for a line that only one has. */
export interface PatchLine {
  readonly type: "same" | "added" | "removed";
  readonly text: string;
  readonly old?: number;
  readonly new?: number;
}

export type PatchRow =
  | PatchLine
  /** What lies between two places that changed; the numbers are those of the lines after it. */
  | { readonly type: "gap"; readonly text: string; readonly old: number; readonly new: number }
  /** Of the file as a whole: its mode, that it is no text. */
  | { readonly type: "note"; readonly text: string };

const PLACE = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;
const KINDS = { "+": "added", "-": "removed", " ": "same" } as const;
/** Said by the list of changed files already. */
const HEADING =
  /^(?:diff --git|index|---|\+\+\+|similarity|dissimilarity|rename|copy|new file|deleted file) /;

export function patchRows(patch: string): readonly PatchRow[] {
  const rows: PatchRow[] = [];
  const next = { old: 0, new: 0 };
  let isInside = false;
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const place = PLACE.exec(line);
    if (place !== null) {
      const [, before, after, where = ""] = place;
      [next.old, next.new] = [Number(before), Number(after)];
      isInside = true;
      // What begins with the file has nothing before it.
      if (next.new > 1 || next.old > 1) {
        rows.push({ type: "gap", text: visibleText(where), ...next });
      }
      continue;
    }
    const type = isInside ? kindOf(line) : undefined;
    if (type === undefined) {
      if (line !== "" && !HEADING.test(line)) {
        rows.push({ type: "note", text: visibleText(line.replace(/^\\ /, "")) });
      }
      continue;
    }
    rows.push({
      type,
      text: shownLine(line.slice(1)),
      ...(type !== "added" && { old: next.old++ }),
      ...(type !== "removed" && { new: next.new++ }),
    });
  }
  return rows;
}

/** Lines that were added or removed in `rows` and not in `before`. */
export function freshRows(
  before: readonly PatchRow[],
  rows: readonly PatchRow[],
): readonly PatchRow[] {
  const nameOf = ({ type, text }: PatchRow): string => `${type} ${text}`;
  const known = new Set(before.map(nameOf));
  return rows.filter(
    (row) => (row.type === "added" || row.type === "removed") && !known.has(nameOf(row)),
  );
}

function kindOf(line: string): "added" | "removed" | "same" | undefined {
  const [sign = ""] = line;
  return sign === "+" || sign === "-" || sign === " " ? KINDS[sign] : undefined;
}

/** Line ends of another system are a difference that is seen. */
export function shownLine(text: string): string {
  return visibleText(text.endsWith("\r") ? `${text.slice(0, -1)}␍` : text);
}
