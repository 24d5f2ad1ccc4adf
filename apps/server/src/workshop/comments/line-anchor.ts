/** What a comment on lines remembers of them, so that they are found again in another version of the file. */

export interface LineAnchor {
  /** Counted from 1, both included. */
  readonly line: number;
  readonly endLine: number;
  /** The lines themselves, the first of many; long ones are cut. */
  readonly code: readonly string[];
  /** Up to three lines on either side. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const CONTEXT_LINES = 3;
const MAX_CODE_LINES = 40;
const MAX_LINE_CHARACTERS = 400;

/** A newline ends a line: it does not begin one. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** As much of a line as an anchor keeps. */
export function anchoredLine(line: string): string {
  return line.slice(0, MAX_LINE_CHARACTERS).toWellFormed();
}

/** Undefined where the file has no such lines. */
export function anchorAt(
  lines: readonly string[],
  line: number,
  endLine: number,
): LineAnchor | undefined {
  if (line < 1 || endLine < line || endLine > lines.length) return undefined;
  const part = (from: number, to: number): readonly string[] =>
    lines.slice(Math.max(0, from), to).map(anchoredLine);
  return {
    line,
    endLine,
    code: part(line - 1, Math.min(endLine, line - 1 + MAX_CODE_LINES)),
    before: part(line - 1 - CONTEXT_LINES, line - 1),
    after: part(endLine, endLine + CONTEXT_LINES),
  };
}
