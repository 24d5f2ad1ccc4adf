/** Suggestions in comments as edits of files: the lines in the fence take the place of those commented on. Pure. */
import { accept, refuse, type Outcome } from "@atrium/core";
import type { LineRemark } from "../comments/anchor-comments.ts";
import { splitLines } from "../comments/line-anchor.ts";

export interface FileEdits {
  readonly path: string;
  readonly content: Buffer;
}

interface LineEdit {
  readonly index: number;
  readonly line: number;
  readonly endLine: number;
  readonly lines: readonly string[];
}

const FENCE = /^(`{3,})suggestion[^\S\n]*\r?\n(?<body>[^]*?)^\1`*[^\S\n]*\r?$/m;
const NAMED = 200;

/** The lines that a comment suggests; undefined where it suggests none. */
export function suggestionIn(text: string): readonly string[] | undefined {
  const body = FENCE.exec(text)?.groups?.["body"];
  return body === undefined ? undefined : splitLines(body).map((line) => line.replace(/\r$/, ""));
}

/** By file. Two suggestions for the same lines contradict each other. */
export function editsOf(
  remarks: readonly LineRemark[],
): Outcome<ReadonlyMap<string, readonly LineEdit[]>> {
  const byPath = new Map<string, LineEdit[]>();
  for (const [index, { path, side, line, endLine, text }] of remarks.entries()) {
    const about = `comments/${index}: ${path.slice(0, NAMED)}`;
    const lines = suggestionIn(text);
    if (lines === undefined) return refuse("params.invalid", `${about} suggests nothing`);
    if (side !== "new") {
      return refuse("params.invalid", `${about}: only lines of the new side can be replaced`);
    }
    const others = byPath.get(path) ?? [];
    const other = others.find((each) => line <= each.endLine && each.line <= endLine);
    if (other !== undefined) {
      return refuse(
        "params.invalid",
        `${about} replaces the same lines as comments/${other.index}`,
      );
    }
    byPath.set(path, [...others, { index, line, endLine, lines }]);
  }
  return accept(byPath);
}

/** Line ends stay as the file has them, and so does what comes after the last one. */
export function editLines(
  path: string,
  content: Buffer,
  edits: readonly LineEdit[],
): Outcome<FileEdits> {
  const text = content.toString("utf8");
  if (!Buffer.from(text).equals(content)) {
    return refuse("params.invalid", `${path.slice(0, NAMED)} is not text`);
  }
  const lines = [...splitLines(text)];
  const isEnded = text === "" || text.endsWith("\n");
  for (const { index, line, endLine, lines: fresh } of edits.toSorted((a, b) => b.line - a.line)) {
    if (line < 1 || endLine < line || endLine > lines.length) {
      const problem = `${path.slice(0, NAMED)} has ${lines.length} lines`;
      return refuse("params.invalid", `comments/${index}: ${problem}, no ${line} to ${endLine}`);
    }
    const end = lines[line - 1]?.endsWith("\r") === true ? "\r" : "";
    lines.splice(line - 1, endLine - line + 1, ...fresh.map((each) => `${each}${end}`));
  }
  const whole = lines.join("\n");
  return accept({ path, content: Buffer.from(isEnded && whole !== "" ? `${whole}\n` : whole) });
}
