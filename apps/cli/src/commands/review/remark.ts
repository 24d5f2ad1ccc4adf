/** Remarks on lines, as they are typed. */
import type { LineComment } from "@atrium/wire/world";

export type RemarkLines = Pick<LineComment, "line" | "end_line" | "side">;

const LINES = /^(-?)([1-9]\d{0,7})(?:-([1-9]\d{0,7}))?$/;
const REMARK = /^(.+?):(-?\d+(?:-\d+)?)\s+(\S[\s\S]*)$/;

/** `12`, `12-14`, and `-12` for a line that was removed. */
export function parseLines(text: string): RemarkLines | undefined {
  const [, minus, first, last] = LINES.exec(text.trim()) ?? [];
  if (first === undefined) return undefined;
  const [line, end] = [Number(first), Number(last ?? first)];
  if (end < line) return undefined;
  const side = minus === "-" ? "old" : "new";
  return { line, ...(end > line && { end_line: end }), side };
}

/** `PATH:LINE TEXT`. */
export function parseRemark(text: string): LineComment | undefined {
  const [, path, place, words] = REMARK.exec(text) ?? [];
  const lines = place === undefined ? undefined : parseLines(place);
  if (path === undefined || words === undefined || lines === undefined) return undefined;
  return { path, ...lines, text: words.trim() };
}

export function placeOf({
  path,
  line,
  end_line: end = line,
  side,
}: Omit<LineComment, "text">): string {
  const lines = end === line ? `${line}` : `${line}-${end}`;
  return `${path}:${side === "old" ? "-" : ""}${lines}`;
}

/** A remark that has what should stand in place of its lines. */
export function suggest(remark: LineComment): LineComment {
  // However many backquotes the lines themselves begin with, the fence is longer.
  const longest = Math.max(2, ...Array.from(remark.text.matchAll(/`{3,}/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return { ...remark, text: `${fence}suggestion\n${remark.text}\n${fence}` };
}
