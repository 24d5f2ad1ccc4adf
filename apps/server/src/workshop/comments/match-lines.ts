/**
 * Which line of one text is which line of another, in order, in about linear time. Equal ends first; between them
 * lines that occur once on both sides hold the rest in place (patience); small gaps get their longest common
 * subsequence. A large gap without a unique line is told as changed.
 */

/** For each line before, its line after, counted from 0; -1 where it is gone or changed. */
export type LineMatches = Int32Array;

interface Gap {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

const NONE = -1;
const MAX_TABLE_CELLS = 40_000;
/** Each level looks at every line once. */
const MAX_DEPTH = 24;

export function matchLines(before: readonly string[], after: readonly string[]): LineMatches {
  const matches = new Int32Array(before.length).fill(NONE);
  const ids = new Map<string, number>();
  const number = (line: string): number => {
    const known = ids.get(line) ?? ids.size;
    ids.set(line, known);
    return known;
  };
  const old = Int32Array.from(before, number);
  const now = Int32Array.from(after, number);
  const gaps: Gap[] = [{ from: 0, to: old.length, start: 0, end: now.length, depth: 0 }];
  for (let gap = gaps.pop(); gap !== undefined; gap = gaps.pop()) {
    const rest = matchEnds(old, now, gap, matches);
    const rows = rest.to - rest.from;
    const cells = rows * (rest.end - rest.start);
    if (cells === 0) continue;
    if (cells <= MAX_TABLE_CELLS) matchByTable(old, now, rest, matches);
    else if (rest.depth < MAX_DEPTH) gaps.push(...matchUnique(old, now, rest, matches));
  }
  return matches;
}

function matchEnds(old: Int32Array, now: Int32Array, gap: Gap, matches: LineMatches): Gap {
  let { from, to, start, end } = gap;
  while (from < to && start < end && old[from] === now[start]) matches[from++] = start++;
  while (from < to && start < end && old[to - 1] === now[end - 1]) matches[--to] = --end;
  return { from, to, start, end, depth: gap.depth };
}

/** The gaps that remain between the lines that are unique on both sides; none where there is no such line. */
function matchUnique(old: Int32Array, now: Int32Array, gap: Gap, matches: LineMatches): Gap[] {
  const { from, to, start, end } = gap;
  const places = uniquePlaces(now, start, end);
  const pairs: (readonly [number, number])[] = [];
  for (const [line, at] of uniquePlaces(old, from, to)) {
    const place = places.get(line);
    if (at !== NONE && place !== undefined && place !== NONE) pairs.push([at, place]);
  }
  const inOrder = longestRising(pairs);
  if (inOrder.length === 0) return [];
  const depth = gap.depth + 1;
  const gaps: Gap[] = [];
  let last = { from, start };
  for (const [at, place] of inOrder) {
    matches[at] = place;
    gaps.push({ ...last, to: at, end: place, depth });
    last = { from: at + 1, start: place + 1 };
  }
  return [...gaps, { ...last, to, end, depth }];
}

/** Where each line is, in the order of the text; -1 for one that is there more than once. */
function uniquePlaces(lines: Int32Array, from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at++) {
    const line = lines[at] ?? NONE;
    places.set(line, places.has(line) ? NONE : at);
  }
  return places;
}

/** Of pairs in the order of their first members, the most whose second members rise too. */
function longestRising(
  pairs: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const previous = new Int32Array(pairs.length).fill(NONE);
  /** By length, the pair with which a row of that length ends lowest. */
  const ends: number[] = [];
  for (const [index, [, place]] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1] ?? NONE;
    ends[low] = index;
  }
  const rising: (readonly [number, number])[] = [];
  for (let index = ends.at(-1) ?? NONE; index !== NONE; index = previous[index] ?? NONE) {
    const pair = pairs[index];
    if (pair !== undefined) rising.push(pair);
  }
  return rising.toReversed();
}

function matchByTable(old: Int32Array, now: Int32Array, gap: Gap, matches: LineMatches): void {
  const { from, start } = gap;
  const rows = gap.to - from;
  const width = gap.end - start + 1;
  /** The length of the longest common subsequence of what comes from there on. */
  const longest = new Uint16Array((rows + 1) * width);
  const at = (row: number, column: number): number => longest[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = width - 2; column >= 0; column--) {
      longest[row * width + column] =
        old[from + row] === now[start + column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  let row = 0;
  let column = 0;
  while (row < rows && column < width - 1) {
    if (old[from + row] === now[start + column]) matches[from + row++] = start + column++;
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
}
