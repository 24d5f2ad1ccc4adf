/**
 * Text from outside, read as JSON: the one way in, whatever door it came by.
 *
 * What is nested without end costs whoever reads it later, in memory and in stack, long after it was let in. So it is
 * told from the text how deep it goes, before anything is made of it, and what goes too deep is a problem like any
 * other. What it says above that depth can still be read, so that the answer can name what it answers.
 */
export const MAX_JSON_DEPTH = 100;
export const TOO_DEEP = `nested deeper than ${MAX_JSON_DEPTH} levels`;

export interface JsonReading {
  /** As far as it can be read: undefined when the text is not JSON, without its depths when it goes too deep. */
  readonly value: unknown;
  readonly problem?: JsonProblem;
}

/** What is wrong with a text, in a word and at length. */
export interface JsonProblem {
  readonly short: string;
  readonly long: string;
}

const DEEP: JsonProblem = { short: TOO_DEEP, long: TOO_DEEP };

export function readJson(text: string): JsonReading {
  const isDeep = isTooDeep(text);
  try {
    const value: unknown = JSON.parse(isDeep ? withoutDepths(text) : text);
    return isDeep ? { value, problem: DEEP } : { value };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const problem = isDeep ? DEEP : { short: "not JSON", long: `not JSON: ${why}` };
    return { value: undefined, problem };
  }
}

/** Undefined for what is not JSON or goes too deep, where nobody asks which. */
export function parseJson(text: string): unknown {
  const { value, problem } = readJson(text);
  return problem === undefined ? value : undefined;
}

/** Whether a value goes deeper than so many levels; never looks further down than that. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each));
}

/** A value as it is, or without what goes too deep, which a note stands for. */
export function cutDepths(value: unknown, levels = MAX_JSON_DEPTH): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return `(${TOO_DEEP})`;
  if (Array.isArray(value)) return value.map((each) => cutDepths(each, levels - 1));
  const members = Object.entries(value).map(([name, each]) => [name, cutDepths(each, levels - 1)]);
  return Object.fromEntries(members);
}

/** Few texts have brackets enough to go deep, and counting them costs next to nothing. */
function isTooDeep(text: string): boolean {
  // Every level is closed again.
  if (text.length <= 2 * MAX_JSON_DEPTH || !hasManyBrackets(text)) return false;
  let isDeep = false;
  walk(text, (_at, depth) => {
    isDeep = depth > MAX_JSON_DEPTH;
    return !isDeep;
  });
  return isDeep;
}

function hasManyBrackets(text: string): boolean {
  let left = MAX_JSON_DEPTH;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (--left < 0) return true;
    }
  }
  return false;
}

/** The brackets of the first level that is too deep stay, so that one can see where it was. */
function withoutDepths(text: string): string {
  const kept: string[] = [];
  let from = 0;
  walk(text, (at, depth, isOpening) => {
    if (depth !== MAX_JSON_DEPTH + 1) return true;
    if (isOpening) kept.push(text.slice(from, at + 1));
    // What is never closed again has nothing after it.
    from = isOpening ? text.length : at;
    return true;
  });
  return `${kept.join("")}${text.slice(from)}`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Visits every bracket outside strings, with the depth of what it opens or closes, as long as it is wanted. */
function walk(
  text: string,
  visit: (at: number, depth: number, isOpening: boolean) => boolean,
): void {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    if (letter === QUOTE) isInString = !isInString;
    else if (letter === BACKSLASH) at++;
    else if (isInString) continue;
    else if (letter === 0x5b || letter === 0x7b) {
      if (!visit(at, ++depth, true)) return;
    } else if (letter === 0x5d || letter === 0x7d) {
      if (!visit(at, depth--, false)) return;
    }
  }
}
