/**
 * The patch of one file for a terminal: both line numbers, added and removed lines in colors. Nothing in it moves the
 * cursor or hides: what cannot be seen is written out, and a line that is too long to be read is cut.
 */
import { visibleText } from "@atrium/wire";
import type { Paint } from "../../terminal/paint.ts";

/** A line of a patch; those of a hunk have the numbers under which they can be commented on. */
export interface PatchLine {
  readonly kind: "added" | "removed" | "same" | "hunk" | "note" | "file";
  readonly old: number | null;
  readonly new: number | null;
  readonly text: string;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const FILE = /^diff --git a\/.+ b\/(.+)$/;
const NOTE =
  /^(?:Binary files |old mode |new mode |deleted file |new file |rename |similarity |\\ No newline)/;
const NUMBER_WIDTH = 5;
const MAX_LINE = 500;
const TAB = "    ";

/** What is said of files, and their hunks. A hunk is as long as it says: what is in it may look like anything. */
export function parsePatch(patch: string): readonly PatchLine[] {
  const lines: PatchLine[] = [];
  let [old, now, oldEnd, newEnd] = [0, 0, 0, 0];
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const text = line.slice(1);
    if (now < newEnd && line.startsWith("+")) {
      lines.push({ kind: "added", old: null, new: now++, text });
    } else if (old < oldEnd && line.startsWith("-")) {
      lines.push({ kind: "removed", old: old++, new: null, text });
    } else if (now < newEnd && old < oldEnd && !line.startsWith("\\")) {
      lines.push({ kind: "same", old: old++, new: now++, text });
    } else {
      const [, from, height = "1", to, newHeight = "1"] = HUNK.exec(line) ?? [];
      if (from !== undefined && to !== undefined) {
        [old, now] = [Number(from), Number(to)];
        [oldEnd, newEnd] = [old + Number(height), now + Number(newHeight)];
      }
      const kind = from === undefined ? kindOf(line) : "hunk";
      if (kind !== undefined) lines.push({ kind, old: null, new: null, text: line });
    }
  }
  return lines;
}

function kindOf(line: string): "file" | "note" | undefined {
  if (FILE.test(line)) return "file";
  return NOTE.test(line) ? "note" : undefined;
}

/** Of one file, whose name stands above it already. */
export function showPatch(patch: string, paint: Paint): string {
  const lines = parsePatch(patch).filter(({ kind }) => kind !== "file");
  return lines.map((line) => `${showLine(line, paint)}\n`).join("");
}

/** Of several files, each with its name. */
export function showWholePatch(patch: string, paint: Paint): string {
  return parsePatch(patch)
    .map((line) => `${showLine(line, paint)}\n`)
    .join("");
}

function showLine({ kind, old, new: now, text }: PatchLine, paint: Paint): string {
  const seen = visibleLine(text);
  const numbers = paint.quiet(`${numberCell(old)} ${numberCell(now)}`);
  switch (kind) {
    case "file":
      return `\n${paint.strong(FILE.exec(seen)?.[1] ?? seen)}`;
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
