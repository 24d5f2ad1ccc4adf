/**
 * The patch of one file for a terminal: both line numbers, added and removed lines in colors. Nothing in it moves the
 * cursor or hides: what cannot be seen is written out, and a line that is too long to be read is cut.
 */
import { visibleText } from "@atrium/wire";
import type { Paint } from "../../terminal/paint.ts";

/** A line of a hunk, with the numbers under which it can be commented on. */
export interface PatchLine {
  readonly kind: "added" | "removed" | "same" | "hunk" | "note";
  readonly old: number | null;
  readonly new: number | null;
  readonly text: string;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const NUMBER_WIDTH = 5;
const MAX_LINE = 500;
const TAB = "    ";

/** From the first hunk on; before it there are only names. What is said of a binary file is a note. */
export function parsePatch(patch: string): readonly PatchLine[] {
  const lines: PatchLine[] = [];
  let [old, now] = [0, 0];
  let isInHunk = false;
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const [, oldStart, newStart] = HUNK.exec(line) ?? [];
    if (oldStart !== undefined && newStart !== undefined) {
      [old, now] = [Number(oldStart), Number(newStart)];
      isInHunk = true;
      lines.push({ kind: "hunk", old: null, new: null, text: line });
      continue;
    }
    const text = line.slice(1);
    if (!isInHunk) {
      if (isNote(line)) lines.push({ kind: "note", old: null, new: null, text: line });
    } else if (line.startsWith("+")) lines.push({ kind: "added", old: null, new: now++, text });
    else if (line.startsWith("-")) lines.push({ kind: "removed", old: old++, new: null, text });
    else if (line.startsWith("\\")) lines.push({ kind: "note", old: null, new: null, text: line });
    else lines.push({ kind: "same", old: old++, new: now++, text });
  }
  return lines;
}

function isNote(line: string): boolean {
  return /^(?:Binary files |old mode |new mode |deleted file |new file |rename |similarity )/.test(
    line,
  );
}

export function showPatch(patch: string, paint: Paint): string {
  return parsePatch(patch)
    .map((line) => `${showLine(line, paint)}\n`)
    .join("");
}

function showLine({ kind, old, new: now, text }: PatchLine, paint: Paint): string {
  const seen = visibleLine(text);
  const numbers = paint.quiet(`${numberCell(old)} ${numberCell(now)}`);
  switch (kind) {
    case "hunk":
      return paint.link(seen);
    case "note":
      return paint.quiet(seen);
    case "added":
      return `${numbers} ${paint.good(`+${seen}`)}`;
    case "removed":
      return `${numbers} ${paint.bad(`-${seen}`)}`;
    case "same":
      return `${numbers}  ${seen}`;
  }
}

function numberCell(number: number | null): string {
  return (number === null ? "" : String(number)).padStart(NUMBER_WIDTH);
}

/** A carriage return at the end is how some files end their lines: everybody knows it, and nobody wants to see it. */
export function visibleLine(text: string): string {
  const cut = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE).toWellFormed()}…` : text;
  return visibleText(cut.replace(/\r$/, "").replaceAll("\t", TAB));
}
