/** The end of a text as lines that fit a screen, its words inked like code. */
export type Ink = "plain" | "word" | "string" | "number" | "note" | "mark" | "good" | "bad";

export interface Run {
  readonly ink: Ink;
  readonly text: string;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** No screen shows more than this, however long the text is. */
const MAX_CHARS = 4_000;
const TOKENS =
  /(?<note>\/\/.*|^#+ .*|^> .*)|(?<string>"[^"]*"?|'[^']*'?|`[^`]*`?)|(?<number>\b\d[\d.,]*\b)|(?<word>\b[A-Z]\w+|\b(?:const|let|return|import|export|function|type|if|for|await|async|from)\b)|(?<mark>[{}()[\]=<>*+|:;-]+)/gu;

export function screenLines(text: string, size: ScreenSize): readonly (readonly Run[])[] {
  return lastLines(text, size).map(inked);
}

const GOOD = /^\s*(?:[✔✓√]|ok\b|pass(?:ed)?\b)|\bpassed\b/i;
const BAD = /^\s*(?:[✖✗✘×]|not ok\b|fail(?:ed|ure)?\b|\w*error\b)/i;

/** What a command prints, each line in the ink of how it went. */
export function commandLines(text: string, size: ScreenSize): readonly (readonly Run[])[] {
  return lastLines(text.trimEnd(), size).map((line) => [
    { ink: BAD.test(line) ? "bad" : GOOD.test(line) ? "good" : "plain", text: line },
  ]);
}

function lastLines(text: string, { columns, rows }: ScreenSize): readonly string[] {
  const lines = text.slice(-MAX_CHARS).replaceAll("\t", "  ").split("\n");
  return lines
    .slice(-rows)
    .flatMap((line) => wrap(line, columns))
    .slice(-rows);
}

function wrap(line: string, columns: number): string[] {
  if (line.length <= columns) return [line];
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > columns) {
    const space = rest.lastIndexOf(" ", columns);
    const end = space > columns / 2 ? space : columns;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...pieces, rest];
}

function inked(line: string): readonly Run[] {
  const runs: Run[] = [];
  let end = 0;
  for (const match of line.matchAll(TOKENS)) {
    if (match.index > end) runs.push({ ink: "plain", text: line.slice(end, match.index) });
    runs.push({ ink: inkOf(match.groups ?? {}), text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < line.length) runs.push({ ink: "plain", text: line.slice(end) });
  return runs;
}

function inkOf(groups: Readonly<Record<string, string | undefined>>): Ink {
  const inks = ["note", "string", "number", "word", "mark"] as const;
  return inks.find((ink) => groups[ink] !== undefined) ?? "plain";
}
