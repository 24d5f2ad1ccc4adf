/**
 * Where the lines of a comment are in another version of the file: through the lines that both have; else where they
 * went as a whole; else what stands in their place, between the same neighbors; else where most of their text and
 * surroundings are.
 */
import { anchoredLine, type LineAnchor } from "./line-anchor.ts";
import type { LineMatches } from "./match-lines.ts";

export interface LinePlace {
  readonly line: number;
  readonly endLine: number;
  /**
   * `same`: nothing has changed here. `moved`: the same lines elsewhere. `changed`: here, but not as they were.
   * `outdated`: not found; the place is that in the version that was commented on.
   */
  readonly state: "same" | "moved" | "changed" | "outdated";
}

const LINE_POINTS = 3;
const CONTEXT_POINTS = 1;
const MOVED_SHARE = 0.6;
const CHANGED_SHARE = 0.5;

/** `matches`: from the lines that were commented on to these; left out where the former are no longer there. */
export function carryLines(
  anchor: LineAnchor,
  lines: readonly string[],
  matches?: LineMatches,
): LinePlace {
  const kept = carryByMatches(anchor, matches);
  if (kept !== undefined) return kept;
  const found = carryByText(anchor, lines, matches);
  return found.state === "moved" ? found : (replacementOf(anchor, lines, matches) ?? found);
}

/** Undefined where the lines next to it are not there any more, or nothing is between them. */
function replacementOf(
  { line, endLine }: LineAnchor,
  lines: readonly string[],
  matches: LineMatches | undefined,
): LinePlace | undefined {
  if (matches === undefined) return undefined;
  const isAlone = line === 1 && endLine === matches.length;
  const above = line === 1 ? 0 : matchOf(matches, line - 1);
  const below = endLine === matches.length ? lines.length + 1 : matchOf(matches, endLine + 1);
  if (isAlone || above === undefined || below === undefined || below - above < 2) return undefined;
  const last = Math.min(below - 1, above + 1 + endLine - line);
  return { line: above + 1, endLine: last, state: "changed" };
}

/** Undefined where the first or the last line is not there any more. */
function carryByMatches(
  { line, endLine }: LineAnchor,
  matches: LineMatches | undefined,
): LinePlace | undefined {
  const first = matchOf(matches, line);
  const last = matchOf(matches, endLine);
  if (first === undefined || last === undefined) return undefined;
  // Matches rise, so nothing is missing where as many lines are between the two as before.
  const isWhole = last - first === endLine - line && areAllMatched(matches, line, endLine);
  if (!isWhole) return { line: first, endLine: last, state: "changed" };
  return { line: first, endLine: last, state: first === line ? "same" : "moved" };
}

function areAllMatched(matches: LineMatches | undefined, line: number, endLine: number): boolean {
  return matches?.subarray(line - 1, endLine).includes(-1) === false;
}

/** Counted from 1. */
function matchOf(matches: LineMatches | undefined, line: number): number | undefined {
  const match = matches?.[line - 1] ?? -1;
  return match === -1 ? undefined : match + 1;
}

function carryByText(
  anchor: LineAnchor,
  lines: readonly string[],
  matches: LineMatches | undefined,
): LinePlace {
  const { line, endLine, code, before, after } = anchor;
  const height = endLine - line + 1;
  const remembered = [
    ...before.map((text, index) => ({ text, at: index - before.length, points: CONTEXT_POINTS })),
    ...code.map((text, index) => ({ text, at: index, points: LINE_POINTS })),
    ...after.map((text, index) => ({ text, at: height + index, points: CONTEXT_POINTS })),
  ];
  const most = remembered.reduce((sum, { points }) => sum + points, 0);
  const score = scoreStarts(remembered, lines);
  const expected = expectedStart(line, matches);
  let best = 0;
  for (const [start, points] of score.entries()) {
    const isBetter =
      points > (score[best] ?? 0) ||
      (points === score[best] && Math.abs(start - expected) < Math.abs(best - expected));
    if (isBetter) best = start;
  }
  const share = (score[best] ?? 0) / most;
  if (share < CHANGED_SHARE) return { line, endLine, state: "outdated" };
  const isWhole = code.every((text, index) => isAlike(text, lines[best + index]));
  return {
    line: best + 1,
    endLine: Math.min(best + height, lines.length),
    state: isWhole && share >= MOVED_SHARE ? "moved" : "changed",
  };
}

interface RememberedLine {
  readonly text: string;
  /** From the first line of the comment. */
  readonly at: number;
  readonly points: number;
}

/** For each line, how well the comment would stand there. */
function scoreStarts(remembered: readonly RememberedLine[], lines: readonly string[]): Uint16Array {
  const wanted = new Map<string, RememberedLine[]>();
  for (const each of remembered) {
    const key = likeness(each.text);
    wanted.set(key, [...(wanted.get(key) ?? []), each]);
  }
  const score = new Uint16Array(lines.length);
  for (const [index, text] of lines.entries()) {
    for (const { at, points } of wanted.get(likeness(text)) ?? []) {
      const start = index - at;
      if (start >= 0 && start < score.length) score[start] = (score[start] ?? 0) + points;
    }
  }
  return score;
}

/** Counted from 0: after the nearest line above that is still there. */
function expectedStart(line: number, matches: LineMatches | undefined): number {
  for (let above = line - 1; above >= 1; above--) {
    const match = matchOf(matches, above);
    if (match !== undefined) return match - 1 + (line - above);
  }
  return line - 1;
}

function isAlike(text: string, other: string | undefined): boolean {
  return other !== undefined && likeness(text) === likeness(other);
}

/** Indented otherwise, it is still the same line. */
function likeness(text: string): string {
  return anchoredLine(text).trim();
}
