/** A patch of one file as rows to be read, each with its place in the file. Pure. */
import { visibleText } from "@atrium/wire";

export type PatchRow =
  | { readonly type: "same" | "added" | "removed"; readonly text: string; readonly line: number }
  /** What lies between two places that changed. */
  | { readonly type: "gap"; readonly text: string }
  /** Of the file as a whole: its mode, that it is no text. */
  | { readonly type: "note"; readonly text: string };

const PLACE = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;
const KINDS = { "+": "added", "-": "removed", " ": "same" } as const;
/** Said by the list of changed files already. */
const HEADING =
  /^(?:diff --git|index|---|\+\+\+|similarity|dissimilarity|rename|copy|new file|deleted file) /;

export function patchRows(patch: string): readonly PatchRow[] {
  const rows: PatchRow[] = [];
  const next = { before: 0, after: 0 };
  let isInside = false;
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const place = PLACE.exec(line);
    if (place !== null) {
      const [, before, after, where = ""] = place;
      [next.before, next.after] = [Number(before), Number(after)];
      isInside = true;
      // What begins with the file has nothing before it.
      if (next.after > 1 || next.before > 1) rows.push({ type: "gap", text: visibleText(where) });
      continue;
    }
    const type = isInside ? kindOf(line) : undefined;
    if (type === undefined) {
      if (line !== "" && !HEADING.test(line)) {
        rows.push({ type: "note", text: visibleText(line.replace(/^\\ /, "")) });
      }
      continue;
    }
    const at = type === "removed" ? next.before : next.after;
    if (type !== "added") next.before += 1;
    if (type !== "removed") next.after += 1;
    rows.push({ type, text: shown(line.slice(1)), line: at });
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
function shown(text: string): string {
  return visibleText(text.endsWith("\r") ? `${text.slice(0, -1)}␍` : text);
}
