/** Which words of a line became others in the line that took its place. Pure. */
import { diffWordsWithSpace } from "diff";
import type { CodePiece } from "./syntax.ts";

/** From where to where in a text. */
export type Span = readonly [from: number, to: number];

export interface WordMarks {
  readonly old: readonly Span[];
  readonly new: readonly Span[];
}

const MAX_CHARS = 500;
/** Of two lines that share less, everything is different. */
const MIN_SHARED = 0.35;

export function wordMarks(before: string, after: string): WordMarks | undefined {
  if (before.length > MAX_CHARS || after.length > MAX_CHARS || before === after) return undefined;
  const marks = { old: [] as Span[], new: [] as Span[] };
  const at = { old: 0, new: 0 };
  let shared = 0;
  for (const { value, added, removed } of diffWordsWithSpace(before, after)) {
    const { length } = value;
    if (added) marks.new.push([at.new, (at.new += length)]);
    else if (removed) marks.old.push([at.old, (at.old += length)]);
    else {
      at.old += length;
      at.new += length;
      shared += value.trim().length;
    }
  }
  const joined = { old: joinNear(marks.old), new: joinNear(marks.new) };
  const longest = Math.max(before.trim().length, after.trim().length);
  return shared < longest * MIN_SHARED ? undefined : joined;
}

/** A letter or two between two marks is not worth a hole in them. */
const NEAR = 2;

function joinNear(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last !== undefined && span[0] - last[1] <= NEAR) joined.splice(-1, 1, [last[0], span[1]]);
    else joined.push(span);
  }
  return joined;
}

export interface MarkedPiece extends CodePiece {
  readonly isMarked: boolean;
}

/** The pieces, cut where a mark begins or ends. */
export function markPieces(
  pieces: readonly CodePiece[],
  spans: readonly Span[],
): readonly MarkedPiece[] {
  const marked: MarkedPiece[] = [];
  let start = 0;
  for (const piece of pieces) {
    const end = start + piece.text.length;
    const cuts = spans.flat().filter((cut) => cut > start && cut < end);
    const places = [start, ...cuts, end];
    for (const [n, from] of places.slice(0, -1).entries()) {
      const text = piece.text.slice(from - start, (places[n + 1] ?? end) - start);
      const isMarked = spans.some((span) => from >= span[0] && from < span[1]);
      marked.push({ ...piece, text, isMarked });
    }
    start = end;
  }
  return marked;
}
