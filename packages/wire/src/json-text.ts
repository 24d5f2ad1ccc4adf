/**
 * Where the values of a JSON text stand in it, so that one of them can be replaced and nothing else. The
 * text has been parsed before: this only looks for the places, and has no opinion about mistakes. There may
 * be comments, as some programs allow them in their settings.
 */
export interface JsonNode {
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
  /** Of an object, in order. */
  readonly members?: readonly JsonMember[];
  /** Of an array. */
  readonly items?: readonly JsonNode[];
}

export interface JsonMember {
  readonly key: string;
  readonly start: number;
  readonly value: JsonNode;
}

const SPACE = /(?:[ \t\r\n]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /[^\s,\]}/]+/y;
const STRING_OR_COMMENT = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** The text as a parser of plain JSON takes it. */
export function withoutComments(text: string): string {
  return text.replaceAll(STRING_OR_COMMENT, (found) => (found.startsWith('"') ? found : " "));
}

export function locateJson(text: string): JsonNode {
  return nodeAt(text, skip(SPACE, text, 0));
}

function nodeAt(text: string, start: number): JsonNode {
  const first = text[start];
  if (first === "{") return objectAt(text, start);
  if (first === "[") return arrayAt(text, start);
  return { start, end: skip(first === '"' ? STRING : SCALAR, text, start) };
}

function objectAt(text: string, start: number): JsonNode {
  const members: JsonMember[] = [];
  let at = skip(SPACE, text, start + 1);
  while (text[at] === '"') {
    const keyEnd = skip(STRING, text, at);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    const colon = skip(SPACE, text, keyEnd);
    const value = nodeAt(text, skip(SPACE, text, colon + 1));
    members.push({ key: String(key), start: at, value });
    at = skip(SPACE, text, value.end);
    if (text[at] === ",") at = skip(SPACE, text, at + 1);
  }
  return { start, end: at + 1, members };
}

function arrayAt(text: string, start: number): JsonNode {
  const items: JsonNode[] = [];
  let at = skip(SPACE, text, start + 1);
  while (at < text.length && text[at] !== "]") {
    const item = nodeAt(text, at);
    items.push(item);
    at = skip(SPACE, text, item.end);
    if (text[at] === ",") at = skip(SPACE, text, at + 1);
  }
  return { start, end: at + 1, items };
}

/** Behind what the pattern matches there. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
